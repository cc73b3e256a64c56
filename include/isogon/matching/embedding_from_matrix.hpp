#pragma once
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/matching/low_rank.hpp"

namespace isogon {

/// Step 3 of TSM: outputs from L.
struct MatchedOutputs {
    Points outputs;                   ///< n x d
    std::vector<double> eigenvalues;  ///< of G, all d + 1, by descending value
    Index negative_eigenvalues = 0;   ///< of G, beyond rounding: many or large ones say that d is too low
    double negative_share = 0.0;      ///< sum of their magnitudes over the sum of all magnitudes
    Index negative_diagonal = 0;      ///< points with L_ii < 0, whose norm counts as 0
};

/// G_ij = L_ij + tau / (1 - tau) sqrt(L_ii L_jj) (eq. 8), then y = sqrt(max(0, lambda_a)) e_a over the top d eigenpairs
/// of G (eq. 9). G has rank d + 1 at most: one QR of [F, sqrt(diag L)] and one small eigenproblem. O(n d^2) time, O(n
/// d) memory.
[[nodiscard]] MatchedOutputs outputs_from_matrix(const LowRank& l, double threshold, Index dimension,
                                                 const RunContext& context);

/// Scales each output to the given length, which changes no angle: condition (i) of faithfulness then holds exactly.
/// Outputs of length zero stay.
void set_norms(Points& outputs, const std::vector<double>& lengths);

}  // namespace isogon
