#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "pairs/rounded_rows.hpp"

namespace isogon {

/// The lists of the points that this rank owns: those of point i are listed[begins[i]] to listed[begins[i + 1]], in
/// ascending order.
struct PairLists {
    std::vector<Offset> begins;
    std::vector<Index> listed;  ///< perhaps more than that, of before

    /// Forgets all, but keeps the memory for lists that are nearly as long: the system clears fresh memory, by one
    /// thread.
    void forget() { begins.clear(); }
    [[nodiscard]] Offset entries() const { return begins.empty() ? 0 : begins.back(); }
    [[nodiscard]] std::span<const Index> of(Index i) const {
        return {listed.data() + begins[i], static_cast<std::size_t>(begins[i + 1] - begins[i])};
    }
};

/// Lists both points of each pair, if they are own points. Pairs come once each, in any order. Frees the pairs.
[[nodiscard]] PairLists lists_of(std::vector<std::vector<ListedPair>>& found, Range own, Index count,
                                 const RunContext& context);

/// The same of pairs i < j by wide blocks (wide_blocks(), B of them; visit_block_pairs()): found[a B + b] has those of
/// rows a and columns b, in ascending order for each point. Each task lists the points of one wide block, as they come:
/// from what has the block as columns, then from what has it as rows. Nothing is sorted, and writes stay in cache.
/// They take the memory of the lists before.
void list_by_wide_blocks(std::vector<std::vector<ListedPair>>& found, Index count, PairLists& lists,
                         const RunContext& context);

/// The lists without pairs of which a point is fresh, and with the added ones.
[[nodiscard]] PairLists renewed(const PairLists& lists, const std::vector<std::uint8_t>& is_fresh,
                                const PairLists& added, const RunContext& context);

}  // namespace isogon
