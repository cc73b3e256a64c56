#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <numeric>
#include <optional>
#include <utility>

#include "isogon/core/random.hpp"
#include "isogon/core/trigonometry.hpp"
#include "report/measures.hpp"

namespace isogon {

namespace {

/// Ranks from 0; equal values share the mean of theirs.
std::vector<double> mean_ranks(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> ranks(values.size());
    for (std::size_t first = 0; first < order.size();) {
        std::size_t last = first;
        while (last + 1 < order.size() && values[order[last + 1]] == values[order[first]]) {
            ++last;
        }
        for (std::size_t place = first; place <= last; ++place) {
            ranks[order[place]] = static_cast<double>(first + last) / 2.0;
        }
        first = last + 1;
    }
    return ranks;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
    const double mean = (static_cast<double>(a.size()) - 1.0) / 2.0;
    double products = 0.0;
    double squares_a = 0.0;
    double squares_b = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        products += (a[k] - mean) * (b[k] - mean);
        squares_a += (a[k] - mean) * (a[k] - mean);
        squares_b += (b[k] - mean) * (b[k] - mean);
    }
    return squares_a > 0.0 && squares_b > 0.0 ? products / std::sqrt(squares_a * squares_b) : 0.0;
}

constexpr std::uint64_t most_pairs = 20000;

/// All pairs of different points where they are few, else some drawn at random.
std::vector<std::pair<Index, Index>> some_pairs(Index count, std::uint64_t seed) {
    std::vector<std::pair<Index, Index>> pairs;
    if (std::uint64_t{count} * (count - 1) / 2 <= most_pairs) {
        for (Index i = 0; i < count; ++i) {
            for (Index j = 0; j < i; ++j) {
                pairs.emplace_back(i, j);
            }
        }
        return pairs;
    }
    for (std::uint64_t k = 0; k < most_pairs; ++k) {
        // Which points angles are counted of is drawn at indices of points, below 2^32.
        Random random(seed, RandomStream::AngleDensity, (std::uint64_t{1} << 32) + k);
        const Index i = random.below(count);
        const Index j = random.below(count - 1);
        pairs.emplace_back(i, j < i ? j : j + 1);
    }
    return pairs;
}

}  // namespace

double pair_correlation(const PointsView& x, const PointsView& y, const SideMetrics& metrics, std::uint64_t seed) {
    const auto measured = [&](const PointsView& points, Nearness nearness) {
        const std::vector<double> lengths = norms(points);
        return [&points, nearness, lengths](Index i, Index j) {
            return nearness == Nearness::Euclidean ? distance_between(points[i], points[j])
                                                   : angle_between(points[i], points[j], lengths[i], lengths[j]);
        };
    };
    const auto far_in = measured(x, metrics.input);
    const auto far_out = measured(y, metrics.output);
    std::vector<double> in;
    std::vector<double> out;
    for (const auto& [i, j] : some_pairs(x.count, seed)) {
        in.push_back(far_in(i, j));
        out.push_back(far_out(i, j));
    }
    return correlation(mean_ranks(in), mean_ranks(out));
}

namespace {

double total(const std::vector<std::uint64_t>& counts) {
    return static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
}

/// Mean |angle out - angle in| of near pairs where the coordinates are those of other points: every angle of the inputs
/// below the threshold with every angle of the coordinates.
std::optional<double> shuffled_deviation(const AngleDensity& angles, double near_degrees) {
    const double all_out = total(angles.out);
    double sum = 0.0;
    double near = 0.0;
    for (std::size_t a = 0; a < angles.in.size() && static_cast<double>(a) + 0.5 < near_degrees; ++a) {
        for (std::size_t b = 0; b < angles.out.size(); ++b) {
            sum += static_cast<double>(angles.in[a]) * static_cast<double>(angles.out[b]) *
                   std::abs(static_cast<double>(a) - static_cast<double>(b));
        }
        near += static_cast<double>(angles.in[a]);
    }
    return near > 0.0 && all_out > 0.0 ? std::optional(sum / near / all_out) : std::nullopt;
}

/// Shares of pairs above the threshold in inputs and coordinates that are drawn independently: a b of them in both.
double shuffled_jaccard(const Score& score, const AngleDensity& angles, double near_degrees) {
    double near_out = 0.0;
    for (std::size_t b = 0; b < angles.out.size() && static_cast<double>(b) + 0.5 < near_degrees; ++b) {
        near_out += static_cast<double>(angles.out[b]);
    }
    const double in = 1.0 - score.sparsity;
    const double out = near_out / std::max(total(angles.out), 1.0);
    return in + out > 0.0 ? in * out / (in + out - in * out) : 1.0;
}

/// Always the most frequent label.
std::optional<double> most_frequent_share(const Classes& labels) {
    if (labels.empty()) {
        return std::nullopt;
    }
    std::vector<std::size_t> counts(labels.names.size());
    for (const std::uint32_t label : labels.index) {
        ++counts.at(label);
    }
    return static_cast<double>(*std::max_element(counts.begin(), counts.end())) /
           static_cast<double>(labels.index.size());
}

}  // namespace

