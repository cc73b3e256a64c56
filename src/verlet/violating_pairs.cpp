#include "verlet/violating_pairs.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>

#include "core/parallel.hpp"
#include "distributed/rank_group.hpp"
#include "pairs/pair_tiles.hpp"
#include "pairs/tile_kernel.hpp"

namespace isogon {

struct ViolatingPairs::Pair {
    Index i;
    Index j;
    float squared;
};

struct ViolatingPairs::Scratch {
    std::vector<Index> near;
    std::vector<float> squares;
    std::vector<Pair> found;
};

namespace {

/// The listed others of point i whose pair is compared from i, in two pieces: those that are not own, and those after
/// i.
std::array<std::span<const Index>, 2> looked_at(std::span<const Index> listed, Index i, Range own) {
    const auto before = std::ranges::lower_bound(listed, static_cast<Index>(own.begin)) - listed.begin();
    const auto after = std::ranges::upper_bound(listed, i) - listed.begin();
    return {listed.first(static_cast<std::size_t>(before)), listed.subspan(static_cast<std::size_t>(after))};
}

}  // namespace

/// Those of some others that are too near to point i, at the end of what was found.
void ViolatingPairs::add_too_near(const ListedPoints& points, Index i, std::span<const Index> others,
                                  Scratch& scratch) const {
    const auto& [y, targets, lists] = points;
    scratch.near.resize(others.size());
    scratch.squares.resize(others.size());
    const auto near = std::span(scratch.near).first(rounded_.keep_near(i, others, scratch.near.data()));
    square_listed_differences(y.row(i), y, near, scratch.squares.data());
    for (std::size_t k = 0; k < near.size(); ++k) {
        if (scratch.squares[k] < std::max(targets.radii[i], targets.radii[near[k]])) {
            scratch.found.push_back({i, near[k], scratch.squares[k]});
        }
    }
}

/// Those of the listed others of point i that are too near to it, which are not looked at from the other side.
void ViolatingPairs::add_too_near_of(const ListedPoints& points, Index i, Range own, Scratch& scratch) const {
    for (const VerletLists* pairs : points.lists) {
        for (const std::span<const Index> others : looked_at(pairs->of(i), i, own)) {
            add_too_near(points, i, others, scratch);
        }
    }
}

/// The same where lists are pruned. Those before a loose point have it in their pruned lists, or may miss it.
void ViolatingPairs::add_too_near_of_inner_lists(const ListedPoints& points, Index i, Range own,
                                                 Scratch& scratch) const {
    if (!inner_lists_.is_loose(i)) {
        return add_too_near(points, i, inner_lists_.of(i), scratch);
    }
    add_too_near_of(points, i, own, scratch);
    const auto before = static_cast<std::ptrdiff_t>(scratch.found.size());
    for (const VerletLists* pairs : points.lists) {
        const auto listed = pairs->of(i);
        const auto lower = std::ranges::lower_bound(listed, i) - listed.begin();
        add_too_near(points, i, listed.first(static_cast<std::size_t>(lower)), scratch);
    }
    const auto is_found_there = [&](const Pair& pair) {
        return inner_lists_.is_loose(pair.j) ||
               std::ranges::find(inner_lists_.of(pair.j), i) != inner_lists_.of(pair.j).end();
    };
    scratch.found.erase(std::remove_if(scratch.found.begin() + before, scratch.found.end(), is_found_there),
                        scratch.found.end());
}

bool ViolatingPairs::find(const ListedPoints& points, const RunContext& context) {
    const MultiVector<float>& y = points.y;
    const RankGroup& ranks = points.targets.ranks;
    const bool are_pruned = ranks.size() == 1 && inner_lists_.update(points, rounded_, context);
    rounded_.set(y.view(), points.targets.radii, context);
    const RowBlocks blocks = pair_blocks(y.rows());
    const Range own_blocks = ranks.own_blocks(blocks);
    const Range own = ranks.own_rows(blocks);
    std::vector<std::vector<Pair>> found(own_blocks.size());
    std::atomic<std::size_t> count{0};
    const std::size_t most_pairs = most_found * y.rows();
    parallel_tasks(context, own_blocks.size(), [&](std::size_t task) {
        Scratch scratch;
        const Range rows = block_range(own_blocks.begin + task, blocks.count, blocks.rows);
        for (auto i = static_cast<Index>(rows.begin);
             i < rows.end && count.load(std::memory_order_relaxed) <= most_pairs; ++i) {
            const std::size_t before = scratch.found.size();
            if (are_pruned) {
                add_too_near_of_inner_lists(points, i, own, scratch);
            } else {
                add_too_near_of(points, i, own, scratch);
            }
            count += scratch.found.size() - before;
        }
        found[task].assign(scratch.found.begin(), scratch.found.end());  // no more than it needs
    });
    // A rank may decide for itself: the sums are the same either way.
    if (count > most_pairs) {
        return false;
    }
    list(found, own, y.rows(), context);
    return true;
}

void ViolatingPairs::list(const std::vector<std::vector<Pair>>& found, Range own, Index count,
                          const RunContext& context) {
    const auto is_own = [&](Index i) { return own.begin <= i && i < own.end; };
    const auto for_each_end = [&](const auto& visit) {
        parallel_tasks(context, found.size(), [&](std::size_t run) {
            for (const Pair& pair : found[run]) {
                visit(pair.i, Other{pair.j, pair.squared});
                if (is_own(pair.j)) {
                    visit(pair.j, Other{pair.i, pair.squared});
                }
            }
        });
    };
    // begins_[i + 1] is where the next one of i goes; in the end, where those of i + 1 begin. Threads meet at some j:
    // in which order lists get their entries makes no difference, as they are sorted.
    const auto next = [](Offset& number) { return std::atomic_ref(number).fetch_add(1, std::memory_order_relaxed); };
    begins_.assign(std::size_t{count} + 2, 0);
    for_each_end([&](Index i, const Other& /*other*/) { next(begins_[std::size_t{i} + 2]); });
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    others_.resize(begins_.back());
    for_each_end([&](Index i, const Other& other) { others_[next(begins_[std::size_t{i} + 1])] = other; });
    constexpr std::size_t lists_at_once = 512;
    parallel_blocks(context, count, lists_at_once, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            std::sort(others_.begin() + static_cast<std::ptrdiff_t>(begins_[i]),
                      others_.begin() + static_cast<std::ptrdiff_t>(begins_[i + 1]));
        }
    });
}

std::uint64_t ViolatingPairs::bytes(Index count, Index dimension) {
    return RoundedRows::bytes(count, dimension) + InnerLists::bytes(count, dimension) +
           count * (most_found * (sizeof(Pair) + 2 * sizeof(Other)) + sizeof(Offset));
}

}  // namespace isogon
