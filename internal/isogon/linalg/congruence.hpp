#pragma once
#include <cstddef>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// Z^T A Z for a symmetric A: the reduction of a problem of all points to landmarks of which they are mixtures
/// (Vladymyrov and Carreira-Perpinan 2013, eq. 8). Exactly symmetric. If nearly all pairs of columns of Z have a
/// common row, rows of A Z and the result are stored densely, and only one half of A is multiplied: O(entries of A
/// times entries of a row of Z / 2 + entries of Z times columns), the latter vectorised; memory 8 columns^2 bytes, at
/// most most_dense_bytes, and some rows. Otherwise two sparse products (linalg/sparse_algebra.hpp). The same bits for
/// any number of threads. Throws InvalidArgument unless A is square with as many rows as Z; Interruption.
[[nodiscard]] CsrMatrix<double> congruence(const CsrMatrix<double>& a, const CsrMatrix<double>& z,
                                           const RunContext& context);

/// The same for a diagonal A, given by its diagonal; empty: the identity. O(entries of Z times entries of a row of it
/// / 2) if stored densely.
[[nodiscard]] CsrMatrix<double> congruence(const std::vector<double>& diagonal, const CsrMatrix<double>& z,
                                           const RunContext& context);

/// Whether congruence() stores its result densely.
[[nodiscard]] bool congruence_is_dense(const CsrMatrix<double>& a, const CsrMatrix<double>& z);

constexpr std::size_t most_dense_bytes = std::size_t{256} << 20U;

}  // namespace isogon
