#pragma once
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/multi_vector.hpp"
#include "isogon/linalg/panel_cholesky.hpp"

namespace isogon {

/// out = A in for a symmetric A of which the lower triangle is given; float32 entries, float64 sums. The triangle is
/// read twice, once by rows and once by columns, so that every task writes rows of its own.
void multiply_symmetric(const PanelMatrix& lower, const MultiVector<double>& in, MultiVector<double>& out,
                        const RunContext& context);

}  // namespace isogon
