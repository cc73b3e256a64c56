#pragma once
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/wide_vectors.hpp"

namespace isogon {

/// Sums over all pairs with the Cauchy kernel k = 1 / (1 + |y_i - y_j|^2): row i of `pushes` becomes sum_j k_ij^(power
/// + 1) (y_i - y_j), the return value is sum_{i != j} k_ij^power; -4 power pushes_i is its gradient by y_i. `power` is
/// 1 or 2. n^2 (2 d + 3) multiplications and n^2 divisions, no memory; the same bits for any number of threads. Throws
/// Interruption.
[[nodiscard]] double sum_over_pairs(const WideVectors& y, int power, WideVectors& pushes, const RunContext& context);

}  // namespace isogon
