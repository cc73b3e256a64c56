#include "quality/angles.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "core/parallel.hpp"
#include "pairs/pair_tiles.hpp"

namespace isogon {

namespace {

using Tile = std::array<float, tile_size>;

/// Sums over 48 placed points.
struct BandSums {
    PairSums pairs;
    Index alone = 0;
};

/// One band: its cosines in x are given, those in y are computed here tile by tile.
class BandComparison {
public:
    BandComparison(const DirectionPair& placed, const DirectionPair& fitted, const RowBand& band)
        : placed_(placed), fitted_(fitted), band_(band) {}

    [[nodiscard]] BandSums run(float threshold) {
        for (Index column = 0; column < band_.columns; column += static_cast<Index>(tile_width)) {
            compare_tile(column, threshold);
        }
        sums_.alone = static_cast<Index>(std::count(has_pair_.begin(), has_pair_.begin() + band_.rows, 0));
        return sums_;
    }

private:
    void compare_tile(Index first_column, float threshold) {
        alignas(64) Tile x_cosines;  // NOLINT(*-member-init): filled below
        alignas(64) Tile y_cosines;  // NOLINT(*-member-init): filled by the product
        for (std::size_t r = 0; r < tile_width; ++r) {
            std::copy_n(band_.values + r * band_.stride + first_column, tile_width, x_cosines.data() + r * tile_width);
        }
        const auto row_panel = static_cast<Index>(band_.first_row / panel_width);
        const auto column_panel = static_cast<Index>(first_column / panel_width);
        multiply_panels(placed_.y.panel(row_panel), fitted_.y.panel(column_panel), placed_.y.depth(), y_cosines.data(),
                        tile_width);
        const PairTile tile{.first_row = band_.first_row, .first_column = first_column};
        TileAngles x_angle(placed_.x, fitted_.x, tile, x_cosines.data());
        TileAngles y_angle(placed_.y, fitted_.y, tile, y_cosines.data());
        TileEntries hits;
        add_tile(x_angle, y_angle, threshold, sums_.pairs, hits);
        for (std::size_t h = 0; h < hits.count; ++h) {
            has_pair_.at(hits.places[h] >> tile_place_shift) = 1;
        }
    }

    const DirectionPair& placed_;
    const DirectionPair& fitted_;
    const RowBand& band_;
    std::array<std::uint8_t, tile_width> has_pair_{};
    BandSums sums_;
};

}  // namespace

CrossPairs compare_cross_pairs(const DirectionPair& placed, const DirectionPair& fitted, double threshold,
                               const RunContext& context) {
    std::vector<BandSums> bands(placed.x.panels());
    for_each_row_band(
        placed.x, fitted.x, context,
        [&](RowBand& band) {
            bands[band.first_row / panel_width] =
                BandComparison(placed, fitted, band).run(static_cast<float>(threshold));
        },
        "pairs");

    CrossPairs result;
    for (const BandSums& band : bands) {
        result.sums.add(band.pairs);
        result.alone += band.alone;
    }
    return result;
}

std::uint64_t cross_pairs_bytes(Index placed, Index fitted, int threads) {
    return row_band_bytes(fitted, threads) + block_count(placed, panel_width) * sizeof(BandSums);
}

}  // namespace isogon
