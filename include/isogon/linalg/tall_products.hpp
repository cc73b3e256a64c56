#pragma once
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/block_vectors.hpp"
#include "isogon/linalg/dense_matrix.hpp"

namespace isogon {

/// A^T B of two blocks with the same rows: float32 products, summed in float64 over blocks of 512 rows.
/// O(n a b) time.
[[nodiscard]] DenseMatrix gram(const BlockVectors& a, const BlockVectors& b, const RunContext& context);

/// A C: n x a times a x c, the small factor rounded to float32.
[[nodiscard]] BlockVectors multiply(const BlockVectors& a, const DenseMatrix& c, const RunContext& context);

/// A C + B D.
[[nodiscard]] BlockVectors multiply_add(const BlockVectors& a, const DenseMatrix& c, const BlockVectors& b,
                                        const DenseMatrix& d, const RunContext& context);

}  // namespace isogon
