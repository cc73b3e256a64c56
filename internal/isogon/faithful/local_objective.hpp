#pragma once
#include <optional>
#include <vector>

#include "isogon/faithful/faithful_objective.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "isogon/pairs/listed_pass.hpp"
#include "isogon/pairs/local_pass.hpp"
#include "isogon/pairs/similarities.hpp"

namespace isogon {

/// The pairs of which one is among the k nearest of the other, and the radius of each point: its distance from its k-th
/// neighbour. By cosine, distances are those of the directions, D = 2 - 2 cos; points without a direction (length 0)
/// have no pairs and radius 0. `lists` have distances; O(n k log k).
[[nodiscard]] LocalTargets local_targets(const NeighborLists& lists, Metric metric, const std::vector<float>& lengths);

/// Adds what the global equation asks, with `weight`: the pairs above cosine tau keep their angle, all others stay
/// below it. `s` are the similarities of directions, S_ij = c_ij - tau, of a rank those with its own points; entries
/// that are not above 0 tie isolated points and are left out.
void add_global_pairs(const Similarities& s, double weight, LocalTargets& targets);

/// The local form (mathematics page, section 10) for a descent. By cosine: f = sum_{near} (u_i.u_j - c_ij)^2 + b
/// sum_{not near} max(0, u_i.u_j - min(tau_i, tau_j))^2 on unit spheres. By distance: squared distances relative to the
/// pair's own, y free in R^d. At f = 0 the k nearest neighbours of every point, in order, are what they were, but
/// that others may be as near as the k-th.
class LocalObjective final : public DescentObjective {
public:
    /// `targets` must outlive this. `lengths` are 1 or 0, by cosine only.
    LocalObjective(const LocalTargets& targets, Metric metric, std::vector<float> lengths, Index dimension,
                   double off_support_weight);

    FaithfulValue evaluate(const MultiVector<float>& y, MultiVector<float>& gradient,
                           const RunContext& context) override;
    [[nodiscard]] const RankGroup& ranks() const override { return ranks_; }
    void project(const MultiVector<float>& y, const RowBlock& v) const override;
    void retract(const MultiVector<float>& y, double step, const RowBlock& direction) const override;
    void precondition(const RowBlock& v) const override;
    /// The misfit of the near pairs where all points are in one place.
    [[nodiscard]] double squared_norm() const override { return squared_norm_; }
    [[nodiscard]] const LocalSums& sums() const { return sums_; }
    [[nodiscard]] bool has_lists() const { return listed_.has_value(); }
    /// Lists that stay as they are for some updates (ActivePairs::freeze), where there are lists.
    void freeze_lists(FrozenLists frozen);
    /// Renews frozen lists that miss too much. Whether it did: values and gradients from before are then of another
    /// problem.
    [[nodiscard]] bool renew_stale_lists(const MultiVector<float>& y, const RunContext& context);
    /// Of the passes by lists; none where there are far pairs.
    [[nodiscard]] PassCounts pass_counts() const { return listed_ ? listed_->counts() : PassCounts(); }

private:
    [[nodiscard]] bool on_spheres() const { return metric_ == Metric::Cosine; }

    Metric metric_;
    RankGroup ranks_;
    std::vector<float> lengths_;
    std::vector<float> diagonal_;  ///< of the second derivatives, expected
    double squared_norm_ = 0.0;
    std::optional<LocalPass> pass_;     ///< with far pairs
    std::optional<ListedPass> listed_;  ///< without
    LocalSums sums_;
};

}  // namespace isogon
