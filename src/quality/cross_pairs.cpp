#include "quality/angles.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "isogon/core/parallel.hpp"
#include "isogon/pairs/pair_tiles.hpp"
#include "quality/tied_ranks.hpp"

namespace isogon {

namespace {

using Tile = std::array<float, tile_size>;

/// Sums over 48 placed points.
struct BandSums {
    PairSums pairs;
    double shared = 0.0;  ///< neighbours in x that are neighbours in y
    Index alone = 0;
    Index directed = 0;  ///< points of which x is not zero
};

/// One band: its cosines in x are given, those in y are computed here tile by tile, and both are converted to keys of
/// nearness.
class BandComparison {
public:
    BandComparison(const DirectionPair& placed, const DirectionPair& fitted, const RowBand& band)
        : placed_(placed),
          fitted_(fitted),
          band_(band),
          x_keys_(std::size_t{band.rows} * band.columns),
          y_keys_(x_keys_.size()) {}

    [[nodiscard]] BandSums run(float threshold, Index neighbors) {
        for (Index column = 0; column < band_.columns; column += static_cast<Index>(tile_width)) {
            compare_tile(column, threshold);
        }
        sums_.alone = static_cast<Index>(std::count(has_pair_.begin(), has_pair_.begin() + band_.rows, 0));
        compare_neighbors(neighbors);
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
        keep_keys(x_angle, first_column, x_keys_);
        keep_keys(y_angle, first_column, y_keys_);
    }

    /// The negated cosines, of near points from their differences.
    void keep_keys(TileAngles& angles, Index first_column, std::vector<double>& keys) const {
        const Index columns = std::min(static_cast<Index>(tile_width), band_.columns - first_column);
        for (Index r = 0; r < band_.rows; ++r) {
            double* keys_of_row = keys.data() + std::size_t{r} * band_.columns + first_column;
            for (Index j = 0; j < columns; ++j) {
                keys_of_row[j] = angles.versine(r, j) - 1.0;
            }
        }
    }

    void compare_neighbors(Index neighbors) {
        for (Index r = 0; r < band_.rows; ++r) {
            if (!has_direction(r)) {
                continue;
            }
            const std::span x_keys(x_keys_.data() + std::size_t{r} * band_.columns, band_.columns);
            const std::span y_keys(y_keys_.data() + std::size_t{r} * band_.columns, band_.columns);
            const std::vector<float> own = coordinates(placed_.x, static_cast<Index>(band_.first_row + r));
            const auto measure = [&](Index j) { return measure_pair(own, coordinates(fitted_.x, j), Metric::Cosine); };
            const NearestSet x = nearest_inputs({.depth = fitted_.x.depth(), .measure = measure}, neighbors, x_keys);
            const NearestSet y = nearest_outputs(y_keys, neighbors);
            sums_.shared += overlap_of({x_keys, y_keys, x, y}).kept(neighbors);
            ++sums_.directed;
        }
    }

    [[nodiscard]] static std::vector<float> coordinates(const PackedPoints& points, Index i) {
        std::vector<float> values(points.depth());
        for (Index k = 0; k < points.depth(); ++k) {
            values[k] = points.at(i, k);
        }
        return values;
    }

    [[nodiscard]] bool has_direction(std::size_t row) const {
        const auto place = static_cast<Index>(band_.first_row + row);
        for (Index k = 0; k < placed_.x.depth(); ++k) {
            if (placed_.x.at(place, k) != 0.0F) {
                return true;
            }
        }
        return false;
    }

    const DirectionPair& placed_;
    const DirectionPair& fitted_;
    const RowBand& band_;
    std::vector<double> x_keys_;  ///< rows x columns, the negated cosines
    std::vector<double> y_keys_;
    std::array<std::uint8_t, tile_width> has_pair_{};
    BandSums sums_;
};

}  // namespace

CrossPairs compare_cross_pairs(const DirectionPair& placed, const DirectionPair& fitted, double threshold,
                               Index neighbors, const RunContext& context) {
    std::vector<BandSums> bands(placed.x.panels());
    for_each_row_band(
        placed.x, fitted.x, context,
        [&](RowBand& band) {
            bands[band.first_row / panel_width] =
                BandComparison(placed, fitted, band).run(static_cast<float>(threshold), neighbors);
        },
        "pairs");

    CrossPairs result;
    double shared = 0.0;
    Index directed = 0;
    for (const BandSums& band : bands) {
        result.sums.add(band.pairs);
        result.alone += band.alone;
        shared += band.shared;
        directed += band.directed;
    }
    result.recall = directed == 0 ? 1.0 : shared / (static_cast<double>(directed) * neighbors);
    return result;
}

std::uint64_t cross_pairs_bytes(Index placed, Index fitted, Index neighbors, int threads) {
    // The nearest of a row in x and y, some more while they are found; where all tie, all.
    const std::uint64_t lists = (2 * std::uint64_t{neighbors} + 4 * std::uint64_t{fitted}) * sizeof(Index) *
                                static_cast<std::uint64_t>(threads);
    return 5 * row_band_bytes(fitted, threads) + lists + block_count(placed, panel_width) * sizeof(BandSums);
}

}  // namespace isogon
