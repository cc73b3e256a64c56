#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "linalg/multi_vector.hpp"
#include "pairs/rounded_rows.hpp"
#include "verlet/local_pass.hpp"
#include "verlet/verlet_lists.hpp"

namespace isogon {

/// Points where they are now, and the lists of pairs of them that may be too near, no two of which have a pair in
/// common.
struct ListedPoints {
    const MultiVector<float>& y;
    const LocalTargets& targets;
    std::span<const VerletLists* const> lists;
};

/// Inner lists hold the pairs of long lists (VerletLists) that may be too near within some updates, as lists that last
/// for many updates are mostly of pairs that are far from it (Pall et al., "Heterogeneous parallelization and
/// acceleration of molecular dynamics simulations in GROMACS", J. Chem. Phys. 2020). Pruned where points were at z, the
/// lists keep the pairs with |z_i - z_j| < max(r_i, r_j) + 2 s. As long as neither point is further than s from its z,
/// no other listed pair is nearer than its radius. Points that are further are loose: all that is listed for them has
/// to be looked at. When many are, or the lists have changed, they are pruned anew. Of one process. Memory: bytes().
class InnerLists {
public:
    /// Prunes anew where that is needed, for these positions. False where nothing is to be gained, as lists are short,
    /// or most of what is listed may become too near: look at all. `rounded` is of any rows before and after.
    [[nodiscard]] bool update(const ListedPoints& points, RoundedRows& rounded, const RunContext& context);

    /// Points after i in its lists; where neither is loose, all that may be too near to it.
    [[nodiscard]] std::span<const Index> of(Index i) const;
    [[nodiscard]] bool is_loose(Index i) const { return displacements_[i] > skin_; }

    [[nodiscard]] static std::uint64_t bytes(Index count, Index dimension);

private:
    /// The lists of a block of points (pair_blocks).
    struct Block {
        std::vector<std::uint32_t> begins;
        std::vector<Index> others;
    };

    [[nodiscard]] bool are_of(std::span<const VerletLists* const> lists) const;
    void start_at(const MultiVector<float>& y, const RunContext& context);
    [[nodiscard]] bool choose_skin(const ListedPoints& points);
    [[nodiscard]] bool prune(const ListedPoints& points, RoundedRows& rounded, const RunContext& context);

    std::vector<Block> blocks_;
    MultiVector<float> positions_;         ///< z
    std::vector<float> displacements_;     ///< |y_i - z_i|
    std::vector<std::uint64_t> versions_;  ///< of the lists that were pruned
    float skin_ = 0.0F;                    ///< s
    unsigned updates_ = 0;                 ///< since points were at z
};

}  // namespace isogon
