#pragma once
#include <cstddef>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// Z^T A Z for a symmetric A: what is left of a problem of all points where these are mixtures of few (Vladymyrov and
/// Carreira-Perpinan 2013, eq. 8). Exactly symmetric. Where nearly all pairs of columns of Z meet, rows of A Z and the
/// result are held densely, and only one half of A is multiplied: O(entries of A times entries of a row of Z / 2 +
/// entries of Z times columns), the latter in vector units; memory 8 columns^2 bytes, at most most_dense_bytes, and
/// some rows beside. Elsewhere two sparse products (linalg/sparse_algebra.hpp). The same bits for any number of
/// threads. Throws InvalidArgument unless A is square with as many rows as Z; Interruption.
[[nodiscard]] CsrMatrix<double> congruence(const CsrMatrix<double>& a, const CsrMatrix<double>& z,
                                           const RunContext& context);

/// The same for a diagonal A, given by its diagonal, or the identity where that is empty. O(entries of Z times entries
/// of a row of it / 2) where it is held densely.
[[nodiscard]] CsrMatrix<double> congruence(const std::vector<double>& diagonal, const CsrMatrix<double>& z,
                                           const RunContext& context);

/// Whether congruence() would hold its result densely.
[[nodiscard]] bool congruence_is_dense(const CsrMatrix<double>& a, const CsrMatrix<double>& z);

constexpr std::size_t most_dense_bytes = std::size_t{256} << 20U;

}  // namespace isogon
