#include "matching/placement_index.hpp"

#include <algorithm>
#include <bit>

#include "isogon/core/parallel.hpp"

namespace isogon {

namespace {

/// The bits of a number, those of 0 for -0.
std::uint64_t bits_of(float value) {
    return std::bit_cast<std::uint32_t>(value == 0.0F ? 0.0F : value);
}

/// Multiply and rotate, two numbers at a time.
std::uint64_t hash_of(std::span<const float> row) {
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio
    constexpr int turn = 29;
    std::uint64_t hash = odd;
    for (std::size_t k = 0; k < row.size(); k += 2) {
        const std::uint64_t second = k + 1 < row.size() ? bits_of(row[k + 1]) : 0;
        hash = std::rotl((hash ^ (bits_of(row[k]) | second << 32)) * odd, turn);
    }
    return hash;
}

}  // namespace

PlacementIndex::PlacementIndex(const PointsView& rows, const RunContext& context) : rows_(rows), entries_(rows.count) {
    constexpr std::size_t block = 256;
    parallel_blocks(context, rows.count, block, [&](Range range) {
        for (std::size_t i = range.begin; i < range.end; ++i) {
            const auto row = static_cast<Index>(i);
            entries_[i] = {hash_of(rows[row]), row};
        }
    });
    std::sort(entries_.begin(), entries_.end());
}

std::optional<Index> PlacementIndex::find(std::span<const float> row) const {
    const std::uint64_t hash = hash_of(row);
    auto entry = std::lower_bound(entries_.begin(), entries_.end(), Entry{hash, 0});
    for (; entry != entries_.end() && entry->first == hash; ++entry) {
        if (std::equal(row.begin(), row.end(), rows_[entry->second].begin())) {
            return entry->second;
        }
    }
    return std::nullopt;
}

}  // namespace isogon
