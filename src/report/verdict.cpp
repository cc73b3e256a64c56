#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "report/measures.hpp"

namespace isogon {

namespace {

// Where a verdict changes. Judgements, as those of warnings are: a search that loses four of ten results disappoints.
struct Bounds {
    double good;
    double fair;
};
constexpr Bounds recall_bounds{0.6, 0.4};
constexpr Bounds trust_bounds{0.95, 0.9};
constexpr Bounds correlation_bounds{0.9, 0.7};
constexpr Bounds label_loss_bounds{0.02, 0.1};  // the inputs' accuracy less the coordinates'
constexpr Bounds degrees_bounds{5.0, 10.0};
constexpr double poor_length = 0.1;

/// "80%", "0.2%", "0.01%": with as many decimals as show it.
std::string percent(double share) {
    const double hundredths = 100.0 * share;
    return printed(hundredths >= 9.95 || hundredths == 0.0 ? "%.0f%%"
                   : hundredths >= 0.1                     ? "%.1f%%"
                                                           : "%.2g%%",
                   share < 1.0 && hundredths > 99.5 ? 99.0 : hundredths);
}

/// A share of what is above chance.
double above(double value, double chance, double all) {
    return all > chance ? (value - chance) / (all - chance) : 1.0;
}

// The baseline is clearly better by so much, and by more than the points differ among each other.
constexpr double clear_share = 0.02;
constexpr double clear_trust = 0.01;
constexpr double clear_degrees = 1.0;

/// Point by point, as both were measured at the same points.
bool keeps_clearly_more(const KeptNeighbors& baseline, const KeptNeighbors& own) {
    if (baseline.shares.size() != own.shares.size() || own.shares.empty()) {
        return false;
    }
    double sum = 0.0;
    double squares = 0.0;
    for (std::size_t row = 0; row < own.shares.size(); ++row) {
        const double more = double{baseline.shares[row]} - double{own.shares[row]};
        sum += more;
        squares += more * more;
    }
    const auto count = static_cast<double>(own.shares.size());
    const double mean = sum / count;
    const double error = standard_error(std::max(0.0, squares / count - mean * mean), count);
    return mean >= clear_share && mean > standard_errors * error;
}

bool tells_clearly_more(double baseline, double own, double rows) {
    const double variance = baseline * (1.0 - baseline) + own * (1.0 - own);
    const double more = baseline - own;
    return more >= clear_share && more > standard_errors * standard_error(variance, rows);
}

/// One purpose, and how well it is served: the larger value is better.
struct Claim {
    const char* purpose;
    std::string own;       ///< the number, in words
    std::string baseline;  ///< number of the baseline, where it is clearly better
    std::string chance;
    double value;
    Bounds bounds;
    bool beats_chance;

    [[nodiscard]] std::string text(const std::string& baseline_name) const {
        const std::string better = baseline.empty() ? "" : "; " + baseline_name + " " + baseline;
        return std::string(purpose) + " (" + own + better + "; chance " + chance + ")";
    }
};

class Judge {
public:
    Judge(const ReportSubject& subject, const Measures& measures)
        : measures_(measures),
          score_(measures.score),
          by_angle_(score_.metrics.output == Nearness::Cosine),
          dimension_(subject.coordinates.dimension) {}

    Verdict run() {
        if (measures_.svd) {
            verdict_.baseline =
                printed("%s to %u dimension%s", baseline_name(), dimension_, dimension_ == 1 ? "" : "s");
        }
        judge_recall();
        judge_labels();
        if (by_angle_) {
            judge_angles();
        } else {
            judge_trust();
        }
        judge_correlation(by_angle_ ? "comparing points that are far apart" : "distances between groups",
                          by_angle_ ? "rank correlation of angles %.2f of 1" : "rank correlation %.2f of 1");
        if (by_angle_ && score_.norm_deviation_mean > poor_length) {
            verdict_.poor.push_back(printed("lengths (off by %.0f%%)", 100.0 * score_.norm_deviation_mean));
        }
        return std::move(verdict_);
    }

private:
    [[nodiscard]] const char* baseline_name() const { return by_angle_ ? "SVD" : "PCA"; }

    void place(const Claim& claim) {
        auto& list = !claim.beats_chance                ? verdict_.chance
                     : claim.value < claim.bounds.fair  ? verdict_.poor
                     : !claim.baseline.empty()          ? verdict_.outdone
                     : claim.value >= claim.bounds.good ? verdict_.good
                                                        : verdict_.fair;
        list.push_back(claim.text(baseline_name()));
    }

