#include "quality/ranks.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "quality/nearness.hpp"

namespace isogon {

namespace {

std::uint64_t sum(const std::vector<std::uint64_t>& values) {
    return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

class RankComparison {
public:
    RankComparison(const RankProblem& problem, const RunContext& context)
        : problem_(problem), context_(context), rows_(static_cast<Index>(problem.rows.size())) {}

    [[nodiscard]] RankScore run() {
        RankScore score;
        NearRows near_x(rows_, problem_.neighbors);
        NearRows near_y(rows_, problem_.neighbors);
        compare_by_nearness(score, near_x, near_y);
        if (!problem_.lifted.empty()) {
            near_y = nearest(NearnessSpace(problem_.lifted, problem_.rows, context_));
        }
        score.kept = kept(near_x, near_y);
        return score;
    }

private:
    void compare_by_nearness(RankScore& score, NearRows& near_x, NearRows& near_y) const {
        const NearnessSpace y(problem_.y, problem_.y_lengths, problem_.metrics.output, problem_.rows, context_);
        near_y = nearest(y);
        score.trustworthiness = one_less(
            excess({problem_.x, problem_.x_lengths, problem_.metrics.input, problem_.rows, context_}, near_y, near_x));
        // A second visit of y: it needs the neighbours in x, which the visit of x returns.
        score.continuity = one_less(excess(y, near_x, near_y));
        if (!problem_.labels.empty()) {
            score.knn_accuracy = accuracy(near_y);
            score.knn_accuracy_inputs = accuracy(near_x);
        }
    }

    [[nodiscard]] NearRows nearest(const NearnessSpace& space) const {
        NearRows lists(rows_, problem_.neighbors);
        space.for_each_row(context_, [&](Index row, std::span<const double> keys) { find_nearest(keys, lists[row]); });
        return lists;
    }

    /// Finds the neighbours in this space and returns what those of the other space exceed their ranks by.
    [[nodiscard]] std::uint64_t excess(const NearnessSpace& space, const NearRows& others, NearRows& lists) const {
        std::vector<std::uint64_t> excess_of_row(rows_);
        space.for_each_row(context_, [&](Index row, std::span<const double> keys) {
            find_nearest(keys, lists[row]);
            excess_of_row[row] = rank_excess(keys, lists[row], others[row]);
        });
        return sum(excess_of_row);
    }

    [[nodiscard]] double one_less(std::uint64_t excess) const {
        const double most = largest_rank_excess(problem_.x.count, problem_.neighbors) * rows_;
        return excess == 0 ? 1.0 : 1.0 - static_cast<double>(excess) / most;
    }

    /// Zero vectors have no direction, so no neighbours by cosine that could be kept: among so many equally near ones
    /// those of the smallest numbers would be, in x and y alike.
    [[nodiscard]] KeptNeighbors kept(NearRows& near_x, NearRows& near_y) const {
        std::vector<Index> directed;
        for (Index row = 0; row < rows_; ++row) {
            if (problem_.metrics.input == Nearness::Euclidean || problem_.x_lengths[problem_.rows[row]] > 0.0) {
                const auto place = static_cast<Index>(directed.size());
                std::copy(near_x[row].begin(), near_x[row].end(), near_x[place].begin());
                std::copy(near_y[row].begin(), near_y[row].end(), near_y[place].begin());
                directed.push_back(problem_.rows[row]);
            }
        }
        return compare_neighbors(std::move(directed), problem_.neighbors, near_x.values, near_y.values);
    }

    [[nodiscard]] double accuracy(const NearRows& near) const {
        Index right = 0;
        for (Index row = 0; row < rows_; ++row) {
            const std::int64_t truth = problem_.labels[problem_.rows[row]];
            right += majority_label(near[row], problem_.labels) == truth ? 1U : 0U;
        }
        return static_cast<double>(right) / rows_;
    }

    const RankProblem& problem_;
    const RunContext& context_;
    Index rows_;
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
    // Two lists, and the one in construction.
    const std::uint64_t lists = 3 * std::uint64_t{rows} * problem.neighbors * sizeof(Index);
    return space(problem.x) + space(problem.y) + space(problem.lifted) + lists +
           std::uint64_t{rows} * (sizeof(std::uint64_t) + sizeof(Index) + sizeof(float));
}

}  // namespace isogon
