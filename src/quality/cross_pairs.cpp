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

}  // namespace

CrossPairs compare_cross_pairs(const DirectionPair& placed, const DirectionPair& fitted, double threshold,
                               const RunContext& context) {
    std::vector<BandSums> bands(placed.x.panels());
    // The cosines of a band in x are given, those in y are computed here tile by tile.
    const auto compare_band = [&](const RowBand& band) {
        BandSums& sums = bands[band.first_row / panel_width];
        std::array<std::uint8_t, tile_width> has_pair{};
        alignas(64) Tile x_cosines;  // NOLINT(*-member-init): filled below
        alignas(64) Tile y_cosines;  // NOLINT(*-member-init): filled by the product
        for (Index column = 0; column < band.columns; column += static_cast<Index>(tile_width)) {
            for (std::size_t r = 0; r < tile_width; ++r) {
                std::copy_n(band.values + r * band.stride + column, tile_width, x_cosines.data() + r * tile_width);
            }
            multiply_panels(placed.y.panel(static_cast<Index>(band.first_row / panel_width)),
                            fitted.y.panel(static_cast<Index>(column / panel_width)), placed.y.depth(),
                            y_cosines.data(), tile_width);
            const PairTile tile{.first_row = band.first_row, .first_column = column};
            TileAngles x_angle(placed.x, fitted.x, tile, x_cosines.data());
            TileAngles y_angle(placed.y, fitted.y, tile, y_cosines.data());
            TileEntries hits;
            add_tile(x_angle, y_angle, static_cast<float>(threshold), sums.pairs, hits);
            for (std::size_t h = 0; h < hits.count; ++h) {
                has_pair.at(hits.places[h] >> tile_place_shift) = 1;
            }
        }
        sums.alone = static_cast<Index>(std::count(has_pair.begin(), has_pair.begin() + band.rows, 0));
    };
    for_each_row_band(placed.x, fitted.x, context, compare_band, "pairs");

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
