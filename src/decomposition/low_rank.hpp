#pragma once
#include <vector>

#include "isogon/core/points.hpp"
#include "linalg/multi_vector.hpp"
#include "linalg/packed_points.hpp"

namespace isogon {

/// A symmetric n x n matrix of low rank, L = F diag(weights) F^T. Weights may be negative; the columns of F need not be
/// orthonormal.
struct LowRank {
    MultiVector<float> factor;    ///< n x k
    std::vector<double> weights;  ///< k

    [[nodiscard]] Index size() const { return factor.rows(); }
    [[nodiscard]] Index rank() const { return static_cast<Index>(weights.size()); }
};

/// The leading eigenpairs as a low-rank matrix.
[[nodiscard]] LowRank leading_columns(const MultiVector<float>& vectors, const std::vector<double>& values, Index rank,
                                      const RunContext& context);

/// Eq. 17: L = V V^T - tau |v||v|^T, with v_i the projections of the points on the top singular directions (eq. 10).
/// Rank d + 1.
[[nodiscard]] LowRank initial_matrix(const Points& projections, double threshold);

/// The sum of some low-rank matrices, each times a coefficient, packed. |weight|^(1/2) goes to each side, the sign to
/// the right.
struct LowRankTerm {
    const LowRank* matrix = nullptr;
    double coefficient = 1.0;
};
[[nodiscard]] PackedLowRank pack(const std::vector<LowRankTerm>& terms, const RunContext& context);

/// L_ii for all i.
[[nodiscard]] std::vector<double> diagonal(const PackedLowRank& matrix, const RunContext& context);

/// Sum of all entries: sum_k weight_k (sum_i F_ik)^2.
[[nodiscard]] double sum_of_entries(const LowRank& matrix);

/// out += coefficient L in.
void add_product(const LowRank& matrix, double coefficient, const MultiVector<float>& in, MultiVector<float>& out,
                 const RunContext& context);

/// The outputs of a matrix L: step 3 of TSM.
struct MatchedOutputs {
    Points outputs;                   ///< n x d
    std::vector<double> eigenvalues;  ///< eigenvalues of G, all d + 1, by descending value
    Index negative_eigenvalues = 0;   ///< their number, beyond rounding: many or large ones indicate that d is too low
    double negative_share = 0.0;      ///< sum of their magnitudes over the sum of all magnitudes
    Index negative_diagonal = 0;      ///< points with L_ii < 0, for which 0 is used
};

/// G_ij = L_ij + tau / (1 - tau) sqrt(L_ii L_jj) (eq. 8), then y = sqrt(max(0, lambda_a)) e_a over the top d
/// eigenpairs of G (eq. 9). G has rank d + 1 at most: one QR of [F, sqrt(diag L)] and one small eigenproblem. O(n d^2)
/// time, O(n d) memory.
[[nodiscard]] MatchedOutputs outputs_from_matrix(const LowRank& l, double threshold, Index dimension,
                                                 const RunContext& context);

/// Scales each output to the given length, which changes no angle: condition (i) of faithfulness then holds exactly.
/// Outputs of length zero stay.
void set_norms(Points& outputs, const std::vector<double>& lengths);

}  // namespace isogon
