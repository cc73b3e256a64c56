#pragma once
#include <functional>
#include <span>
#include <vector>

#include "isogon/linalg/wide_vectors.hpp"
#include "linalg/wide_rows.hpp"

namespace isogon {

/// Where reducing X^T X or X X^T to a tridiagonal matrix (4/3 m^3 operations) begins to cost more than products with X.
constexpr Index largest_dense_gram = 1536;

/// The data in the forms that the search reads.
struct SvdData {
    WideRows rows;
    std::function<PointsView()> whole;  ///< all points at once; this is collective
    std::span<const double> center;
};

struct SingularDirections {
    WideVectors vectors;            ///< orthonormal, D x rank
    std::vector<double> squares;    ///< lengths of X v, squared, descending
    std::vector<double> residuals;  ///< |X^T X v - square v| / square
    Index stages = 0;

    void add(const WideVectors& more, const std::vector<double>& values, const std::vector<double>& errors);
};

/// The `rank` longest singular directions, stage after stage: each finds those down to a thousandth of its longest, by
/// X^T X, X X^T or products with X, in what X is without the directions of the stages before. After more than one stage
/// all are measured on X itself and turned against each other by Jacobi's method. truncated_svd() says what it costs.
/// Throws Interruption.
[[nodiscard]] SingularDirections singular_directions(SvdData& data, Index rank, const RunContext& context);

/// A small matrix as vectors side by side.
[[nodiscard]] WideVectors to_wide(const DenseMatrix& matrix);

}  // namespace isogon
