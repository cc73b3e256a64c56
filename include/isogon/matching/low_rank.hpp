#pragma once
#include <vector>

#include "isogon/linalg/block_vectors.hpp"
#include "isogon/linalg/packed_points.hpp"

namespace isogon {

/// A symmetric n x n matrix of low rank, L = F diag(weights) F^T. Weights may be negative; the columns of F need not be
/// orthonormal.
struct LowRank {
    BlockVectors factor;          ///< n x k
    std::vector<double> weights;  ///< k

    [[nodiscard]] Index size() const { return factor.rows(); }
    [[nodiscard]] Index rank() const { return static_cast<Index>(weights.size()); }
};

/// L as products of packed points, L_ij = left_i . right_j, for passes over all pairs.
struct PackedLowRank {
    PackedPoints left;
    PackedPoints right;
};

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
void add_product(const LowRank& matrix, double coefficient, const BlockVectors& in, BlockVectors& out,
                 const RunContext& context);

}  // namespace isogon
