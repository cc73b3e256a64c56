#pragma once
#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// How far mixtures of landmarks are from their points: the root mean square of |x_i - sum_l z_il x_l|, for weights Z
/// with a row for each of at least one point and a column for each landmark. In float64, O(n k D) time; the same bits
/// on any number of threads. Throws Interruption.
[[nodiscard]] double mixture_error(const PointsView& x, const PointsView& landmarks, const CsrMatrix<double>& z,
                                   const RunContext& context = {});

}  // namespace isogon
