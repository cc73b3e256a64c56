#pragma once
#include <vector>

#include "isogon/core/divided_points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/dense_matrix.hpp"
#include "isogon/linalg/tall_products.hpp"

namespace isogon {

/// The top right singular vectors of a data matrix, whose rows are the points.
struct TruncatedSvd {
    std::vector<double> singular_values;  ///< descending
    DenseMatrix directions;               ///< D x rank, orthonormal columns; component of largest magnitude positive
    std::vector<double> center;           ///< what was subtracted from every point; empty if nothing
    double total_squares = 0.0;           ///< sum of all squared singular values: |X|_F^2
};

/// Top `rank` eigenvectors of X^T X, or of the centred covariance's (n - 1)-fold, without anything n x n.
/// Up to D = 1,536 by the D x D product, exactly (O(n D^2 / 2 + D^3) time, O(D^2) memory); above, by the block
/// eigensolver on v -> X^T (X v) (O(n D) a product). Throws InvalidArgument unless 1 <= rank <= D.
[[nodiscard]] TruncatedSvd truncated_svd(const PointsView& x, Index rank, bool centered, const RunContext& context);

/// The same, uncentred, of rows that are made when they are asked for (linalg/tall_products.hpp): the same bits as of
/// these rows as points. Up to D = 1,536 few of them are held at a time, above all.
[[nodiscard]] TruncatedSvd truncated_svd(Index count, Index dimension, const RowLoader& load, Index rank,
                                         const RunContext& context);

/// The same, uncentred, of points that ranks divide, on every rank: the same bits as of all of them in one place. They
/// pass by every rank, some at a time, above D = 1,536 for each product. Ranks meet.
[[nodiscard]] TruncatedSvd truncated_svd(const DividedPoints& x, Index rank, const RunContext& context);

/// Bytes that truncated_svd takes at its largest.
[[nodiscard]] std::uint64_t truncated_svd_bytes(Index dimension, Index rank);

/// Coordinates of the points along the directions: (x - center) . direction_a, n x rank.
[[nodiscard]] Points project(const PointsView& x, const TruncatedSvd& svd, const RunContext& context);

/// The same of points that ranks divide, on every rank. Ranks meet.
[[nodiscard]] Points project(const DividedPoints& x, const TruncatedSvd& svd, const RunContext& context);

}  // namespace isogon
