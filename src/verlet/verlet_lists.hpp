#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "verlet/local_pass.hpp"
#include "verlet/near_panels.hpp"

namespace isogon {

struct PairLists;
struct ScannedPoints;

/// The pairs of points that may be nearer than max(r_i, r_j) while points move, without a look at all pairs (Verlet,
/// "Computer experiments on classical fluids", Phys. Rev. 1967). A scan lists the pairs
/// with |z_i - z_j| < max(r_i, r_j) + s_i + s_j, z_i where point i was scanned and s_i its skin. As long as no point is
/// further than its skin from z_i, no pair outside the lists is nearer than its radius. Points that have moved further
/// are scanned again, alone or with all.
///
/// The skins are chosen from the speeds of the points, so that scans cost about as much as the lists they leave.
/// Ranks scan and list the same pairs at the same time as one process: of R each compares one in R, and lists those of
/// its own points.
/// The listed pairs that are not too near depend on the history; a sum over the pairs that are too near does not.
/// Memory: bytes().
class VerletLists {
public:
    /// `targets` must outlive this. Few pairs of panels that are not near each other are listed, half as many at
    /// most, and by longer skins.
    explicit VerletLists(const LocalTargets& targets, PanelPairs which = PanelPairs::All);
    ~VerletLists();
    VerletLists(const VerletLists&) = delete;
    VerletLists& operator=(const VerletLists&) = delete;

    /// Sets which panels are near, from the next update on. Must outlive it. Not used where all pairs are scanned.
    void divide_by(const NearPanels& panels);

    /// Makes the lists complete for these positions. False where more pairs would be listed than there is memory for,
    /// even without skins. Collective.
    [[nodiscard]] bool update(const MultiVector<float>& y, const RunContext& context);

    /// Frozen lists stay as they are while points move: sums by them are those of a problem that does not change, and
    /// miss what the lists miss. They are of one of so many parts of all pairs, where points are crowded of less, and
    /// of another one with each renewal. Thawed, they are complete again from the next update on. Frozen again, they
    /// are made anew as those of an object that has seen no positions before: what follows depends on the positions
    /// from then on alone.
    void freeze(bool frozen, unsigned parts = 1);
    /// Whether so many points have left their skins that frozen lists should be renewed. Collective.
    [[nodiscard]] bool are_stale(const MultiVector<float>& y, const RunContext& context) const;
    /// The next update scans all pairs.
    void renew() { complete_ = false; }

    /// The points that may be too near to point i, which this rank owns, in ascending order; none that is near in the
    /// targets.
    [[nodiscard]] std::span<const Index> of(Index i) const;
    /// Pairs that scans of all ranks were to look at so far, in units of all pairs of points.
    [[nodiscard]] double whole_scans() const;
    /// Pairs in the lists, those of two own points twice.
    [[nodiscard]] Offset listed() const;
    /// Another one whenever the lists change.
    [[nodiscard]] std::uint64_t version() const { return version_; }

    /// Listed pairs, each once, are no more than so many for each point after a scan of all points, and
    static constexpr std::size_t most_listed = 96;
    /// after scans of some points, which add to them. With more than `most_before_some` all are scanned instead.
    static constexpr std::size_t most_lasting = 144;
    static constexpr std::size_t most_before_some = 120;
    [[nodiscard]] static std::uint64_t bytes(Index count, Index dimension, PanelPairs which = PanelPairs::All);

private:
    [[nodiscard]] std::vector<float> displacements_in_skins(const MultiVector<float>& y,
                                                            const RunContext& context) const;
    [[nodiscard]] std::vector<Index> points_to_scan(const MultiVector<float>& y, const RunContext& context) const;
    [[nodiscard]] bool scan(const MultiVector<float>& y, const std::vector<Index>& fresh, const RunContext& context);
    void place(const MultiVector<float>& y, const std::vector<Index>& fresh, const RunContext& context);
    void choose_skins(const MultiVector<float>& y, const std::vector<Index>& fresh, const RunContext& context);
    void even_out_skins();
    void balance_work();
    void forget_lists();
    [[nodiscard]] double most_pairs(std::size_t of_a_point) const;
    [[nodiscard]] double pairs_of_all() const;
    [[nodiscard]] double pairs_of_a_scan() const;

    std::unique_ptr<ScannedPoints> points_;
    std::unique_ptr<PairLists> lists_;
    double mean_radius_ = 0.0;
    std::vector<std::uint32_t> dates_;  ///< of the scan of each point, in updates
    std::uint32_t updates_ = 0;
    double lifetime_;  ///< updates that a skin should last
    bool complete_ = false;
    bool frozen_ = false;
    unsigned frozen_parts_ = 1;
    double scan_work_ = 0.0;  ///< since the lifetime was changed, in products of pairs
    double list_work_ = 0.0;
    double listed_by_all_ranks_ = 0.0;
    double listed_since_whole_scan_ = 0.0;
    double scans_of_some_ = 0.0;   ///< since a scan of all, in units of it
    double compared_ = 0.0;        ///< pairs, by all scans, or told apart by the boxes of their panels
    double compared_share_ = 1.0;  ///< of the pairs of the last scan of all, without those
    std::uint64_t version_ = 0;
};

}  // namespace isogon
