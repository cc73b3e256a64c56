#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "isogon/core/parallel.hpp"

namespace isogon {

/// What several processes, the ranks of a team, do together on one problem, without a word of what carries their
/// messages. Every rank calls the same functions in the same order with arguments of the same size.
class Team {
public:
    Team() = default;
    virtual ~Team() = default;
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    /// 0 ... size() - 1
    [[nodiscard]] virtual std::size_t rank() const = 0;
    [[nodiscard]] virtual std::size_t size() const = 0;
    /// `bytes` is the same array on every rank, of which rank r has filled [begins[r], begins[r + 1]); afterwards every
    /// rank has all of it. `begins` has size() + 1 numbers, ascending from 0 to the size of `bytes`.
    virtual void gather(std::span<std::byte> bytes, std::span<const std::uint64_t> begins) const = 0;
};

/// The part of `count` items that a rank owns: parts lie one after the other in the order of ranks, and differ by one
/// item at the most.
[[nodiscard]] Range part_of_rank(std::size_t count, std::size_t rank, std::size_t ranks);

/// Gathers an array of `count` items of `item_bytes` each, the last of which may be shorter, of which every rank has
/// filled those of its part.
void gather_parts(const Team& team, std::size_t count, std::size_t item_bytes, std::span<std::byte> bytes);

}  // namespace isogon
