#pragma once
#include "decomposition/relu_problem.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/decomposition/relu_factors.hpp"

namespace isogon {

/// The best approximation of rank r of the matrix that is S on its support and -shift off it (shift 0: of S itself).
/// This matrix is sparse but for a constant, so no product visits more than S. O(entries r) a product.
[[nodiscard]] ReluFactors shifted_start(const ReluProblem& problem, Index rank, double shift, std::uint64_t seed,
                                        const RunContext& context);

/// The same pushed below zero: its first component, which for a sparse S is of one sign nearly everywhere, is
/// lengthened until no more entries off the support are above zero than S has on it. What counts then is no more than
/// twice S, as gauss_newton needs it; without this a tenth of a 1% dense matrix would. A pass over all entries for each
/// lengthening.
[[nodiscard]] ReluFactors sparse_start(const ReluProblem& problem, Index rank, std::uint64_t seed,
                                       const RunContext& context);

/// The mean of the entries of S above zero: with this shift, 0 lies in the middle between both kinds of entries.
[[nodiscard]] double mean_positive_entry(const ReluProblem& problem);

/// Normal W and H, scaled so that |max(0, W H)| = |S|.
[[nodiscard]] ReluFactors random_start(const ReluProblem& problem, Index rank, std::uint64_t seed,
                                       const RunContext& context);

}  // namespace isogon
