#pragma once
#include <cstdint>
#include <span>

#include "isogon/core/communicator.hpp"
#include "isogon/pairs/positive_pairs.hpp"

namespace isogon {

/// All pairs i < j of divided points with x_i . x_j + left_i right_j above zero of which this rank has one point at
/// least. Points travel round the ring of ranks, some `piece` of each rank at a time, and meet those of every other;
/// `left` and `right` hold a number for each of all points. The entries, and the order within each row, are those of
/// collect_positive_pairs on points packed with these numbers. Collective, and what ends one of them ends all.
/// (2 - 1/R) / R n^2 D / 2 multiplications by each of R ranks.
[[nodiscard]] PairRuns collect_positive_pairs_in_ring(const DistributedPoints& x, std::span<const float> left,
                                                      std::span<const float> right, Index piece,
                                                      const RunContext& context, const char* phase);

/// Points of a rank that travel at a time: some 32 MB of them.
[[nodiscard]] Index ring_piece(const DistributedPoints& x);

/// Bytes of packed points that a rank with `own` of them holds at a time.
[[nodiscard]] std::uint64_t pair_ring_bytes(Index own, Index dimension);

}  // namespace isogon
