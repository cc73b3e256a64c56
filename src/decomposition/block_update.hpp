#pragma once
#include "decomposition/completion.hpp"
#include "decomposition/relu_update.hpp"

namespace isogon {

/// W = Z H^T (H H^T + ridge)^-1, then H = (W^T W + ridge)^-1 W^T Z: the best W for this H, then the best H for that W.
/// Directions in which a factor is zero stay zero.
[[nodiscard]] ReluFactors block_step(const Completion& z, const ReluFactors& from, double ridge,
                                     const RunContext& context);

/// The plain block coordinate update (BCD: Gillis, Porcelli, Seraghiti 2025): a block step on Z of eq. 5 at the
/// factors' own L. |Z - L|^2 + ridge (|W|^2 + |H|^2) never rises.
[[nodiscard]] ReluFactors block_update(const ReluProblem& problem, const ReluFactors& from, double ridge,
                                       const RunContext& context);

}  // namespace isogon
