#include "isogon/matching/residual_pass.hpp"

namespace isogon {

namespace {

/// Both halves of the pairs.
ResidualSums doubled(const HingeSums& half) {
    return {2.0 * half.support_squares, 2.0 * half.hinge_squares, 2.0 * half.hinge, 2.0 * half.support_difference,
            2.0 * half.violations};
}

void add_row(const BlockVectors& in, std::size_t i, float factor, BlockVectors& out) {
    for (std::size_t k = 0; k < in.columns(); ++k) {
        out.row(i)[k] += factor * in.row(i)[k];
    }
}

/// The diagonal's share: S_ii - L_ii where S_ii > 0, which is everywhere but at zero vectors, whose L_ii counts as a
/// violation.
void add_diagonal(const Similarities& s, const std::vector<double>& diagonal, const BlockVectors& in, BlockVectors& out,
                  BlockVectors* support_sums, ResidualSums& sums) {
    for (std::size_t i = 0; i < diagonal.size(); ++i) {
        if (s.diagonal[i] > 0.0F) {
            const double residual = double{s.diagonal[i]} - diagonal[i];
            sums.support_squares += residual * residual;
            sums.support_difference += residual;
            add_row(in, i, static_cast<float>(residual), out);
            if (support_sums != nullptr) {
                add_row(in, i, 1.0F, *support_sums);
            }
        } else if (diagonal[i] > 0.0) {
            sums.hinge_squares += diagonal[i] * diagonal[i];
            sums.hinge += diagonal[i];
            sums.violations += 1.0;
            add_row(in, i, static_cast<float>(-diagonal[i]), out);
        }
    }
}

}  // namespace

ResidualPass::ResidualPass(const Similarities& similarities) : s_(similarities), pass_(similarities.upper) {}

ResidualSums ResidualPass::apply(const PackedLowRank& l, const BlockVectors& in, BlockVectors& out,
                                 BlockVectors* support_sums, const RunContext& context) {
    ResidualSums sums = doubled(pass_.apply(l.left, l.right, 1.0, in, out, support_sums, context));
    add_diagonal(s_, diagonal(l, context), in, out, support_sums, sums);
    return sums;
}

}  // namespace isogon
