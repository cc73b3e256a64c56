#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "isogon/pairs/local_pass.hpp"
#include "isogon/pairs/pair_tiles.hpp"
#include "isogon/pairs/quantized_points.hpp"

namespace isogon {

/// The pairs of points that may be nearer than max(r_i, r_j) while points move, without a look at all pairs (Verlet,
/// "Computer experiments on classical fluids", Phys. Rev. 1967; mathematics page, section 11). A scan lists the pairs
/// with |z_i - z_j| < max(r_i, r_j) + s_i + s_j, z_i where point i was scanned and s_i its skin. As long as no point is
/// further than its skin from z_i, no pair outside the lists is nearer than its radius. Points that have moved further
/// are scanned again, alone or with all.
///
/// The skins are chosen from the speeds of the points, so that scans cost about as much as the lists they leave.
/// Ranks scan and list the same pairs at the same time as one process: of R each compares one in R, and lists those of
/// its own points.
/// What is in the lists beyond the pairs that are too near depends on the history; a sum over the pairs that are too
/// near does not. Memory: bytes().
class ActivePairs {
public:
    /// `targets` must outlive this; its far pairs are not looked at.
    ActivePairs(const LocalTargets& targets, DeviationScale scale);

    /// Makes the lists complete for these positions. False where more pairs would be listed than there is memory for,
    /// even without skins. Collective.
    [[nodiscard]] bool update(const MultiVector<float>& y, const RunContext& context);

    /// Frozen lists are those of a part of all pairs, another one with each scan, and stay as they are while points
    /// move: sums by them are those of a problem that does not change, and miss what the lists miss. Thawed, they are
    /// complete again from the next update on.
    void freeze(bool frozen);
    /// Whether so many points have left their skins that frozen lists should be renewed. Collective.
    [[nodiscard]] bool are_stale(const MultiVector<float>& y, const RunContext& context) const;
    /// The next update scans all pairs.
    void renew() { complete_ = false; }

    /// The points that may be too near to point i, which this rank owns, in ascending order; none that is near in the
    /// targets.
    [[nodiscard]] std::span<const Index> of(Index i) const {
        return {lists_.data() + begins_[i], static_cast<std::size_t>(begins_[i + 1] - begins_[i])};
    }
    /// Pairs compared by scans of all ranks so far, in units of all pairs of points.
    [[nodiscard]] double whole_scans() const;
    /// Pairs in the lists, those of two own points twice.
    [[nodiscard]] Offset listed() const { return lists_.size(); }

    /// Listed pairs, each once, are no more than so many for each point.
    static constexpr std::size_t most_listed = 96;
    [[nodiscard]] static std::uint64_t bytes(Index count, Index dimension);

private:
    class Scan;

    [[nodiscard]] std::vector<float> ways_in_skins(const MultiVector<float>& y, const RunContext& context) const;
    [[nodiscard]] std::vector<Index> points_to_scan(const MultiVector<float>& y, const RunContext& context) const;
    [[nodiscard]] bool scan(const MultiVector<float>& y, const std::vector<Index>& fresh, const RunContext& context);
    void take_position(const MultiVector<float>& y, Index i);
    void choose_skins(const MultiVector<float>& y, const std::vector<Index>& fresh);
    void balance_work();
    /// One of so many pairs of panels is looked at by a scan.
    [[nodiscard]] unsigned usual_parts() const;
    [[nodiscard]] bool looks_at(const PanelPair& pair) const;
    [[nodiscard]] double pairs_of_all() const;

    const LocalTargets& targets_;
    DeviationScale scale_;
    std::vector<float> radii_;  ///< r_i, not squared, padded
    double mean_radius_ = 0.0;
    MultiVector<float> scanned_;        ///< z
    QuantizedPoints quantized_;         ///< the same
    std::vector<float> skins_;          ///< padded
    std::vector<std::uint32_t> dates_;  ///< of the scan of each point, in updates
    std::uint32_t updates_ = 0;
    double lifetime_;  ///< updates that a skin should last
    bool complete_ = false;
    bool frozen_ = false;
    unsigned parts_ = 1;
    std::vector<Offset> begins_;
    std::vector<Index> lists_;
    double scan_work_ = 0.0;  ///< since the lifetime was changed, in products of pairs
    double list_work_ = 0.0;
    double listed_by_all_ranks_ = 0.0;
    double listed_since_whole_scan_ = 0.0;
    double compared_ = 0.0;  ///< pairs, by all scans
};

}  // namespace isogon
