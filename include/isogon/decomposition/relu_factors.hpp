#pragma once
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/wide_vectors.hpp"

namespace isogon {

/// L = W H of rank r, as W (m x r) and the transpose of H (n x r): S ~ max(0, L).
struct ReluFactors {
    WideVectors left;   ///< W
    WideVectors right;  ///< H^T

    [[nodiscard]] Index rank() const { return left.columns; }
};

/// The same L with W^T W = H H^T diagonal, descending: the square roots of L's singular values on either side, so that
/// neither factor runs away. The sign of each column is fixed by W's component of largest magnitude. Directions of L
/// that are zero leave zero columns. O((m + n) r^2) time.
[[nodiscard]] ReluFactors balanced(const ReluFactors& given, const RunContext& context);

}  // namespace isogon
