#pragma once
#include "isogon/core/run_context.hpp"
#include "isogon/core/sparse_matrix.hpp"

namespace isogon {

/// A B, row by row (Gustavson, "Two fast algorithms for sparse matrices", ACM TOMS 1978): an entry for every pair that
/// meets, whatever its sum. O(sum over entries (i, k) of A of the entries in row k of B) time; the same bits for any
/// number of threads. Throws InvalidArgument unless A has as many columns as B has rows; Interruption.
[[nodiscard]] WideSparseMatrix product(const WideSparseMatrix& a, const WideSparseMatrix& b, const RunContext& context);

/// The mean of a square matrix and its transpose: exactly symmetric what rounding has set apart. The pattern must be
/// symmetric.
void symmetrise(WideSparseMatrix& matrix);

/// I - W for a W without a diagonal, as weights of points have none that rebuild themselves. Throws InvalidArgument
/// unless W is square. O(entries).
[[nodiscard]] WideSparseMatrix identity_minus(const WideSparseMatrix& weights);

}  // namespace isogon
