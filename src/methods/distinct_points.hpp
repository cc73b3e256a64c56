#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/distributed/distributed_points.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// Points of which no two are the same.
struct DistinctPoints {
    /// The place of a point that has no direction.
    static constexpr Index nowhere = std::numeric_limits<Index>::max();

    std::vector<Index> rows{};   ///< the first of each, ascending
    std::vector<Index> place{};  ///< for every point, the place in `rows` of the one that it equals, or nowhere
    Index most = 0;              ///< points that are the same, of the point that comes most often
    Index undirected = 0;        ///< points at `nowhere`
};

/// The distinct ones among points, number by number. By a metric of angles those that have the same direction are the
/// same, too (by correlation, those that are a x + b of each other, a > 0), and points without one are nowhere: zero
/// vectors by cosine, rows of equal numbers by correlation, rows without ones by jaccard. Their distance to all others
/// is the same, so that they have no nearest. With labels, as many as points, only points of one label are the same.
/// O(n D) time, 16 bytes a point. The same for any number of threads.
[[nodiscard]] DistinctPoints distinct_points(const PointsView& points, Metric metric = Metric::Euclidean,
                                             std::span<const std::int64_t> labels = {}, const RunContext& context = {});

/// The same of the rows of a sparse matrix, as of points that are its numbers in float32; but by correlation only those
/// that are a x of each other. O(entries) time.
[[nodiscard]] DistinctPoints distinct_points(const CsrMatrix<double>& points, Metric metric,
                                             std::span<const std::int64_t> labels, const RunContext& context);

/// For each point the first that equals it, number by number, among points that ranks may share: by hashes of 64 bits.
/// O(n D) time, 28 bytes a point on each rank. Collective.
[[nodiscard]] std::vector<Index> first_equal_points(const DistributedPoints& points);

}  // namespace isogon
