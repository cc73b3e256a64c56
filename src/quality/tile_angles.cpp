#include "quality/tile_angles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "isogon/pairs/tile_kernel.hpp"

namespace isogon {

double TileAngles::operator()(Index i, Index j) {
    const float cosine = values_[i * panel_width + j];
    if (cosine <= near_cosine) {
        return std::acos(std::max(double{cosine}, -1.0));
    }
    return 2.0 * std::asin(std::min(std::sqrt(squared_distance(i, j)) / 2.0, 1.0));
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

}  // namespace isogon
