#pragma once
#include <cstdint>

#include "isogon/core/run_context.hpp"
#include "isogon/linalg/multi_vector.hpp"

namespace isogon {

/// Initial H of a factorisation X ~ W H, transposed (D x d), with rows of unit length and no negative entry.

/// From the singular directions v_k of X, as NNDSVD (Boutsidis and Gallopoulos 2008): the positive or the negative
/// part of v_k, whichever carries more of X v_k v_k^T. Directions along which X is rounding noise are replaced by
/// random rows. Time of truncated_svd and n D d; memory of truncated_svd and n x d floats.
[[nodiscard]] MultiVector<float> nonnegative_svd_start(const PointsView& x, Index rank, std::uint64_t seed,
                                                       const RunContext& context);

/// Uniform random entries. O(D d) time.
[[nodiscard]] MultiVector<float> nonnegative_random_start(Index dimension, Index rank, std::uint64_t seed);

/// Bytes that nonnegative_svd_start takes.
[[nodiscard]] std::uint64_t nonnegative_svd_start_bytes(Index count, Index dimension, Index rank);

}  // namespace isogon
