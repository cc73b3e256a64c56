#pragma once
#include <functional>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "distributed/rank_group.hpp"
#include "linalg/dense_matrix.hpp"
#include "linalg/multi_vector.hpp"
#include "linalg/packed_points.hpp"
#include "linalg/truncated_svd.hpp"

// The steps of truncated_svd(): products with a matrix whose rows are computed on request, and its largest singular
// directions in stages.
namespace isogon {

/// A tall matrix in float64, given by its rows, which are computed on request. Products of float32 data are exact in
/// float64; only their sums are rounded.
struct StreamedMatrix {
    Index count = 0;  ///< rows
    Index width = 0;  ///< columns
    /// Prepares adjacent rows for load(); empty if nothing is to prepare. Collective.
    std::function<void(Range rows)> fetch{};
    /// Writes adjacent rows, one after the other. Called from many threads.
    std::function<void(Range rows, double* into)> load{};
    RankGroup ranks{};  ///< share the tiles of gram()
};

/// Points about `center` (empty: none). Both must outlive what is returned.
[[nodiscard]] StreamedMatrix rows_of(const PointsView& x, std::span<const double> center);

/// Distributed points: every rank gathers each block of rows.
[[nodiscard]] StreamedMatrix rows_of(const DistributedPoints& x);

/// Rows by a function.
[[nodiscard]] StreamedMatrix rows_of(Index count, Index dimension, const RowLoader& load);

/// The transpose of rows_of(x, center).
[[nodiscard]] StreamedMatrix columns_of(const PointsView& x, std::span<const double> center);

/// A - (A Q) Q^T, for orthonormal columns Q. Q must outlive what is returned.
[[nodiscard]] StreamedMatrix without_directions(StreamedMatrix a, const MultiVector<double>& q);

/// A - B C^T. B and C must outlive what is returned.
[[nodiscard]] StreamedMatrix without_product(StreamedMatrix a, const MultiVector<double>& b,
                                             const MultiVector<double>& c);

/// A^T A: n w^2 operations in float64, memory w^2 and some thousand rows. Each rank computes some of the tiles, and all
/// ranks receive all, with the same bits. Throws Interruption.
[[nodiscard]] DenseMatrix gram(const StreamedMatrix& a, const RunContext& context);

struct NormalProduct {
    MultiVector<double> product;  ///< A^T A V
    DenseMatrix squares;  ///< (A V)^T A V: the error of entry (j, k) is rounding of |A v_j| |A v_k|, not of |A|^2
};

/// One pass over the rows: 4 n w v operations in float64. Throws Interruption.
[[nodiscard]] NormalProduct normal_product(const StreamedMatrix& a, const MultiVector<double>& v,
                                           const RunContext& context);

/// A^T U: 2 n w u operations in float64. Throws Interruption.
[[nodiscard]] MultiVector<double> transposed_product(const StreamedMatrix& a, const MultiVector<double>& u,
                                                     const RunContext& context);

/// Calls take(row number, its v numbers) for the rows of A V, from many threads.
void visit_product(const StreamedMatrix& a, const MultiVector<double>& v,
                   const std::function<void(Index row, const double* y)>& take, const RunContext& context);

/// Bytes of these functions beside their results, with as many threads as the machine has, for vectors `columns` wide.
[[nodiscard]] std::uint64_t streamed_matrix_bytes(Index count, Index width, Index columns);

/// Above this size, tridiagonalisation of X^T X or X X^T (4/3 m^3 operations) costs more than products with X.
constexpr Index largest_dense_gram = 1536;

/// The data in the forms that the stages read.
struct SvdData {
    StreamedMatrix rows;
    std::function<PointsView()> whole;  ///< all points at once; this is collective
    std::span<const double> center;
    /// A^T A V and, where `squares` is given, (A V)^T A V, for data that are multiplied otherwise than row by row: of
    /// `rows` then the sizes alone are needed. Empty: normal_product(rows, V).
    std::function<MultiVector<double>(const MultiVector<double>& v, DenseMatrix* squares)> product{};
    int most_products = 300;  ///< with blocks of 48 vectors
    double least_gain = 0.0;  ///< as in LanczosOptions
};

struct SingularDirections {
    MultiVector<double> vectors;    ///< orthonormal, D x rank
    std::vector<double> squares;    ///< lengths of X v, squared, descending
    std::vector<double> residuals;  ///< |X^T X v - square v| / square
    Index stages = 0;

    void add(const MultiVector<double>& more, const std::vector<double>& values, const std::vector<double>& errors);
};

/// The `rank` largest singular directions, in stages. Each finds those down to a thousandth of its largest singular
/// value, by X^T X, X X^T or products with X, with X restricted to the complement of the directions before. After more
/// than one stage all are measured on X itself and rotated against each other by Jacobi's method. Costs:
/// truncated_svd(). Throws Interruption.
[[nodiscard]] SingularDirections singular_directions(SvdData& data, Index rank, const RunContext& context);

}  // namespace isogon
