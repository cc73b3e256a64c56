#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "pairs/pair_tiles.hpp"
#include "verlet/pair_lists.hpp"
#include "verlet/panel_boxes.hpp"
#include "verlet/scanned_points.hpp"

namespace isogon {

/// One scan, of all pairs or of some points (fresh) with all others: finds the pairs with |z_i - z_j| < max(r_i, r_j) +
/// s_i + s_j that are not near in the targets. Ranks share it: each pair is compared by one of its points' owners, and
/// what is found goes to both. Collective.
class PairScan {
public:
    /// Both must outlive this.
    PairScan(const ScannedPoints& points, const std::vector<Index>& fresh);

    /// The largest share of the fresh points' skins with which they are expected to list no more than this, from a
    /// sample of them; below zero where even none is too much, and `twice_too_many` or less where it is more than
    /// twice as much.
    [[nodiscard]] double largest_skin_share(double most, const RunContext& context);
    static constexpr double twice_too_many = -1.0;

    /// Finds the pairs. False where there are more than `most`.
    [[nodiscard]] bool run(std::uint64_t most, const RunContext& context);
    /// Of the pairs that run() was to look at, the share that boxes did not tell apart. Collective.
    [[nodiscard]] double compared_share() const;
    /// Lists of own points without the fresh points' old pairs, and with what was found. Frees what was found.
    void add_to(PairLists& lists, const RunContext& context);

private:
    static constexpr std::size_t bins = 33;  ///< by the share of the skins that lists a pair; the first: without any
    class NearPairs;

    [[nodiscard]] bool is_own(std::size_t point) const { return own_.begin <= point && point < own_.end; }
    [[nodiscard]] PanelBoxes boxes_of_all(const RunContext& context) const;
    [[nodiscard]] bool compares(const PanelPair& pair) const;
    [[nodiscard]] std::size_t choose(std::span<const PanelPair> pairs, std::span<PanelPair> chosen) const;
    void scan_all(std::uint64_t most, const RunContext& context);
    void scan_some(std::uint64_t most, const RunContext& context);
    void for_each_own_column(const ScannedRows& rows, const RunContext& context,
                             const std::function<void(const PanelPair&)>& visit) const;
    void exchange();
    bool mark(const PanelPair& pair, const ScannedRows* some, TilePlaces& places, std::uint64_t& compared) const;
    template <class Take>
    std::uint64_t visit(const PanelPair& pair, const ScannedRows& rows, const Take& take) const;
    void collect(const PanelPair& pair, const TilePlaces& places, NearPairs& near,
                 std::vector<ListedPair>& found) const;
    [[nodiscard]] bool is_of_all() const { return fresh_.size() == points_.positions.rows(); }
    [[nodiscard]] float radius(Index i, Index j) const;
    [[nodiscard]] bool may_be_listed(Index i, Index j, float squared) const;
    [[nodiscard]] bool is_within_skins(Index i, Index j, float squared) const;
    [[nodiscard]] std::size_t bin(Index i, Index j, float squared) const;

    const ScannedPoints& points_;
    const RankGroup& ranks_;
    RowBlocks blocks_;
    Range own_;  ///< points of this rank
    const std::vector<Index>& fresh_;
    std::vector<std::uint8_t> is_fresh_;
    /// By pair of wide blocks, or by panel of fresh rows, so that threads need no locks.
    std::vector<std::vector<ListedPair>> found_;
    std::atomic<std::uint64_t> count_{0};     ///< of these
    PanelBoxes boxes_;                        ///< of all points
    std::atomic<std::uint64_t> compared_{0};  ///< rows of these that were compared with 48 points
};

}  // namespace isogon
