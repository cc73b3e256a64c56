#pragma once
#include <span>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/dense_matrix.hpp"
#include "isogon/linalg/multi_vector.hpp"

namespace isogon {

/// The mean of the points. O(n D), in float64.
[[nodiscard]] std::vector<double> mean_of(const PointsView& points, const RunContext& context);

/// X_c^T Y for points about `center` (D) and y (n x d): D x d, float64. 2 n D d operations.
[[nodiscard]] DenseMatrix product_with_points(const PointsView& points, std::span<const double> center,
                                              const MultiVector<double>& y, const RunContext& context);

/// The result of move_by_gram().
struct GramStep {
    DenseMatrix across;          ///< X_c^T Y of the moved y
    double squared_force = 0.0;  ///< |X_c across - Y gram|_F^2 of what y was
};

/// y += rate (X_c across - Y gram), row by row. 4 n D d operations, at most 64 partial sums of D d numbers; the same
/// bits for any number of threads.
[[nodiscard]] GramStep move_by_gram(const PointsView& points, std::span<const double> center, const DenseMatrix& across,
                                    const DenseMatrix& gram, double rate, MultiVector<double>& y,
                                    const RunContext& context);

/// Rows of one partial sum.
[[nodiscard]] std::size_t rows_of_gram_block(Index points);

}  // namespace isogon
