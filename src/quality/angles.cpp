#include "quality/angles.hpp"

#include <algorithm>
#include <array>
#include <numbers>
#include <vector>

#include "isogon/pairs/pair_tiles.hpp"
#include "isogon/pairs/tile_kernel.hpp"
#include "quality/tile_angles.hpp"
#include "quality/zero_row.hpp"

namespace isogon {

namespace {

using Tile = std::array<float, tile_size>;

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
    AngleVisitor(const DirectedPoints& x, const DirectedPoints& y, double threshold)
        : x_(x), y_(y), threshold_(threshold), sums_(x.directions.panels()), of_points_(x.points.count) {}

    // Rows and columns of a visit belong to it alone (for_each_pair_tile), so nothing here needs a lock.
    void visit(const PairTile& tile) {
        alignas(64) Tile y_values;  // NOLINT(*-member-init): filled by the product
        multiply_tile(y_.directions, tile, y_values);
        settle_edge(x_.points, threshold_, tile, tile.values);
        settle_edge(y_.points, threshold_, tile, y_values.data());
        TileAngles x_angle(x_.directions, tile, tile.values);
        TileAngles y_angle(y_.directions, tile, y_values.data());
        TileEntries hits;
        add_tile(x_angle, y_angle, static_cast<float>(threshold_), sums_[tile.first_row / panel_width], hits);
        for (std::size_t h = 0; h < hits.count; ++h) {
            of_points_[tile.first_row + (hits.places[h] >> tile_place_shift)].add(hits.values[h]);
            of_points_[tile.first_column + (hits.places[h] & tile_place_mask)].add(hits.values[h]);
        }
    }

    [[nodiscard]] PairSums total() const {
        PairSums total;
        for (const PairSums& sums : sums_) {
            total.add(sums);
        }
        return total;
    }
    [[nodiscard]] bool accompanied(Index i) const { return of_points_[i].pairs != 0; }

    [[nodiscard]] PointAngles of_points() const {
        PointAngles points{std::vector<double>(of_points_.size()), std::vector<std::uint64_t>(of_points_.size())};
        for (std::size_t i = 0; i < of_points_.size(); ++i) {
            points.deviation_degrees[i] = of_points_[i].mean_degrees();
            points.pairs[i] = of_points_[i].pairs;
        }
        return points;
    }

private:
    /// Pairs of one point are visited in one order for any number of threads (for_each_pair_tile), so their sum has the
    /// same bits.
    struct PointSums {
        double deviation = 0.0;  ///< radians
        std::uint64_t pairs = 0;

        void add(float radians) {
            deviation += double{radians};
            ++pairs;
        }
        [[nodiscard]] double mean_degrees() const {
            return pairs == 0 ? 0.0 : deviation / static_cast<double>(pairs) * (180.0 / std::numbers::pi);
        }
    };

    const DirectedPoints& x_;
    const DirectedPoints& y_;
    double threshold_;
    std::vector<PairSums> sums_;  ///< by panel of rows: unordered pairs, no diagonal
    std::vector<PointSums> of_points_;
};

}  // namespace

AngleScore compare_angles(const DirectedPoints& x, const DirectedPoints& y, double threshold, const RunContext& context,
                          PointAngles* points) {
    AngleVisitor visitor(x, y, threshold);
    for_each_pair_tile(
        x.directions, x.directions, context, [&](PairTile& tile) { visitor.visit(tile); }, "angles");

    AngleScore score;
    PairSums diagonal;
    for (Index i = 0; i < x.points.count; ++i) {
        const bool in_x = !is_zero(x.directions, i);
        const bool in_y = !is_zero(y.directions, i);
        diagonal.add({0.0, in_x ? 1U : 0U, in_y ? 1U : 0U, in_x && in_y ? 1U : 0U});
        score.isolated += in_x && !visitor.accompanied(i) ? 1 : 0;
    }

    const PairSums unordered = visitor.total();
    PairSums ordered = unordered;
    ordered.add(unordered);
    const double pairs = static_cast<double>(x.points.count) * (static_cast<double>(x.points.count) - 1.0);
    score.sparsity = 1.0 - static_cast<double>(ordered.in_x) / pairs;
    ordered.add(diagonal);
    score.mean_deviation_degrees = ordered.mean_degrees();
    score.jaccard = ordered.jaccard();
    if (points != nullptr) {
        *points = visitor.of_points();
    }
    return score;
}

}  // namespace isogon
