#pragma once
#include <functional>
#include <span>
#include <vector>

#include "isogon/linalg/multi_vector.hpp"
#include "linalg/streamed_matrix.hpp"

namespace isogon {

/// Above this size, tridiagonalisation of X^T X or X X^T (4/3 m^3 operations) costs more than products with X.
constexpr Index largest_dense_gram = 1536;

/// The data in the forms that the stages read.
struct SvdData {
    StreamedMatrix rows;
    std::function<PointsView()> whole;  ///< all points at once; this is collective
    std::span<const double> center;
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

/// A DenseMatrix as MultiVector<double>.
[[nodiscard]] MultiVector<double> to_multi_vector(const DenseMatrix& matrix);

}  // namespace isogon
