#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/distributed/distributed_points.hpp"

namespace isogon {

class Communicator;
struct CommunicatorTraffic;

/// Rows cut into blocks of equal size (the last may be shorter), of which a rank owns whole ones.
struct RowBlocks {
    std::size_t count = 0;  ///< rows
    std::size_t blocks = 0;
    std::size_t rows = 0;  ///< rows of a block
};

/// The part of `count` items that a rank owns: parts lie one after the other in the order of ranks, and differ by one
/// item at the most.
[[nodiscard]] Range rank_range(std::size_t count, std::size_t rank, std::size_t ranks);

/// The processes that share a problem, as its steps see them: what this one owns, and what all exchange. By default it
/// is one process, which owns all, and the collective functions do nothing. With the ranks of a communicator all must
/// call a collective function at the same time, outside of parallel loops. A copy refers to the same communicator,
/// which must outlive it.
class RankGroup {
public:
    RankGroup() = default;
    explicit RankGroup(const Communicator& communicator) : RankGroup(&communicator) {}
    explicit RankGroup(const Communicator* communicator) : communicator_(communicator) {}

    /// Whether there is a communicator, if only of one rank.
    [[nodiscard]] bool is_shared() const { return communicator_ != nullptr; }
    [[nodiscard]] std::size_t rank() const;
    [[nodiscard]] std::size_t size() const;

    /// rank_range() of this rank.
    [[nodiscard]] Range own_part(std::size_t count) const { return rank_range(count, rank(), size()); }
    [[nodiscard]] Range own_blocks(const RowBlocks& blocks) const { return own_part(blocks.blocks); }
    [[nodiscard]] Range own_rows(const RowBlocks& blocks) const;
    /// Points that every rank holds.
    [[nodiscard]] DistributedPoints of_all(const PointsView& all) const;
    /// The local points of each rank as distributed ones, when each has the rows of its own blocks.
    [[nodiscard]] DistributedPoints distributed(const PointsView& own, const RowBlocks& blocks) const;

    /// The communicator's traffic so far; nothing in one process.
    [[nodiscard]] CommunicatorTraffic traffic() const;

    /// The context with which all ranks end a run at the same place, when any of them has to: throw_if_cancelled() is
    /// then collective.
    [[nodiscard]] RunContext agreeing(const RunContext& context) const;

    /// Gathers an array of which rank r has filled bytes begins[r] ... begins[r + 1] - 1. Collective, as all that
    /// follow.
    void all_gather(std::span<std::byte> bytes, std::span<const std::uint64_t> begins) const;
    /// The same numbers for ranks that hold so many bytes each.
    [[nodiscard]] std::vector<std::uint64_t> begins_of_sizes(std::uint64_t own) const;
    /// Gathers an array of `count` items of `item_bytes` each, the last of which may be shorter, of which every rank
    /// has filled those of its part.
    void all_gather_parts(std::size_t count, std::size_t item_bytes, std::span<std::byte> bytes) const;
    /// `items` holds equally many bytes for each row, or for each block; a rank has filled those of its own.
    void all_gather_rows(const RowBlocks& blocks, std::span<std::byte> items) const;
    void all_gather_blocks(const RowBlocks& blocks, std::span<std::byte> items) const;
    /// Copies `bytes` of rank `from` to all ranks.
    void broadcast(std::size_t from, std::span<std::byte> bytes) const;
    /// Replaces each number by its sum over ranks. O(numbers) time, and memory for some blocks of them.
    void all_reduce_sum(std::span<std::uint64_t> numbers) const;
    /// The texts of all ranks, in the order of ranks, on every rank.
    [[nodiscard]] std::vector<std::string> all_gather_texts(const std::string& own) const;
    /// Communicator::ring_shift(). Of one process the array itself.
    void ring_shift(std::span<const std::byte> own, std::span<std::byte> received) const;

private:
    [[nodiscard]] std::vector<Index> first_rows(const RowBlocks& blocks) const;

    const Communicator* communicator_ = nullptr;
};

/// The group of the points' communicator.
[[nodiscard]] inline RankGroup ranks_of(const DistributedPoints& points) {
    return RankGroup(points.communicator());
}

}  // namespace isogon
