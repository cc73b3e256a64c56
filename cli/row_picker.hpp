#pragma once
#include <cstdint>
#include <vector>

#include "isogon/core/types.hpp"

namespace isogon::cli {

/// Picks the rows from, from + every, from + 2 every, ... of all inputs laid one after the other.
struct RowPicker {
    std::uint64_t every = 1;
    std::uint64_t from = 0;

    /// The picked rows of a part of `count` rows that has `before` rows before it, numbered within the part.
    [[nodiscard]] std::vector<Index> rows(std::uint64_t before, std::uint64_t count) const {
        std::vector<Index> picked;
        for (std::uint64_t row = first_at_or_after(before); row < before + count; row += every) {
            picked.push_back(static_cast<Index>(row - before));
        }
        return picked;
    }

private:
    [[nodiscard]] std::uint64_t first_at_or_after(std::uint64_t row) const {
        return row <= from ? from : from + (row - from + every - 1) / every * every;
    }
};

}  // namespace isogon::cli
