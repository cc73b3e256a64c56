#pragma once
#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "isogon/core/communicator.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// What ranks hold, one after the other in the order of ranks, on every rank. Parts may be of any size.
template <class Item>
[[nodiscard]] std::vector<Item> gathered(std::span<const Item> own, const Communicator& communicator) {
    std::vector<std::uint64_t> begins(communicator.size() + 1, 0);
    std::vector<std::uint64_t> sizes(communicator.size(), 0);
    sizes[communicator.rank()] = own.size_bytes();
    all_gather_parts(communicator, sizes.size(), sizeof(std::uint64_t), std::as_writable_bytes(std::span(sizes)));
    for (std::size_t rank = 0; rank < sizes.size(); ++rank) {
        begins[rank + 1] = begins[rank] + sizes[rank];
    }
    std::vector<Item> all(begins.back() / sizeof(Item));
    std::copy(own.begin(), own.end(),
              all.begin() + static_cast<std::ptrdiff_t>(begins[communicator.rank()] / sizeof(Item)));
    communicator.all_gather(std::as_writable_bytes(std::span(all)), begins);
    return all;
}

/// What rank 0 holds, on every rank.
template <class Item>
[[nodiscard]] std::vector<Item> of_first_rank(const std::vector<Item>& own, const Communicator& communicator) {
    return gathered(communicator.rank() == 0 ? std::span<const Item>(own) : std::span<const Item>(), communicator);
}

/// Runs `body`, a rank's own part of the work without a message in it, and lets nobody go on alone: where it throws on
/// one rank it throws on all, there the exception itself, elsewhere the same kind of end (Interruption), or an Error
/// that names the rank and says what it said. Else the others would wait for ever for the one that is gone.
void on_all_ranks(const Communicator& communicator, const std::function<void()>& body);

/// Why the run has to end on any of the ranks; the same answer on all.
[[nodiscard]] std::optional<Termination> agreed_interruption(const RunContext& context,
                                                             const Communicator& communicator);

/// Throws Interruption on all ranks if the run has to end on one.
void stop_if_any_asked(const RunContext& context, const Communicator& communicator);

}  // namespace isogon
