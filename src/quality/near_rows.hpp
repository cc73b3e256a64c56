#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "isogon/core/points.hpp"

namespace isogon {

/// Lists of k neighbours, one after the other.
struct NearRows {
    NearRows(Index lists, Index k) : size(k), values(std::size_t{lists} * k) {}

    [[nodiscard]] std::span<Index> operator[](Index i) { return {values.data() + std::size_t{i} * size, size}; }
    [[nodiscard]] std::span<const Index> operator[](Index i) const {
        return {values.data() + std::size_t{i} * size, size};
    }

    Index size;
    std::vector<Index> values;
};

/// Fills `nearest` with the indices of the smallest keys, nearest first; equal keys by the smaller index. There must be
/// at least as many keys. O(n + k log(k) log(n)) for keys in no order.
void find_nearest(std::span<const double> keys, std::span<Index> nearest);

/// Sum over `others` of max(0, rank - k), where the nearest key has rank 1 and k is the number of `nearest`, which are
/// the nearest in order: the penalty of a row in trustworthiness and continuity. O(n) for each of up to some dozens of
/// others that are not among the nearest, O(n log n) for any number.
[[nodiscard]] std::uint64_t rank_excess(std::span<const double> keys, std::span<const Index> nearest,
                                        std::span<const Index> others);

/// The number of indices that two lists share, each without repetition. O(k log k).
[[nodiscard]] Index count_shared(std::span<const Index> first, std::span<const Index> second);

/// The most frequent label among the neighbours; the smallest of them on a tie. At least one neighbour.
[[nodiscard]] std::int64_t majority_label(std::span<const Index> neighbors, std::span<const std::int64_t> labels);

}  // namespace isogon
