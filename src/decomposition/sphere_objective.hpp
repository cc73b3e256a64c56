#pragma once
#include <vector>

#include "decomposition/low_rank.hpp"
#include "decomposition/riemannian_lbfgs.hpp"
#include "pairs/hinge_pass.hpp"
#include "pairs/similarities.hpp"

namespace isogon {

struct SphereTerms {
    double off_support_weight = 1.0;  ///< b, weight of the pairs off the support
    /// The damping of the preconditioner, in mean supports: larger values let points with many neighbours converge
    /// first.
    double damping = 0.0;
};

/// The equation S = max(0, L) on spheres, L_ij = y_i.y_j - tau |y_i||y_j| with |y_i| fixed to the lengths of the
/// inputs: f(W) = sum_{on support} (L_ij - S_ij)^2 + b sum_{off} max(0, L_ij)^2 and its gradient, in one pass over all
/// pairs; with the geometry that a descent needs. Rows of W are y_i. Rows of length 0 stay 0 and take no part.
class SphereObjective final : public DescentObjective {
public:
    /// `lengths` are those of the points of S; S must outlive this. O(support) time. The ranks of S share the
    /// sums over it, here and in every evaluation.
    SphereObjective(const Similarities& s, std::vector<float> lengths, const SphereTerms& terms);

    /// Value and Riemannian gradient, which gets the shape of w. One pass: n^2 (d + 1) / 2 multiplications and
    /// additions.
    DescentValue evaluate(const MultiVector<float>& w, MultiVector<float>& gradient,
                          const RunContext& context) override;

    [[nodiscard]] const RankGroup& ranks() const override { return s_.ranks; }
    /// v := its projection on the tangent space of the spheres at w.
    void project(const MultiVector<float>& w, const RowBlock& v) const override;
    /// direction := w + step direction, projected on the spheres.
    void retract(const MultiVector<float>& w, double step, const RowBlock& direction) const override;
    /// v := v divided by the expected Gauss-Newton diagonal. With y_j uniform over directions, that of y_i is 8 (sum_j
    /// |y_j|^2 / d + |y_i|^2) over the support of i. Points have one neighbour or thousands, and without this
    /// preconditioner those with many slow down convergence. Tried without improvement: recounting violations every
    /// ten steps; blocks of d x d (a tenth fewer steps, twice the time).
    void precondition(const RowBlock& v) const override;
    /// |S|^2
    [[nodiscard]] double squared_norm() const override { return s_.squared_norm; }

    [[nodiscard]] const SphereTerms& terms() const { return terms_; }
    [[nodiscard]] const Similarities& similarities() const { return s_; }

private:
    [[nodiscard]] PackedLowRank packed(const MultiVector<float>& w, const RunContext& context) const;
    const Similarities& s_;
    std::vector<float> lengths_;
    SphereTerms terms_;
    double root_tau_;
    double mean_mass_;
    std::vector<double> support_mass_;  ///< sum of |y_j|^2 over the support of i
    HingePass pass_;
};

}  // namespace isogon
