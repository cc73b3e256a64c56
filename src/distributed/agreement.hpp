#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "distributed/rank_group.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// The items of all ranks, one part after the other in the order of ranks, on every rank. Parts may be of any size.
template <class Item>
[[nodiscard]] std::vector<Item> gathered(std::span<const Item> own, const RankGroup& ranks) {
    const std::vector<std::uint64_t> begins = ranks.begins_of_sizes(own.size_bytes());
    std::vector<Item> all(begins.back() / sizeof(Item));
    std::copy(own.begin(), own.end(), all.begin() + static_cast<std::ptrdiff_t>(begins[ranks.rank()] / sizeof(Item)));
    ranks.all_gather(std::as_writable_bytes(std::span(all)), begins);
    return all;
}

/// The items of rank 0, on every rank.
template <class Item>
[[nodiscard]] std::vector<Item> of_first_rank(const std::vector<Item>& own, const RankGroup& ranks) {
    return gathered(ranks.rank() == 0 ? std::span<const Item>(own) : std::span<const Item>(), ranks);
}

/// Runs `body`, a rank's own part of the work without a message in it, and lets no rank continue alone: where it throws
/// on one rank it throws on all, there the exception itself, elsewhere the same kind of end (Interruption), or an Error
/// that names the rank and says what it said. Else the others would wait for ever for the one that is gone.
void on_all_ranks(const RankGroup& ranks, const std::function<void()>& body);

/// Why the run has to end on any of the ranks; the same answer on all.
[[nodiscard]] std::optional<Termination> agreed_interruption(const RunContext& context, const RankGroup& ranks);

/// Throws Interruption on all ranks if the run has to end on one.
void stop_if_any_asked(const RunContext& context, const RankGroup& ranks);

}  // namespace isogon
