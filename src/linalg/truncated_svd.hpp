#pragma once
#include <functional>
#include <span>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/distributed/distributed_points.hpp"
#include "linalg/dense_matrix.hpp"

namespace isogon {

/// Writes row `row` of a data matrix into as many numbers as it has columns. Called from many threads, and for a row
/// more than once.
using RowLoader = std::function<void(Index row, std::span<float> into)>;

/// The top right singular vectors of a data matrix, whose rows are the points.
struct TruncatedSvd {
    /// Tolerance of `residuals`: float32 rounding, times a factor for sums over many points.
    static constexpr double tolerance = 1e-6;

    std::vector<double> singular_values;  ///< descending; 0 beyond the rank of X
    DenseMatrix directions;               ///< D x rank, orthonormal columns; component of largest magnitude positive
    std::vector<double> residuals;        ///< for each direction v: |X^T X v - s^2 v| / s^2; 0 where s is 0
    std::vector<double> center;           ///< vector that was subtracted from every point; empty if none
    double total_squares = 0.0;           ///< sum of all squared singular values: |X|_F^2

    /// How many directions did not reach the tolerance.
    [[nodiscard]] std::size_t unresolved() const;
};

/// Top `rank` singular values and right singular vectors of X, or of X about its mean, without an n x n matrix for
/// large n. All sums are in float64, where the products of float32 numbers are exact. Small singular values beside
/// large ones are as accurate as those of a float64 SVD: eigenvalues of X^T X resolve singular values down to a
/// thousandth of the largest. Smaller ones are computed in further stages from X without the directions found, and
/// finally all are measured on X and rotated against each other by Jacobi's method.
/// With m = min(n, D) up to 1,536: by the m x m matrix X^T X or X X^T, n D m operations and 4/3 m^3 for its
/// eigenvectors. Above: by a block Lanczos method on v -> X^T (X v), 200 n D operations a product, about 10 to 300 of
/// them; `residuals` tell whether that was enough. Throws InvalidArgument unless 1 <= rank <= D, and Interruption.
/// Tried and rejected: float32 products with float64 sums (wrong by percents from s_0 / s_k = 3,500 on), and a float64
/// product without a second stage (the same from 10^7 on; half the digits of float32 at 10^5).
[[nodiscard]] TruncatedSvd truncated_svd(const PointsView& x, Index rank, bool centered, const RunContext& context);

/// The same, uncentred, of rows that are computed on request: the same bits as for these rows as points. If D is at
/// most 1,536 and n at least D, some thousand rows are stored at a time, else all.
[[nodiscard]] TruncatedSvd truncated_svd(Index count, Index dimension, const RowLoader& load, Index rank,
                                         const RunContext& context);

/// The same, uncentred, of distributed points, on every rank: the same bits as for all of them on one rank. Every rank
/// gathers all points, in batches, for each product; with n below D and at most 1,536 all are stored. Collective.
[[nodiscard]] TruncatedSvd truncated_svd(const DistributedPoints& x, Index rank, const RunContext& context);

/// The same of a sparse matrix, which stays sparse: by the block Lanczos method whatever its size, the mean subtracted
/// from products alone. 200 operations an entry a product; above 1,536 rows and columns at most 60 products, and none
/// that would raise what the directions keep by less than a thousandth. Memory: sparse_svd_bytes().
[[nodiscard]] TruncatedSvd truncated_svd(const CsrMatrix<double>& x, Index rank, bool centered,
                                         const RunContext& context);
[[nodiscard]] std::uint64_t sparse_svd_bytes(const CsrMatrix<double>& x, Index rank);

/// Bytes that truncated_svd takes at its largest, beside the points.
[[nodiscard]] std::uint64_t truncated_svd_bytes(Index count, Index dimension, Index rank);

/// Coordinates of the points along the directions: (x - center) . direction_a, n x rank, summed in float64, so that
/// small coordinates of long points keep their digits.
[[nodiscard]] Points project(const PointsView& x, const TruncatedSvd& svd, const RunContext& context);

/// The same of a sparse matrix.
[[nodiscard]] Points project(const CsrMatrix<double>& x, const TruncatedSvd& svd, const RunContext& context);

/// The same of distributed points, on every rank. Collective.
[[nodiscard]] Points project(const DistributedPoints& x, const TruncatedSvd& svd, const RunContext& context);

}  // namespace isogon
