#pragma once
#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// A B, row by row (Gustavson, "Two fast algorithms for sparse matrices", ACM TOMS 1978): an entry for every pair that
/// meets, whatever its sum. O(sum over entries (i, k) of A of the entries in row k of B) time; the same bits for any
/// number of threads. Throws InvalidArgument unless A has as many columns as B has rows; Interruption.
[[nodiscard]] CsrMatrix<double> product(const CsrMatrix<double>& a, const CsrMatrix<double>& b,
                                        const RunContext& context);

/// The mean of a square matrix and its transpose: exactly symmetric what rounding has set apart. The pattern must be
/// symmetric.
void symmetrise(CsrMatrix<double>& matrix);

/// I - W for a W without a diagonal, as weights of points have none that rebuild themselves. Throws InvalidArgument
/// unless W is square. O(entries).
[[nodiscard]] CsrMatrix<double> identity_minus(const CsrMatrix<double>& weights);

}  // namespace isogon
