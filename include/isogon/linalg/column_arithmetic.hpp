#pragma once
#include <span>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "isogon/linalg/block_vectors.hpp"

namespace isogon {

/// Blocks of tall vectors as vectors side by side, each with its own numbers. Shapes must agree. Sums in float64 over
/// blocks of rows in order: the same bits for any number of threads. O(n k) each.

/// sum_i a_ik b_ik for every column k
[[nodiscard]] std::vector<double> column_dots(const BlockVectors& a, const BlockVectors& b, const RunContext& context);

/// b_ik += factor_k a_ik
void add_scaled_columns(std::span<const double> factors, const BlockVectors& a, BlockVectors& b,
                        const RunContext& context);

/// b_ik = a_ik + factor_k b_ik
void scale_columns_and_add(std::span<const double> factors, const BlockVectors& a, BlockVectors& b,
                           const RunContext& context);

}  // namespace isogon
