#pragma once
#include <cstdint>
#include <optional>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/core/summary.hpp"
#include "isogon/linalg/wide_vectors.hpp"

namespace isogon {

/// A start for outputs that forces move: the smoothest functions on a graph of weights, those eigenvectors of its
/// normalised Laplacian, D^-1 (D - W), that follow the constant one (Belkin and Niyogi, Neural Computation 2003; UMAP
/// begins there). Only roughly: what is wrong by a hundredth, forces put right. The number of components is counted.
/// Nothing, and a warning why, where there are none: of a graph in several parts, whose first eigenvectors only tell
/// these apart, of no more points than dimensions, or where the solver did not get that near. Throws Interruption.
[[nodiscard]] std::optional<WideVectors> spectral_start(const CsrMatrix<double>& weights, Index dimension,
                                                        std::uint64_t seed, Summary& summary,
                                                        const RunContext& context);

}  // namespace isogon
