#include "quality/angles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "isogon/pairs/pair_tiles.hpp"
#include "isogon/pairs/tile_kernel.hpp"
#include "quality/tile_angles.hpp"

namespace isogon {

namespace {

using Tile = std::array<float, tile_size>;

/// What the tiles of one panel of rows add up to: unordered pairs, no diagonal.
struct PanelSums {
    double deviation = 0.0;  ///< radians
    std::uint64_t in_x = 0;
    std::uint64_t in_y = 0;
    std::uint64_t in_both = 0;
};

std::uint64_t count_above(const Tile& values, float threshold) {
    std::uint32_t count = 0;
    for (const float value : values) {
        count += value > threshold ? 1U : 0U;
    }
    return count;
}

/// The tile of y that belongs to a tile of x; what is no pair is set to 0, below any threshold.
void multiply_tile(const PackedPoints& points, const PairTile& tile, Tile& values) {
    multiply_panels(points.panel(tile.first_row / panel_width), points.panel(tile.first_column / panel_width),
                    points.depth(), values.data(), tile_width);
    for (std::size_t i = 0; tile.diagonal && i < tile_width; ++i) {
        std::fill_n(values.data() + i * tile_width, i + 1, 0.0F);
    }
}

class AngleVisitor {
public:
    AngleVisitor(const PackedPoints& x, const PackedPoints& y, double threshold)
        : x_(x), y_(y), threshold_(static_cast<float>(threshold)), sums_(x.panels()), accompanied_(x.count()) {}

    // Rows and columns of a visit belong to it alone (for_each_pair_tile), so nothing here needs a lock.
    void visit(const PairTile& tile) {
        alignas(64) Tile y_values;  // NOLINT(*-member-init): filled by the product
        multiply_tile(y_, tile, y_values);
        TileHits hits;
        collect_above(tile.values, hits);
        auto& sums = sums_[tile.first_row / panel_width];
        sums.in_x += hits.count;
        sums.in_y += count_above(y_values, threshold_);
        TileAngles x_angle(x_, tile, tile.values);
        TileAngles y_angle(y_, tile, y_values.data());
        for (std::size_t h = 0; h < hits.count; ++h) {
            const Index i = hits.places[h] >> tile_place_shift;
            const Index j = hits.places[h] & tile_place_mask;
            sums.deviation += std::abs(x_angle(i, j) - y_angle(i, j));
            sums.in_both += y_values[i * tile_width + j] > threshold_ ? 1U : 0U;
            accompanied_[tile.first_row + i] = 1;
            accompanied_[tile.first_column + j] = 1;
        }
    }

    [[nodiscard]] PanelSums total() const {
        PanelSums total;
        for (const PanelSums& sums : sums_) {
            total.deviation += sums.deviation;
            total.in_x += sums.in_x;
            total.in_y += sums.in_y;
            total.in_both += sums.in_both;
        }
        return total;
    }
    [[nodiscard]] bool accompanied(Index i) const { return accompanied_[i] != 0; }

private:
    void collect_above(const float* values, TileHits& hits) const {
        alignas(64) Tile above;  // NOLINT(*-member-init): filled below
        for (std::size_t place = 0; place < tile_size; ++place) {
            above[place] = values[place] - threshold_;
        }
        collect_positive(above.data(), hits);
    }

    const PackedPoints& x_;
    const PackedPoints& y_;
    float threshold_;
    std::vector<PanelSums> sums_;
    std::vector<std::uint8_t> accompanied_;  ///< not bool: neighbouring bits are no separate memory
};

bool is_zero(const PackedPoints& points, Index i) {
    for (Index k = 0; k < points.depth(); ++k) {
        if (points.at(i, k) != 0.0F) {
            return false;
        }
    }
    return true;
}

/// Pairs of points with themselves.
struct Diagonal {
    Index in_x = 0;
    Index in_both = 0;
    Index in_either = 0;
};

}  // namespace

AngleScore compare_angles(const PackedPoints& x, const PackedPoints& y, double threshold, const RunContext& context) {
    AngleVisitor visitor(x, y, threshold);
    for_each_pair_tile(
        x, x, context, [&](PairTile& tile) { visitor.visit(tile); }, "angles");

    AngleScore score;
    Diagonal diagonal;
    for (Index i = 0; i < x.count(); ++i) {
        const bool in_x = !is_zero(x, i);
        const bool in_y = !is_zero(y, i);
        diagonal.in_x += in_x ? 1 : 0;
        diagonal.in_both += in_x && in_y ? 1 : 0;
        diagonal.in_either += in_x || in_y ? 1 : 0;
        score.isolated += in_x && !visitor.accompanied(i) ? 1 : 0;
    }

    const PanelSums total = visitor.total();
    const auto ordered = [](std::uint64_t pairs) { return 2.0 * static_cast<double>(pairs); };
    const double in_x = ordered(total.in_x) + diagonal.in_x;
    const double in_either = ordered(total.in_x + total.in_y - total.in_both) + diagonal.in_either;
    if (in_x > 0.0) {
        score.mean_deviation_degrees = 2.0 * total.deviation / in_x * (180.0 / std::numbers::pi);
    }
    if (in_either > 0.0) {
        score.jaccard = (ordered(total.in_both) + diagonal.in_both) / in_either;
    }
    const double pairs = static_cast<double>(x.count()) * (static_cast<double>(x.count()) - 1.0);
    score.sparsity = 1.0 - ordered(total.in_x) / pairs;
    return score;
}

}  // namespace isogon
