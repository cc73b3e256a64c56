#pragma once
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/wide_vectors.hpp"

namespace isogon {

/// An orthonormal basis, n x (m - 1), of what centred combinations of Q's columns span, for a Q, n x m, with an
/// identity in some of its rows and rows that sum to one: then Q^T Q is at least I, and of all directions only Q 1 = 1
/// is lost with the mean. O(n m^2); the same bits for any number of threads.
[[nodiscard]] WideVectors centred_basis(const WideVectors& q, const RunContext& context);

}  // namespace isogon
