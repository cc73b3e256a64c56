#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "linalg/row_kernel.hpp"
#include "verlet/local_pass.hpp"
#include "verlet/verlet_lists.hpp"
#include "verlet/violating_pairs.hpp"

namespace isogon {

/// How the passes of a run were made.
struct PassCounts {
    std::uint64_t dense = 0;   ///< over all pairs
    std::uint64_t listed = 0;  ///< over near pairs and lists
    double scans = 0.0;        ///< for lists, in units of all pairs
};

/// Which lists stay as they are while points move (VerletLists::freeze).
enum class FrozenLists {
    None,
    HalfOfNear,  ///< those of a random half of all pairs of near panels, another one with each renewal; the only ones
    Near,        ///< those of near panels, which are the only ones; undivided pairs count as such of near panels
    All,
};

/// The sums of LocalPass, from the near pairs and the lists of VerletLists: exact, in time n (near +
/// listed) depth instead of n^2 depth / 2. Where more than `most_violating` pairs a point are too near, as at the start
/// of a descent, the pass is LocalPass's: lists would be longer than all pairs are expensive.
///
/// Of many points in spatial order and in many dimensions the pairs are divided: most that are too near are of near
/// panels, a few hundredths of all pairs, whose lists can be renewed often. Those of the others have longer skins, so
/// that they are scanned seldom. In few dimensions PanelBoxes tell most panels apart in every scan.
///
/// Where the pass before found few pairs too near, listed pairs are looked at once (ViolatingPairs), else by each
/// point. Each point adds up its own terms, by ascending point. So the bits depend on the positions alone: not on
/// threads, ranks, or what was scanned before.
class ListedPass {
public:
    /// `targets` must outlive this.
    ListedPass(const LocalTargets& targets, const LossShape& shape);

    /// Finishes rows of sums while they are in cache, before other ranks get them.
    using Finish = std::function<void(const RowBlock&)>;

    /// As LocalPass::apply(), and finish() of all rows. Collective.
    LocalSums apply(const MultiVector<float>& y, MultiVector<float>& sums, const RunContext& context,
                    const Finish& finish);

    /// From the next pass on.
    void freeze(FrozenLists frozen);
    /// Lists anew what is frozen and misses too much. Whether there was any.
    [[nodiscard]] bool renew_stale(const MultiVector<float>& y, const RunContext& context);

    [[nodiscard]] PassCounts counts() const;
    /// Holds for each point the sum over its pairs of rho' a E, an eighth of their second derivatives; is empty after a
    /// pass over all pairs.
    [[nodiscard]] const std::vector<double>& curvatures() const { return curvatures_; }

    /// Whether the pairs of many points should be divided (LocalTargets).
    [[nodiscard]] static bool should_divide(Index dimension);

    static constexpr double most_violating = 24.0;
    [[nodiscard]] static std::uint64_t bytes(Index count, Index dimension, Offset near, bool divided);

private:
    struct Scratch;

    LocalSums add_lists(const MultiVector<float>& y, MultiVector<float>& sums, const RunContext& context,
                        const Finish& finish);
    LocalSums add_row(const MultiVector<float>& y, Index i, std::span<const ViolatingPairs::Other> too_near,
                      MultiVector<float>& sums, Scratch& scratch);
    [[nodiscard]] bool find_too_near(const MultiVector<float>& y, const RunContext& context);
    [[nodiscard]] bool lists_near_panels_only() const {
        return frozen_ == FrozenLists::HalfOfNear || frozen_ == FrozenLists::Near;
    }
    [[nodiscard]] bool scans_other_panels() const { return others_ && !lists_near_panels_only(); }
    [[nodiscard]] std::span<const ViolatingPairs::Other> too_near_to(const MultiVector<float>& y, Index i,
                                                                     Scratch& scratch) const;
    LocalSums all_pairs(const MultiVector<float>& y, MultiVector<float>& sums, const RunContext& context,
                        const Finish& finish);
    [[nodiscard]] bool update_lists(const MultiVector<float>& y, const RunContext& context);
    [[nodiscard]] bool are_few(const LocalSums& sums) const;

    const LocalTargets& targets_;
    CsrMatrix<float> near_;              ///< both halves
    std::optional<LocalPass> dense_;     ///< only while passes are over all pairs: it has the targets once more
    std::optional<NearPanels> panels_;   ///< as of the last division of the pairs
    VerletLists verlet_lists_;           ///< where pairs are divided: those of near panels
    std::optional<VerletLists> others_;  ///< and there: those of the other panels
    ViolatingPairs violating_;           ///< of all points, where they are few
    LossShape shape_;
    PairLoss loss_;
    bool many_expected_ = false;
    bool few_too_near_ = false;  ///< as in the pass before
    FrozenLists frozen_ = FrozenLists::None;
    PassCounts counts_;
    std::vector<double> curvatures_;
};

}  // namespace isogon
