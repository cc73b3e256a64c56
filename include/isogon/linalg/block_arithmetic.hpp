#pragma once
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/block_vectors.hpp"

namespace isogon {

/// Blocks of tall vectors as elements of one vector space. Shapes must agree. Sums in float64 over blocks of rows in
/// order: the same bits for any number of threads. O(n k) each.

/// sum_ik a_ik b_ik
[[nodiscard]] double dot(const BlockVectors& a, const BlockVectors& b, const RunContext& context);

/// b += factor a
void add_scaled(double factor, const BlockVectors& a, BlockVectors& b, const RunContext& context);

/// a *= factor
void scale(double factor, BlockVectors& a, const RunContext& context);

}  // namespace isogon
