#include "matching/placement_neighborhood.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "matching/placement_kernel.hpp"

namespace isogon {

void Neighborhood::offer(CosineNeighbor neighbor) {
    if (neighbor.cosine > threshold_) {
        support_.push_back(neighbor);
    }
    const bool full = nearest_.size() == capacity_;
    if (full && neighbor.cosine <= nearest_.back().cosine) {
        return;
    }
    if (full) {
        nearest_.pop_back();
    }
    const auto place = std::upper_bound(nearest_.begin(), nearest_.end(), neighbor,
                                        [](const auto& a, const auto& b) { return a.cosine > b.cosine; });
    nearest_.insert(place, neighbor);
}

float Neighborhood::floor() const {
    return nearest_.size() < capacity_ ? -std::numeric_limits<float>::infinity()
                                       : std::min(threshold_, nearest_.back().cosine);
}

void find_neighborhoods(PanelView rows, const PackedPoints& fitted, std::span<Neighborhood> found) {
    alignas(64) std::array<float, tile_size> tile;  // NOLINT(*-member-init): filled by the product
    std::array<float, tile_width> floors;           // NOLINT(*-member-init): filled before each use
    TileEntries hits;
    for (Index q = 0; q < fitted.panels(); ++q) {
        multiply_panels(rows, fitted.panel(q), fitted.depth(), tile.data(), tile_width);
        floors.fill(std::numeric_limits<float>::infinity());
        std::transform(found.begin(), found.end(), floors.begin(), [](const auto& row) { return row.floor(); });
        collect_above(tile.data(), floors.data(), hits);
        for (std::size_t h = 0; h < hits.count; ++h) {
            const auto place = static_cast<Index>(q * panel_width + (hits.places[h] & tile_place_mask));
            if (place < fitted.count()) {
                found[hits.places[h] >> tile_place_shift].offer({place, hits.values[h]});
            }
        }
    }
}

}  // namespace isogon
