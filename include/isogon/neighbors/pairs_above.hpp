#pragma once
#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// All pairs i < j with cos(x_i, x_j) above `cosine`, and their cosines: the upper half of a symmetric matrix, by row
/// and ascending column. A zero vector is in no pair. Cosines are rounded as float32 products are, to about 1e-6.
/// Throws InvalidArgument unless 0 < cosine < 1, InputError (NaN), LimitExceeded by an estimate from 1,000 rows. n^2 D
/// / 2 multiplications; n D floats, and 8 to 20 bytes a pair.
[[nodiscard]] CsrMatrix<float> pairs_above(const PointsView& points, double cosine, const RunContext& context = {});

}  // namespace isogon
