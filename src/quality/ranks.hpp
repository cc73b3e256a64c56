#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/quality/score.hpp"
#include "neighbors/kept_neighbors.hpp"

namespace isogon {

/// The input of compare_ranks(): two sets of points of one count, their lengths as norms() gives them, the class
/// numbers of the points or none, and the points that count, ascending.
struct RankProblem {
    PointsView x;
    PointsView y;
    std::span<const double> x_lengths;
    std::span<const double> y_lengths;
    std::span<const std::int64_t> labels;
    std::span<const Index> rows;
    Index neighbors = 10;  ///< k, below the number of points
    SideMetrics metrics{};
    PointsView lifted{};  ///< lifted y, where recall finds neighbours by inner product
};

struct RankScore {
    KeptNeighbors kept;   ///< recall: mean over the rows that have neighbours
    double chance = 0.0;  ///< the same for a y with all points at one place
    double trustworthiness = 0.0;
    double continuity = 0.0;
    std::optional<double> knn_accuracy;         ///< in y
    std::optional<double> knn_accuracy_inputs;  ///< in x
};

/// The largest sum of max(0, rank - k) over k neighbours that a row can have among `count` points: with it Venna and
/// Kaski (2001) normalise trustworthiness and continuity for any k below `count`. For k < count / 2 it is
/// k (2 count - 3 k - 1) / 2, as in scikit-learn, which refuses the other k; 0 when all other points are neighbours.
[[nodiscard]] double largest_rank_excess(Index count, Index neighbors);

/// Neighbours kept (by cosine over the rows that are not zero in x, 1 without any), trustworthiness, continuity and
/// leave-one-out k-nn accuracy over the rows, as quality/tied_ranks.hpp counts; sums in the order of rows: the same
/// bits for any number of threads. Throws Interruption. O(rows n (D + d)) time; where many points tie, O(rows n log(n))
/// more.
[[nodiscard]] RankScore compare_ranks(const RankProblem& problem, const RunContext& context);

/// Bytes of compare_ranks.
[[nodiscard]] std::uint64_t rank_bytes(const RankProblem& problem, const RunContext& context);

}  // namespace isogon
