#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "core/trigonometry.hpp"
#include "report/measures.hpp"

namespace isogon {

namespace {

struct Moments {
    double mean = 0.0;
    double variance = 0.0;
};

double total(const std::vector<std::uint64_t>& counts) {
    return static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
}

/// |angle out - angle in| of near pairs where the coordinates are those of other points: every angle of the inputs
/// below the threshold with every angle of the coordinates.
std::optional<Moments> shuffled_deviation(const AngleDensity& angles, double near_degrees) {
    double sum = 0.0;
    double squares = 0.0;
    double near = 0.0;
    for (std::size_t a = 0; a < angles.in.size() && static_cast<double>(a) + 0.5 < near_degrees; ++a) {
        for (std::size_t b = 0; b < angles.out.size(); ++b) {
            const double pairs = static_cast<double>(angles.in[a]) * static_cast<double>(angles.out[b]);
            const double off = std::abs(static_cast<double>(a) - static_cast<double>(b));
            sum += pairs * off;
            squares += pairs * off * off;
        }
        near += static_cast<double>(angles.in[a]);
    }
    const double all = near * total(angles.out);
    if (all <= 0.0) {
        return std::nullopt;
    }
    const double mean = sum / all;
    return Moments{mean, std::max(0.0, squares / all - mean * mean)};
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

/// Trustworthiness where the k neighbours have any of the ranks 1, ..., n - 1: of all k together.
Moments shuffled_trustworthiness(double n, double k) {
    const double beyond = n - 1.0 - k;
    const double most = 2.0 * k < n ? k * (2.0 * n - 3.0 * k - 1.0) / 2.0 : beyond * (beyond + 1.0) / 2.0;
    if (most <= 0.0) {
        return {1.0, 0.0};
    }
    const double excess = beyond * (beyond + 1.0) / 2.0 / (n - 1.0);
    const double square = beyond * (beyond + 1.0) * (2.0 * beyond + 1.0) / 6.0 / (n - 1.0);
    return {1.0 - k * excess / most, k * (square - excess * excess) / (most * most)};
}

/// Whether `truth` is the most frequent known label among `near`, its share where several are: as in score(). None
/// where all are `unknown`.
std::optional<double> vote_for(std::uint32_t truth, std::span<const Index> near, std::span<const std::uint32_t> labels,
                               const std::optional<std::uint32_t>& unknown) {
    const auto votes = [&](std::uint32_t label) {
        return std::count_if(near.begin(), near.end(), [&](Index one) { return labels[one] == label; });
    };
    const auto own = votes(truth);
    bool known = false;
    bool outvoted = false;
    double as_many = 0.0;  // points of labels that are as frequent
    for (const Index one : near) {
        if (labels[one] != unknown) {
            const auto others = votes(labels[one]);
            known = true;
            outvoted = outvoted || others > own;
            as_many += others == own ? 1.0 : 0.0;
        }
    }
    if (!known) {
        return std::nullopt;
    }
    return outvoted ? 0.0 : static_cast<double>(own) / as_many;
}

/// Labels that are exchanged among the points at random have nothing to do with their neighbours.
class ShuffledLabels {
public:
    ShuffledLabels(const ReportSubject& subject, const Measures& measures, std::uint64_t seed)
        : lists_(measures.neighbors),
          rows_(measures.score.kept.rows),
          votes_(std::min<std::size_t>(lists_.size, static_cast<std::size_t>(measures.score.neighbors))),
          labels_(subject.labels.index),
          unknown_(subject.labels.unknown),
          seed_(seed) {}

    /// The largest accuracy of k-nn votes over all shuffles.
    [[nodiscard]] double largest_accuracy() {
        constexpr std::uint64_t shuffles = 199;
        double largest = 0.0;
        for (std::uint64_t turn = 0; turn < shuffles; ++turn) {
            shuffle(turn);
            largest = std::max(largest, accuracy());
        }
        return largest;
    }

private:
    void shuffle(std::uint64_t turn) {
        // Pairs of points are drawn at indices below 2^34.
        Random random(seed_, RandomStream::AngleDensity, (std::uint64_t{1} << 34) + turn);
        for (auto left = static_cast<std::uint32_t>(labels_.size()); left > 1; --left) {
            std::swap(labels_[left - 1], labels_[random.below(left)]);
        }
    }

    [[nodiscard]] double accuracy() const {
        double right = 0.0;
        std::size_t judged = 0;
        for (const Index row : rows_) {
            if (labels_[row] == unknown_) {
                continue;
            }
            const auto near = std::span(lists_.output.index).subspan(std::size_t{row} * lists_.size, votes_);
            const bool alone = near.front() == no_point;
            const auto told = alone ? std::nullopt : vote_for(labels_[row], near, labels_, unknown_);
            judged += alone || told ? 1 : 0;
            right += told.value_or(0.0);
        }
        return right / static_cast<double>(std::max<std::size_t>(judged, 1));
    }

    const ComparedNeighbors& lists_;
    const std::vector<Index>& rows_;
    std::size_t votes_;
    std::vector<std::uint32_t> labels_;
    std::optional<std::uint32_t> unknown_;
    std::uint64_t seed_;
};

std::optional<Chance::Level> of_labels(const ReportSubject& subject, const Measures& measures, std::uint64_t seed) {
    std::vector<std::size_t> counts(subject.labels.names.size());
    std::size_t known = 0;
    for (const std::uint32_t label : subject.labels.index) {
        if (label != subject.labels.unknown) {
            ++counts.at(label);
            ++known;
        }
    }
    if (known == 0) {
        return std::nullopt;
    }
    const double share =
        static_cast<double>(*std::max_element(counts.begin(), counts.end())) / static_cast<double>(known);
    const double rows = static_cast<double>(measures.score.rank_rows) * static_cast<double>(known) /
                        static_cast<double>(subject.labels.index.size());
    // Shuffles know how rows depend on each other; this is to be better than one who knows the most frequent label
    // alone.
    const double error = std::sqrt(share * (1.0 - share) / rows);
    const double most_frequent = share + standard_errors * error;
    return Chance::Level{share, std::max(most_frequent, ShuffledLabels(subject, measures, seed).largest_accuracy())};
}

}  // namespace

double standard_error(double variance, double count) {
    constexpr double rows_for_an_independent_one = 4.0;
    return std::sqrt(rows_for_an_independent_one * variance / count);
}

Chance chance_of(const ReportSubject& subject, const Measures& measures, std::uint64_t seed) {
    const Score& score = measures.score;
    const double near_degrees = elementary::acos(score.threshold) * 180.0 / std::numbers::pi;
    const auto rows = static_cast<double>(std::max<Index>(score.rank_rows, 1));
    const double others = std::max(1.0, static_cast<double>(subject.inputs.count) - 1.0);
    Chance chance;
    const double kept = score.chance_recall;
    chance.recall = {kept, kept + standard_errors * standard_error(kept * (1.0 - kept), rows * score.neighbors)};
    const Moments trust = shuffled_trustworthiness(others + 1.0, score.neighbors);
    chance.trustworthiness = {trust.mean, trust.mean + standard_errors * standard_error(trust.variance, rows)};
    chance.pair_correlation = {0.0, standard_errors / std::sqrt(others)};
    chance.jaccard = shuffled_jaccard(score, measures.angles, near_degrees);
    if (const auto off = shuffled_deviation(measures.angles, near_degrees)) {
        const auto& pairs = measures.points.pairs;
        const auto known =
            static_cast<double>(std::count_if(pairs.begin(), pairs.end(), [](std::uint64_t one) { return one > 0; }));
        // A pair is counted by both of its points; a few pairs may be of any angle.
        constexpr double fewest = 10.0;
        const double error = standard_error(2.0 * off->variance, std::max(known, 1.0));
        const double limit = std::min(off->mean / 2.0, off->mean - standard_errors * error);
        chance.deviation_degrees = {off->mean, known < fewest ? 0.0 : limit};
    }
    if (!subject.labels.empty()) {
        chance.knn_accuracy = of_labels(subject, measures, seed);
    }
    return chance;
}

}  // namespace isogon
