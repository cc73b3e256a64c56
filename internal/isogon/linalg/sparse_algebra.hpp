#pragma once
#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// A B, row by row (Gustavson, "Two fast algorithms for sparse matrices", ACM TOMS 1978). The pattern is structural:
/// an entry may be zero by cancellation. O(sum over entries (i, k) of A of the entries in row k of B) time; the same
/// bits for any number of threads. Throws InvalidArgument unless A has as many columns as B has rows; Interruption.
[[nodiscard]] CsrMatrix<double> product(const CsrMatrix<double>& a, const CsrMatrix<double>& b,
                                        const RunContext& context);

/// Replaces a square matrix by the mean of it and its transpose, which removes asymmetry by rounding. The pattern must
/// be symmetric.
void symmetrise(CsrMatrix<double>& matrix);

/// I - W for a W without diagonal entries, such as reconstruction weights. Throws InvalidArgument unless W is square.
/// O(entries).
[[nodiscard]] CsrMatrix<double> identity_minus(const CsrMatrix<double>& weights);

/// A + shift B, or A + shift I where `b` is null. O(entries).
[[nodiscard]] CsrMatrix<double> shifted(const CsrMatrix<double>& a, const CsrMatrix<double>* b, double shift);

}  // namespace isogon
