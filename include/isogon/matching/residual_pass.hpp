#pragma once
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/block_vectors.hpp"
#include "isogon/matching/low_rank.hpp"
#include "isogon/matching/similarities.hpp"
#include "isogon/pairs/hinge_pass.hpp"

namespace isogon {

/// What one pass over all pairs learns of L against S. Sums are over ordered pairs and the diagonal.
struct ResidualSums {
    double support_squares = 0.0;     ///< sum of (S_ij - L_ij)^2 where S_ij > 0
    double hinge_squares = 0.0;       ///< sum of max(0, L_ij)^2 where S_ij = 0
    double hinge = 0.0;               ///< sum of max(0, L_ij) where S_ij = 0
    double support_difference = 0.0;  ///< sum of S_ij - L_ij where S_ij > 0
    double violations = 0.0;          ///< pairs with L_ij > 0 where S_ij = 0

    /// |L - Z|_F^2 for Z of eq. 5, the objective of eq. 4.
    [[nodiscard]] double objective() const { return support_squares + hinge_squares; }
};

/// Products with the sparse matrix R = Z - L, for Z of eq. 5: R_ij = S_ij - L_ij on the support of S and -max(0, L_ij)
/// off it. R is never stored: one pass over all pairs forms L tile by tile, corrects the support from S, finds the
/// violations, and applies both to the block of vectors while the tile is in cache.
/// Memory: 6 bytes an entry of S besides the operands.
class ResidualPass {
public:
    explicit ResidualPass(const Similarities& similarities);

    /// out = R in (shapes alike). If `support_sums` is not null it receives M in, with M_ij = 1 where S_ij > 0, else 0.
    /// Time: n^2 k / 2 multiplications and additions, plus a few nanoseconds for each entry of R.
    ResidualSums apply(const PackedLowRank& l, const BlockVectors& in, BlockVectors& out, BlockVectors* support_sums,
                       const RunContext& context);

private:
    const Similarities& s_;
    HingePass pass_;
};

}  // namespace isogon
