#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// Finds the first of some rows that equals a given one, number by number: 0 equals -0, NaN equals nothing.
class PlacementIndex {
public:
    /// The rows must outlive this. O(n D) time.
    PlacementIndex(const PointsView& rows, const RunContext& context);

    /// O(D + log n), as long as few different rows share a hash.
    [[nodiscard]] std::optional<Index> find(std::span<const float> row) const;
    [[nodiscard]] static std::uint64_t bytes(Index count) { return std::uint64_t{count} * sizeof(Entry); }

private:
    using Entry = std::pair<std::uint64_t, Index>;

    PointsView rows_;
    std::vector<Entry> entries_;  ///< by hash, then by index
};

}  // namespace isogon
