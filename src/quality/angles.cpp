#include "quality/angles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/trigonometry.hpp"
#include "pairs/pair_tiles.hpp"
#include "pairs/tile_kernel.hpp"

namespace isogon {

double TileAngles::operator()(Index i, Index j) {
    const float cosine = values_[i * panel_width + j];
    if (cosine <= near_cosine) {
        return elementary::acos(std::max(double{cosine}, -1.0));
    }
    return 2.0 * elementary::asin(std::min(std::sqrt(squared_distance(i, j)) / 2.0, 1.0));
}

double TileAngles::versine(Index i, Index j) {
    const float cosine = values_[i * panel_width + j];
    return cosine <= near_cosine ? 1.0 - double{cosine} : squared_distance(i, j) / 2.0;
}

double TileAngles::squared_distance(Index i, Index j) {
    if (measured_row_ != i) {
        measure_row(i);
    }
    return squared_distances_.at(j);
}

void TileAngles::measure_row(Index i) {
    squared_differences(left_, i, right_, depth_, squared_distances_);
    measured_row_ = i;
}

// Short sums of squares are added up in float64.
void squared_differences(PanelView<float> rows, Index i, PanelView<float> columns, std::size_t depth,
                         std::array<double, panel_width>& squares) {
    constexpr std::size_t chunk = 32;
    squares.fill(0.0);
    for (std::size_t begin = 0; begin < depth; begin += chunk) {
        std::array<float, panel_width> sums{};
        const std::size_t end = std::min(begin + chunk, depth);
        for (std::size_t k = begin; k < end; ++k) {
            const float* values = columns.data + k * columns.stride;
            const float row = rows.data[k * rows.stride + i];
            for (std::size_t j = 0; j < panel_width; ++j) {
                const float difference = values[j] - row;
                sums[j] += difference * difference;
            }
        }
        for (std::size_t j = 0; j < panel_width; ++j) {
            squares[j] += double{sums[j]};
        }
    }
}

bool is_above(std::span<const float> x, std::span<const float> y, double threshold) {
    double product = 0.0;
    double square_x = 0.0;
    double square_y = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        product += double{x[k]} * double{y[k]};
        square_x += double{x[k]} * double{x[k]};
        square_y += double{y[k]} * double{y[k]};
    }
    return product > 0.0 && product * product > threshold * threshold * square_x * square_y;
}

void settle_edge(const PointsView& points, double threshold, const PairTile& tile, float* values) {
    // A sum of D products in chunks of 128, each rounded once, the sums of the chunks once more; so are the directions.
    const double depth = points.dimension;
    const auto margin = static_cast<float>(std::ldexp(std::min(depth, 128.0) + depth / 128.0 + 8.0, -24));
    const auto edge = static_cast<float>(threshold);
    const float just_above = std::nextafter(edge, 2.0F);
    for (Index i = 0; i < tile.rows; ++i) {
        for (Index j = tile.diagonal ? i + 1 : 0; j < tile.columns; ++j) {
            float& value = values[i * tile_width + j];
            if (std::abs(value - edge) <= margin) {
                const bool above = is_above(points[tile.first_row + i], points[tile.first_column + j], threshold);
                value = above ? std::max(value, just_above) : std::min(value, edge);
            }
        }
    }
}

namespace {

std::uint64_t count_above(const float* values, float threshold) {
    std::uint32_t count = 0;
    for (std::size_t place = 0; place < tile_size; ++place) {
        count += values[place] > threshold ? 1U : 0U;
    }
    return count;
}

void collect_above(const float* values, float threshold, TileEntries& hits) {
    alignas(64) std::array<float, tile_size> above;  // NOLINT(*-member-init): filled below
    for (std::size_t place = 0; place < tile_size; ++place) {
        above[place] = values[place] - threshold;
    }
    collect_positive(above.data(), hits);
}

}  // namespace

void PairSums::add(const PairSums& other) {
    deviation += other.deviation;
    in_x += other.in_x;
    in_y += other.in_y;
    in_both += other.in_both;
}

double PairSums::mean_degrees() const {
    return in_x == 0 ? 0.0 : deviation / static_cast<double>(in_x) * (180.0 / std::numbers::pi);
}

double PairSums::jaccard() const {
    const std::uint64_t in_either = in_x + in_y - in_both;
    return in_either == 0 ? 1.0 : static_cast<double>(in_both) / static_cast<double>(in_either);
}

void add_tile(TileAngles& x_angle, TileAngles& y_angle, float threshold, PairSums& sums, TileEntries& hits) {
    collect_above(x_angle.cosines(), threshold, hits);
    sums.in_x += hits.count;
    sums.in_y += count_above(y_angle.cosines(), threshold);
    for (std::size_t h = 0; h < hits.count; ++h) {
        const Index i = hits.places[h] >> tile_place_shift;
        const Index j = hits.places[h] & tile_place_mask;
        const double deviation = std::abs(x_angle(i, j) - y_angle(i, j));
        sums.deviation += deviation;
        hits.values[h] = static_cast<float>(deviation);
        sums.in_both += y_angle.cosines()[i * tile_width + j] > threshold ? 1U : 0U;
    }
}

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
    [[nodiscard]] bool has_pair(Index i) const { return of_points_[i].pairs != 0; }

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
        score.isolated += in_x && !visitor.has_pair(i) ? 1 : 0;
    }

    const PairSums unordered = visitor.total();
    PairSums ordered = unordered;
    ordered.add(unordered);
    const double pairs = static_cast<double>(x.points.count) * (static_cast<double>(x.points.count) - 1.0);
    score.sparsity = 1.0 - static_cast<double>(ordered.in_x) / pairs;
    score.mean_without_self_degrees = ordered.mean_degrees();
    score.jaccard_without_self = ordered.jaccard();
    ordered.add(diagonal);
    score.mean_deviation_degrees = ordered.mean_degrees();
    score.jaccard = ordered.jaccard();
    if (points != nullptr) {
        *points = visitor.of_points();
    }
    return score;
}

}  // namespace isogon
