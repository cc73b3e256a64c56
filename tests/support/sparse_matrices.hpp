#pragma once
#include "isogon/core/csr_matrix.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::support {

/// The entries of a dense matrix that are not zero.
CsrMatrix<float> to_sparse(const Matrix& dense);

/// A random matrix of which about `share` of the entries are not zero.
Matrix random_sparse(Index rows, Index columns, double share, std::uint64_t seed);

}  // namespace isogon::support
