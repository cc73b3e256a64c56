#pragma once
#include "decomposition/relu_problem.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/decomposition/relu_factors.hpp"

namespace isogon {

/// What one pass over all entries of L = W H says of it. Unobserved entries do not count.
struct ReluResiduals {
    double latent_squares = 0.0;  ///< |Z - L|^2, Z of eq. 5: (S - L)^2 on the support, max(0, L)^2 off it
    double output_squares = 0.0;  ///< |S - max(0, L)|^2
    double violations = 0.0;      ///< entries off the support with L_ij > 0
};

/// By tiles of 48 x 48, never m x n. m n r multiplications; memory: both factors packed.
[[nodiscard]] ReluResiduals relu_residuals(const ReluSide& side, const WideVectors& left, const WideVectors& right,
                                           const RunContext& context);

}  // namespace isogon
