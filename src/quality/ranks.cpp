#include "quality/ranks.hpp"

#include <optional>
#include <vector>

#include "quality/nearness.hpp"
#include "quality/tied_ranks.hpp"

namespace isogon {

namespace {

/// The measures of one row.
struct RowRanks {
    NeighborOverlap overlap{};
    bool in_order = false;
    double by_chance = 0.0;
    double false_excess = 0.0;
    double lost_excess = 0.0;
    std::optional<double> right{};  ///< share of votes that are right; none where nothing is known
    std::optional<double> right_inputs{};
};

/// The mean of those that there are.
class KnownMean {
public:
    void add(const std::optional<double>& value) {
        sum_ += value.value_or(0.0);
        count_ += value ? 1.0 : 0.0;
    }
    [[nodiscard]] std::optional<double> mean() const {
        return count_ == 0.0 ? std::nullopt : std::optional(sum_ / count_);
    }

private:
    double sum_ = 0.0;
    double count_ = 0.0;
};

class RankComparison {
public:
    RankComparison(const RankProblem& problem, const RunContext& context) : problem_(problem), context_(context) {}

    [[nodiscard]] RankScore run() {
        const NearnessSpace x(problem_.x, problem_.x_lengths, problem_.metrics.input, problem_.rows, context_);
        const NearnessSpace y(problem_.y, problem_.y_lengths, problem_.metrics.output, problem_.rows, context_);
        std::vector<const NearnessSpace*> spaces{&x, &y};
        std::optional<NearnessSpace> lifted;
        if (!problem_.lifted.empty()) {
            spaces.push_back(&lifted.emplace(problem_.lifted, problem_.rows, context_));
        }
        std::vector<RowRanks> rows(problem_.rows.size());
        for_each_row(spaces, context_, [&](Index row, std::span<std::vector<double>> keys) {
            rows[row] = compare(x.origin(row), problem_.rows[row], keys);
        });
        return total(rows);
    }

private:
    [[nodiscard]] RowRanks compare(const KeyOrigin& origin, Index point, std::span<std::vector<double>> keys) const {
        RowRanks ranks;
        const Index k = problem_.neighbors;
        const NearestSet x = nearest_inputs(origin, k, keys[0]);
        const NearestSet y = nearest_outputs(keys[1], k);
        const ComparedRow row{keys[0], keys[1], x, y};
        ranks.false_excess = false_excess(row);
        ranks.lost_excess = lost_excess(row);
        ranks.by_chance = kept_by_chance(x, problem_.x.count - 1);
        if (!problem_.labels.empty()) {
            ranks.right = vote_for(problem_.labels[point], y, problem_.labels);
            ranks.right_inputs = vote_for(problem_.labels[point], x, problem_.labels);
        }
        const NearestSet found = keys.size() > 2 ? nearest_outputs(keys[2], k) : y;
        const ComparedRow searched{keys[0], keys.back(), x, found};
        ranks.overlap = overlap_of(searched);
        ranks.in_order = are_in_order(searched, origin.half_row);
        return ranks;
    }

    /// Zero vectors have no direction, so no neighbours by cosine that could be kept.
    [[nodiscard]] bool has_neighbors(Index point) const {
        return problem_.metrics.input == Nearness::Euclidean || problem_.x_lengths[point] > 0.0;
    }

    [[nodiscard]] RankScore total(const std::vector<RowRanks>& rows) const {
        RankScore score;
        RowRanks sum;
        KnownMean right;
        KnownMean right_inputs;
        KeptCount kept(problem_.neighbors);
        for (std::size_t r = 0; r < rows.size(); ++r) {
            sum.false_excess += rows[r].false_excess;
            sum.lost_excess += rows[r].lost_excess;
            right.add(rows[r].right);
            right_inputs.add(rows[r].right_inputs);
            if (has_neighbors(problem_.rows[r])) {
                kept.add(problem_.rows[r], rows[r].overlap, rows[r].in_order);
                sum.by_chance += rows[r].by_chance;
            }
        }
        score.kept = kept.finish();
        const auto count = static_cast<double>(rows.size());
        const auto looked_at = static_cast<double>(score.kept.rows.size());
        score.chance = looked_at > 0.0 ? sum.by_chance / (looked_at * problem_.neighbors) : 1.0;
        score.trustworthiness = one_less(sum.false_excess, count);
        score.continuity = one_less(sum.lost_excess, count);
        score.knn_accuracy = right.mean();
        score.knn_accuracy_inputs = right_inputs.mean();
        return score;
    }

    [[nodiscard]] double one_less(double excess, double rows) const {
        const double most = largest_rank_excess(problem_.x.count, problem_.neighbors) * rows;
        return excess == 0.0 ? 1.0 : 1.0 - excess / most;
    }

    const RankProblem& problem_;
    const RunContext& context_;
};

}  // namespace

double largest_rank_excess(Index count, Index neighbors) {
    const double n = count;
    const double k = neighbors;
    return 2.0 * k < n ? k * (2.0 * n - 3.0 * k - 1.0) / 2.0 : (n - k) * (n - k - 1.0) / 2.0;
}

RankScore compare_ranks(const RankProblem& problem, const RunContext& context) {
    return RankComparison(problem, context).run();
}

std::uint64_t rank_bytes(const RankProblem& problem, const RunContext& context) {
    const auto rows = static_cast<Index>(problem.rows.size());
    const auto space = [&](const PointsView& points) {
        return NearnessSpace::bytes(points.count, points.dimension, rows, context.thread_count());
    };
    // A row that ties everywhere needs the sets of both sides, its sorted keys and its votes.
    const std::uint64_t of_a_thread = std::uint64_t{problem.x.count} * 64;
    return space(problem.x) + space(problem.y) + space(problem.lifted) +
           of_a_thread * static_cast<std::uint64_t>(context.thread_count()) +
           std::uint64_t{rows} * (sizeof(RowRanks) + 3 * sizeof(Index) + sizeof(float));
}

}  // namespace isogon
