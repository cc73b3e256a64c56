#pragma once
#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "isogon/core/communicator.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// Concatenates the parts of all ranks, in the order of ranks, on every rank. Parts may have any size.
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

/// The items of rank 0, on every rank.
template <class Item>
[[nodiscard]] std::vector<Item> of_first_rank(const std::vector<Item>& own, const Communicator& communicator) {
    return gathered(communicator.rank() == 0 ? std::span<const Item>(own) : std::span<const Item>(), communicator);
}

/// Runs `body`, local work of a rank without communication, and makes all ranks fail together: if it throws on one
/// rank, this throws on all, there the exception itself, elsewhere the same Interruption, or an Error that names the
/// rank and quotes its message. Otherwise the other ranks would wait forever for the one that failed.
void on_all_ranks(const Communicator& communicator, const std::function<void()>& body);

/// Why the run must end on any of the ranks, if it must; the same on all.
[[nodiscard]] std::optional<Termination> agreed_interruption(const RunContext& context,
                                                             const Communicator& communicator);

/// Throws Interruption on all ranks if the run must end on one.
void stop_if_any_asked(const RunContext& context, const Communicator& communicator);

}  // namespace isogon