Chance chance_of(const ReportSubject& subject, const Measures& measures) {
    const Score& score = measures.score;
    const double near_degrees = elementary::acos(score.threshold) * 180.0 / std::numbers::pi;
    const double others = std::max(1.0, static_cast<double>(subject.inputs.count) - 1.0);
    return {.recall = score.neighbors / others,
            .deviation_degrees = shuffled_deviation(measures.angles, near_degrees),
            .jaccard = shuffled_jaccard(score, measures.angles, near_degrees),
            .knn_accuracy = most_frequent_share(subject.labels)};
}

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

template <class... Values>
std::string purpose(const char* format, Values... values) {
    std::array<char, 256> text{};
    std::snprintf(text.data(), text.size(), format,
                  values...);  // NOLINT(*-vararg): formats are literals, checked by the compiler
    return text.data();
}

/// "80%", "0.2%", "0.01%": with as many decimals as show it.
std::string percent(double share) {
    const double hundredths = 100.0 * share;
    return purpose(hundredths >= 9.95 || hundredths == 0.0 ? "%.0f%%"
                   : hundredths >= 0.1                     ? "%.1f%%"
                                                           : "%.2g%%",
                   share < 1.0 && hundredths > 99.5 ? 99.0 : hundredths);
}

class Judge {
public:
    Judge(const ReportSubject& subject, const Measures& measures)
        : measures_(measures), score_(measures.score), map_(subject.coordinates.dimension <= 3) {}

    Verdict run() {
        const Chance& chance = measures_.chance;
        place(score_.recall, recall_bounds,
              purpose("finding similar items (%s of the %d nearest kept; chance %s)", percent(score_.recall).c_str(),
                      score_.neighbors, percent(chance.recall).c_str()));
        if (score_.knn_accuracy && score_.knn_accuracy_inputs) {
            place(*score_.knn_accuracy - *score_.knn_accuracy_inputs,
                  {-label_loss_bounds.good, -label_loss_bounds.fair},
                  purpose("telling labels from neighbours (%s right; the inputs %s; chance %s)",
                          percent(*score_.knn_accuracy).c_str(), percent(*score_.knn_accuracy_inputs).c_str(),
                          percent(chance.knn_accuracy.value_or(0.0)).c_str()));
        }
        if (score_.metrics.output == Nearness::Cosine) {
            judge_angles();
        } else {
            if (map_) {
                place(score_.trustworthiness, trust_bounds,
                      purpose("seeing which points belong together (trustworthiness %.2f of 1; chance 0.5)",
                              score_.trustworthiness));
            }
            place(
                measures_.pair_correlation, correlation_bounds,
                purpose("distances between groups (rank correlation %.2f of 1; chance 0)", measures_.pair_correlation));
        }
        return std::move(verdict_);
    }

private:
    void place(double value, const Bounds& bounds, std::string text) {
        (value >= bounds.good   ? verdict_.good
         : value >= bounds.fair ? verdict_.fair
                                : verdict_.poor)
            .push_back(std::move(text));
    }

    void judge_angles() {
        if (score_.sparsity < 1.0) {
            const double off = score_.deviation_without_self_degrees;
            const std::string chance = measures_.chance.deviation_degrees
                                           ? purpose("; chance %.0f", *measures_.chance.deviation_degrees)
                                           : std::string();
            place(-off, {-degrees_bounds.good, -degrees_bounds.fair},
                  purpose("how similar near points are (angles off by %.1f degrees%s)", off, chance.c_str()));
        }
        place(measures_.pair_correlation, correlation_bounds,
              purpose("comparing points that are far apart (rank correlation of angles %.2f of 1; chance 0)",
                      measures_.pair_correlation));
        if (score_.norm_deviation_mean > poor_length) {
            verdict_.poor.push_back(purpose("lengths (off by %.0f%%)", 100.0 * score_.norm_deviation_mean));
        }
    }

    const Measures& measures_;
    const Score& score_;
    bool map_;
    Verdict verdict_;
};

void add(std::string& text, const char* beginning, const std::vector<std::string>& purposes) {
    for (const std::string& one : purposes) {
        text += &one == &purposes.front() ? (text.empty() ? "" : " ") + std::string(beginning) : ", ";
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
    add(text, "Good for: ", good);
    add(text, "Fair for: ", fair);
    add(text, "Not for: ", poor);
    return text;
}

}  // namespace isogon
