#pragma once
#include <vector>

#include "decomposition/riemannian_lbfgs.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "verlet/listed_pass.hpp"

namespace isogon {

/// The squared distances at which near pairs are to be: those of the inputs; or, in d dimensions, R_ij (k / (K +
/// 1/2))^(2/d), with k the smaller of the pair's two ranks: the distance of the k-th of K points spread evenly in a
/// ball. Where d is far below what the inputs need, all their distances are near R_ij and cannot be had, but ranks can.
enum class NearTargets { Distances, Ranks };

/// The pairs of which one is among the K nearest of the other, and the squared radius of each point: of its K-th
/// neighbour. `lists` have distances, each list ascending. O(n K log K).
[[nodiscard]] LocalTargets local_targets(const NeighborLists& lists, NearTargets near, Index dimension);

/// The objective of faithful (LocalPass) for a descent; y is free in R^d. At f = 0, with distances as
/// targets, the K nearest neighbours of every point are what they were, but that others may be as near as the K-th
/// (docs/mathematics.md).
class LocalObjective final : public DescentObjective {
public:
    /// `targets` must outlive this.
    LocalObjective(const LocalTargets& targets, Index dimension, const LossShape& shape);

    DescentValue evaluate(const MultiVector<float>& y, MultiVector<float>& gradient,
                          const RunContext& context) override;
    [[nodiscard]] const RankGroup& ranks() const override { return ranks_; }
    void project(const MultiVector<float>& /*y*/, const RowBlock& /*v*/) const override {}
    void retract(const MultiVector<float>& y, double step, const RowBlock& direction) const override;
    void precondition(const RowBlock& v) const override;
    /// The misfit of the near pairs where all points are in one place, in squares.
    [[nodiscard]] double squared_norm() const override { return squared_norm_; }
    [[nodiscard]] const LocalSums& sums() const { return sums_; }
    /// Lists that stay as they are for some updates (VerletLists::freeze).
    void freeze_lists(FrozenLists frozen) { pass_.freeze(frozen); }
    /// Renews frozen lists that miss too much. Whether it did: values and gradients from before are then of another
    /// problem.
    [[nodiscard]] bool renew_stale_lists(const MultiVector<float>& y, const RunContext& context) {
        return pass_.renew_stale(y, context);
    }
    [[nodiscard]] PassCounts pass_counts() const { return pass_.counts(); }

private:
    void learn_diagonal();

    RankGroup ranks_;
    Index dimension_;
    bool is_robust_;
    std::vector<double> mass_;     ///< of the near pairs of each point, where the loss is robust
    std::vector<float> diagonal_;  ///< of the second derivatives, expected
    double squared_norm_ = 0.0;
    ListedPass pass_;
    LocalSums sums_;
};

}  // namespace isogon
