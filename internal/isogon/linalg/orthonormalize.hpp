#pragma once
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/dense_matrix.hpp"
#include "isogon/linalg/multi_vector.hpp"

namespace isogon {

/// An orthonormal basis of the columns of W, and the factor with W = basis * factor (up to dropped directions).
struct Orthonormal {
    MultiVector<float> basis;
    DenseMatrix factor;
};

/// Orthonormalises by the eigenvectors of W^T W (in float64), twice, and more often if W is badly conditioned, so that
/// the basis is orthonormal to float32 rounding. Directions of W shorter than `smallest` times its longest are
/// dropped. Those below about 3e-4 of the longest may be dropped too, as float32 products do not distinguish them from
/// noise. The basis has at least one column unless W is zero. O(n w^2) time.
[[nodiscard]] Orthonormal orthonormalize(const MultiVector<float>& w, const RunContext& context,
                                         double smallest = 1e-6);

/// W - Q (Q^T W), done twice; `coefficients` receives Q^T W.
void remove_components(const MultiVector<float>& q, MultiVector<float>& w, DenseMatrix& coefficients,
                       const RunContext& context);

}  // namespace isogon