    void judge_recall() {
        const Chance::Level& chance = measures_.chance.recall;
        const bool outdone = measures_.svd && keeps_clearly_more(measures_.svd->kept, score_.kept);
        place({.purpose = "finding similar items",
               .own = printed("%s of the %d nearest kept", percent(score_.recall).c_str(), score_.neighbors),
               .baseline = outdone ? percent(measures_.svd->recall) : "",
               .chance = percent(chance.mean),
               .value = above(score_.recall, chance.mean, 1.0),
               .bounds = recall_bounds,
               .beats_chance = score_.recall > chance.limit});
    }

    void judge_labels() {
        if (!score_.knn_accuracy || !score_.knn_accuracy_inputs || !measures_.chance.knn_accuracy) {
            return;
        }
        const double own = *score_.knn_accuracy;
        const double inputs = *score_.knn_accuracy_inputs;
        const Chance::Level& chance = *measures_.chance.knn_accuracy;
        const double baseline = measures_.svd ? measures_.svd->knn_accuracy.value_or(0.0) : 0.0;
        const bool outdone = tells_clearly_more(baseline, own, score_.rank_rows);
        // Requires at least half of the information that the inputs have above chance.
        const bool tells = above(own, chance.mean, inputs) >= 0.5;
        place({.purpose = "k-NN label accuracy",
               .own = printed("%s right; the inputs %s", percent(own).c_str(), percent(inputs).c_str()),
               .baseline = outdone ? percent(baseline) : "",
               .chance = percent(chance.mean),
               .value = tells ? own - inputs : -1.0,
               .bounds = {-label_loss_bounds.good, -label_loss_bounds.fair},
               .beats_chance = own > chance.limit});
    }

    /// Judges maps alone: in more dimensions nobody sees which points lie together.
    void judge_trust() {
        constexpr Index most_of_a_map = 3;
        if (dimension_ > most_of_a_map) {
            return;
        }
        const Chance::Level& chance = measures_.chance.trustworthiness;
        const double own = score_.trustworthiness;
        const bool outdone = measures_.svd && measures_.svd->trustworthiness - own >= clear_trust;
        place({.purpose = "seeing which points belong together",
               .own = printed("trustworthiness %.2f of 1", own),
               .baseline = outdone ? printed("%.2f", measures_.svd->trustworthiness) : "",
               .chance = printed("%.1f", chance.mean),
               .value = own,
               .bounds = trust_bounds,
               // Where many points are alike, most are near any: recall knows how many.
               .beats_chance = own > chance.limit && score_.recall > measures_.chance.recall.limit});
    }

    void judge_angles() {
        if (score_.sparsity >= 1.0 || !measures_.chance.deviation_degrees) {
            return;
        }
        const Chance::Level& chance = *measures_.chance.deviation_degrees;
        const double off = score_.deviation_without_self_degrees;
        const bool outdone = measures_.svd && off - measures_.svd->deviation_without_self_degrees >= clear_degrees;
        place({.purpose = "how similar near points are",
               .own = printed("angles off by %.1f degrees", off),
               .baseline = outdone ? printed("%.1f", measures_.svd->deviation_without_self_degrees) : "",
               .chance = printed("%.0f", chance.mean),
               .value = -off,
               .bounds = {-degrees_bounds.good, -degrees_bounds.fair},
               .beats_chance = off < chance.limit});
    }

    void judge_correlation(const char* what, const char* own) {
        const double value = measures_.pair_correlation;
        const double baseline = measures_.svd_pair_correlation.value_or(value);
        place({.purpose = what,
               .own = printed(own, value),
               .baseline = baseline - value >= clear_share ? printed("%.2f", baseline) : "",
               .chance = "0",
               .value = value,
               .bounds = correlation_bounds,
               .beats_chance = value > measures_.chance.pair_correlation.limit});
    }

    const Measures& measures_;
    const Score& score_;
    bool by_angle_;
    Index dimension_;
    Verdict verdict_;
};

void add(std::string& text, const std::string& beginning, const std::vector<std::string>& purposes) {
    for (const std::string& one : purposes) {
        text += &one == &purposes.front() ? (text.empty() ? "" : " ") + beginning + ": " : ", ";
        text += one;
    }
    text += purposes.empty() ? "" : ".";
}

}  // namespace

Verdict verdict_of(const ReportSubject& subject, const Measures& measures) {
    return Judge(subject, measures).run();
}

std::string Verdict::text() const {
    std::string text;
    add(text, "Good for", good);
    add(text, "Fair for", fair);
    add(text, baseline + " does better at", outdone);
    add(text, "Not for", poor);
    add(text, "Not shown to be better than chance at", chance);
    return text;
}

}  // namespace isogon
