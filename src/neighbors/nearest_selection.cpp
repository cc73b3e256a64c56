#include "neighbors/nearest_selection.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "isogon/core/parallel.hpp"
#include "neighbors/selection_kernel.hpp"

namespace isogon {

namespace {

constexpr float never = std::numeric_limits<float>::infinity();

bool better(const NearestSelection::Candidate& a, const NearestSelection::Candidate& b) {
    return a.key != b.key ? a.key > b.key : a.index < b.index;
}

std::size_t padded(Index rows) {
    return block_count(rows, tile_width) * tile_width;
}

std::uint64_t columns_in(const PairTile& tile) {
    return (std::uint64_t{1} << tile.columns) - 1;
}

/// Thresholds that no column reaches.
const float* no_columns() {
    static const std::array<float, tile_width> thresholds = [] {
        std::array<float, tile_width> values{};
        values.fill(never);
        return values;
    }();
    return thresholds.data();
}

}  // namespace

std::size_t NearestSelection::capacity(Index keep) {
    return std::size_t{keep} + std::max<std::size_t>(tile_width, keep / 2);
}

std::uint64_t NearestSelection::bytes(Index rows, Index keep) {
    return rows * (capacity(keep) * sizeof(Candidate) + sizeof(float) + sizeof(Index));
}

NearestSelection::NearestSelection(Index rows, Index keep)
    : rows_(rows),
      keep_(keep),
      capacity_(capacity(keep)),
      thresholds_(padded(rows), -never),
      counts_(rows, 0),
      candidates_(rows * capacity_) {
    std::fill(thresholds_.begin() + rows, thresholds_.end(), never);
}

void NearestSelection::take_tile(const PairTile& tile, bool both) {
    TilePlaces places;
    const float* columns = both ? thresholds_.data() + tile.first_column : no_columns();
    if (!mark_reaching(tile.values, thresholds_.data() + tile.first_row, columns, places)) {
        return;
    }
    for (Index i = 0; i < tile.rows; ++i) {
        // Of a diagonal tile only what is right of the diagonal is a pair.
        const std::uint64_t pairs = tile.diagonal ? columns_in(tile) >> (i + 1) << (i + 1) : columns_in(tile);
        for (std::uint64_t marked = places.rows[i] & pairs; marked != 0; marked &= marked - 1) {
            const auto j = static_cast<Index>(std::countr_zero(marked));
            const float key = tile.values[i * tile_width + j];
            offer(tile.first_row + i, tile.first_column + j, key);
            if (both) {
                offer(tile.first_column + j, tile.first_row + i, key);
            }
        }
    }
}

void NearestSelection::take_gathered(const float* values, std::span<const Index> rows, std::span<const Index> columns) {
    std::array<float, tile_width> thresholds{};
    thresholds.fill(never);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        thresholds[i] = thresholds_[rows[i]];
    }
    TilePlaces places;
    if (!mark_reaching(values, thresholds.data(), no_columns(), places)) {
        return;
    }
    const std::uint64_t present = (std::uint64_t{1} << columns.size()) - 1;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::uint64_t marked = places.rows[i] & present; marked != 0; marked &= marked - 1) {
            const auto j = static_cast<std::size_t>(std::countr_zero(marked));
            offer(rows[i], columns[j], values[i * tile_width + j]);
        }
    }
}

void NearestSelection::push(Index row, Candidate candidate) {
    if (counts_[row] == capacity_) {
        shrink(row);
        if (candidate.key < thresholds_[row]) {
            return;
        }
    }
    candidates_[row * capacity_ + counts_[row]++] = candidate;
}

/// Keeps the best, and sets the threshold to the worst of them.
void NearestSelection::shrink(Index row) {
    const auto begin = candidates_.begin() + static_cast<std::ptrdiff_t>(row * capacity_);
    std::nth_element(begin, begin + keep_ - 1, begin + counts_[row], better);
    counts_[row] = keep_;
    thresholds_[row] = begin[keep_ - 1].key;
}

std::span<const NearestSelection::Candidate> NearestSelection::finish(Index row) {
    if (counts_[row] > keep_) {
        shrink(row);
    }
    const auto begin = candidates_.begin() + static_cast<std::ptrdiff_t>(row * capacity_);
    std::sort(begin, begin + counts_[row], better);
    return {&*begin, counts_[row]};
}

}  // namespace isogon
