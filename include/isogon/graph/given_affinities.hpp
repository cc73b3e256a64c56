#pragma once
#include <string>

#include "isogon/core/csr_matrix.hpp"

namespace isogon {

/// For weights of edges from outside, by which a layout is to be pulled. Throws InputError that names `source` and the
/// first entry that is wrong, rows and columns counted from 0, unless there is a row and a column for each of `points`
/// points, no weight is below 0 or above 1e100 and the heaviest at least 1e-100, none stands on the diagonal (nothing
/// pulls at itself), every entry (i, j) has its like at (j, i) bit for bit, as P + P^T has, and every point has a
/// weight above 0: what nothing holds is pushed out of sight. InvalidArgument for what is no sparse matrix, and for NaN
/// and infinity. O(entries), 8 bytes a point.
void require_affinities(const CsrMatrix<double>& weights, Index points, const std::string& source);

/// The weights divided by their sum, in float32: what joint_probabilities() would have been, had it been asked. A sum
/// that is 1 to six digits is left as it is: what was kept comes back bit for bit.
[[nodiscard]] CsrMatrix<float> shares_of(const CsrMatrix<double>& weights);

}  // namespace isogon
