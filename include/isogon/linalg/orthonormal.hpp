#pragma once
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/block_vectors.hpp"
#include "isogon/linalg/dense_matrix.hpp"

namespace isogon {

/// An orthonormal basis of the columns of W, and the factor with W = basis * factor (up to what was dropped).
struct Orthonormal {
    BlockVectors basis;
    DenseMatrix factor;
};

/// Orthonormalises through the eigenvectors of W^T W (in float64), twice, and more often where W is badly conditioned,
/// so that the basis is orthonormal to float32 rounding. Directions of W shorter than `smallest` times its longest are
/// dropped; those below some 3e-4 of the longest may be, for float32 products do not tell them from noise. The basis
/// has at least one column unless W is zero. O(n w^2) time.
[[nodiscard]] Orthonormal orthonormalize(const BlockVectors& w, const RunContext& context, double smallest = 1e-6);

/// W - Q (Q^T W), done twice; `coefficients` receives Q^T W.
void remove_components(const BlockVectors& q, BlockVectors& w, DenseMatrix& coefficients, const RunContext& context);

}  // namespace isogon
