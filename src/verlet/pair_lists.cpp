#include "verlet/pair_lists.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

#include "core/parallel.hpp"
#include "distributed/rank_group.hpp"
#include "pairs/pair_tiles.hpp"

namespace isogon {

namespace {

constexpr std::size_t lists_at_once = 512;

template <class Item>
auto begin_of(std::vector<Item>& items, std::size_t begin) {
    return items.begin() + static_cast<std::ptrdiff_t>(begin);
}

/// In the memory that is there, if that is enough and not far too much.
void make_room(PairLists& lists) {
    constexpr std::size_t far_too_much = 4;
    const std::size_t entries = lists.entries();
    if (lists.listed.capacity() < entries || lists.listed.capacity() / far_too_much > entries) {
        lists.listed = std::vector<Index>();  // freed before other memory is taken
    }
    lists.listed.resize(entries);
}

/// The pairs that have wide block w as columns, then those that have it as rows.
template <class OfColumns, class OfRows>
void for_each_pair_of(std::size_t w, std::size_t wide, const std::vector<std::vector<ListedPair>>& found,
                      const OfColumns& of_columns, const OfRows& of_rows) {
    for (std::size_t a = 0; a <= w; ++a) {
        std::ranges::for_each(found[a * wide + w], of_columns);
    }
    for (std::size_t b = w; b < wide; ++b) {
        std::ranges::for_each(found[w * wide + b], of_rows);
    }
}

}  // namespace

PairLists lists_of(std::vector<std::vector<ListedPair>>& found, Range own, Index count, const RunContext& context) {
    PairLists lists{.begins = std::vector<Offset>(std::size_t{count} + 1, 0), .listed = {}};
    const auto is_own = [&](Index i) { return own.begin <= i && i < own.end; };
    for (const auto& run : found) {
        for (const auto& [i, j] : run) {
            lists.begins[i + 1] += is_own(i) ? 1 : 0;
            lists.begins[j + 1] += is_own(j) ? 1 : 0;
        }
    }
    std::partial_sum(lists.begins.begin(), lists.begins.end(), lists.begins.begin());
    lists.listed.resize(lists.begins.back());
    std::vector<Offset> next(lists.begins.begin(), lists.begins.end() - 1);
    for (auto& run : found) {
        for (const auto& [i, j] : run) {
            if (is_own(i)) {
                lists.listed[next[i]++] = j;
            }
            if (is_own(j)) {
                lists.listed[next[j]++] = i;
            }
        }
        std::vector<ListedPair>().swap(run);  // freed here: the peak stays near one copy
    }
    parallel_blocks(context, count, lists_at_once, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            std::sort(begin_of(lists.listed, lists.begins[i]), begin_of(lists.listed, lists.begins[i + 1]));
        }
    });
    return lists;
}

void list_by_wide_blocks(std::vector<std::vector<ListedPair>>& found, Index count, PairLists& lists,
                         const RunContext& context) {
    const RowBlocks wide = wide_blocks(count);
    lists.begins.assign(std::size_t{count} + 1, 0);
    parallel_tasks(context, wide.blocks, [&](std::size_t w) {
        for_each_pair_of(
            w, wide.blocks, found, [&](const ListedPair& pair) { ++lists.begins[pair.j + 1]; },
            [&](const ListedPair& pair) { ++lists.begins[pair.i + 1]; });
    });
    std::partial_sum(lists.begins.begin(), lists.begins.end(), lists.begins.begin());
    make_room(lists);
    parallel_tasks(context, wide.blocks, [&](std::size_t w) {
        const Range points = block_range(w, count, wide.rows);
        std::vector<Offset> next(begin_of(lists.begins, points.begin), begin_of(lists.begins, points.end));
        for_each_pair_of(
            w, wide.blocks, found,
            [&](const ListedPair& pair) { lists.listed[next[pair.j - points.begin]++] = pair.i; },
            [&](const ListedPair& pair) { lists.listed[next[pair.i - points.begin]++] = pair.j; });
    });
    found.clear();
}

PairLists renewed(const PairLists& lists, const std::vector<std::uint8_t>& is_fresh, const PairLists& added,
                  const RunContext& context) {
    const std::size_t count = is_fresh.size();
    const auto old_list = [&](std::size_t i) {
        return is_fresh[i] != 0 ? std::span<const Index>() : lists.of(static_cast<Index>(i));
    };
    const auto lasts = [&](Index j) { return is_fresh[j] == 0; };
    PairLists merged{.begins = std::vector<Offset>(count + 1, 0), .listed = {}};
    parallel_blocks(context, count, lists_at_once, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            merged.begins[i + 1] =
                static_cast<Offset>(std::ranges::count_if(old_list(i), lasts)) + added.begins[i + 1] - added.begins[i];
        }
    });
    std::partial_sum(merged.begins.begin(), merged.begins.end(), merged.begins.begin());
    merged.listed.resize(merged.begins.back());
    parallel_blocks(context, count, lists_at_once, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            const auto begin = begin_of(merged.listed, merged.begins[i]);
            const auto middle = std::ranges::copy_if(old_list(i), begin, lasts).out;
            const auto end = std::ranges::copy(added.of(static_cast<Index>(i)), middle).out;
            std::inplace_merge(begin, middle, end);
        }
    });
    return merged;
}

}  // namespace isogon
