#include "isogon/quality/score.hpp"

#include <algorithm>
#include <array>
#include <numbers>

#include "isogon/core/error.hpp"
#include "linalg/packed_points.hpp"
#include "pairs/pair_tiles.hpp"
#include "pairs/row_sample.hpp"
#include "pairs/tile_kernel.hpp"
#include "quality/angles.hpp"

namespace isogon {

namespace {

constexpr double degrees = 180.0 / std::numbers::pi;

Index bin_of(double angle, double width, Index bins) {
    return std::min(static_cast<Index>(angle / width), bins - 1);
}

/// Counts of one panel of rows. 48 rows of at most some thousands of columns: 32 bits hold them.
struct Counts {
    std::array<std::uint32_t, AngleDensity::angles> in{};
    std::array<std::uint32_t, AngleDensity::angles> out{};
    std::array<std::uint32_t, std::size_t{AngleDensity::squares} * AngleDensity::squares> density{};

    void add(double in_degrees, double out_degrees) {
        constexpr Index squares = AngleDensity::squares;
        const Index row = bin_of(in_degrees, AngleDensity::square_side, squares);
        const Index column = bin_of(out_degrees, AngleDensity::square_side, squares);
        ++in.at(bin_of(in_degrees, 1.0, AngleDensity::angles));
        ++out.at(bin_of(out_degrees, 1.0, AngleDensity::angles));
        ++density.at(std::size_t{row} * squares + column);
    }
};

template <std::size_t Size>
void add_to(std::vector<std::uint64_t>& sums, const std::array<std::uint32_t, Size>& counts) {
    sums.resize(Size);
    for (std::size_t b = 0; b < Size; ++b) {
        sums[b] += counts.at(b);
    }
}

// Visits that share rows never run at the same time (for_each_pair_tile), so counts by panel of rows need no lock.
void count_tile(const PackedPoints& x, const PackedPoints& y, const PairTile& tile, Counts& counts) {
    alignas(64) std::array<float, tile_size> y_values;  // NOLINT(*-member-init): filled by the product
    multiply_panels(y.panel(tile.first_row / panel_width), y.panel(tile.first_column / panel_width), y.depth(),
                    y_values.data(), tile_width);
    TileAngles x_angle(x, x, tile, tile.values);
    TileAngles y_angle(y, y, tile, y_values.data());
    for (Index i = 0; i < tile.rows; ++i) {
        for (Index j = tile.diagonal ? i + 1 : 0; j < tile.columns; ++j) {
            counts.add(x_angle(i, j) * degrees, y_angle(i, j) * degrees);
        }
    }
}

void require_shapes(const PointsView& x, const PointsView& y, const AngleDensityOptions& options) {
    if (y.count != x.count) {
        throw InvalidArgument("y", std::to_string(y.count) + " points",
                              "must have as many points as x, which has " + std::to_string(x.count));
    }
    if (x.dimension == 0 || y.dimension == 0) {
        throw InvalidArgument(x.dimension == 0 ? "x" : "y", "0 dimensions", "must have at least 1 dimension");
    }
    if (options.points < 2) {
        throw InvalidArgument("points", std::to_string(options.points), "must be at least 2, for angles are of pairs");
    }
}

/// A sample of the points that have a direction in x.
std::vector<Index> chosen_points(const std::vector<double>& lengths, const AngleDensityOptions& options) {
    std::vector<Index> points;
    for (Index i = 0; i < lengths.size(); ++i) {
        if (lengths[i] > 0.0) {
            points.push_back(i);
        }
    }
    const auto places =
        sample_rows(static_cast<Index>(points.size()), options.points, options.seed, RandomStream::AngleDensity);
    std::vector<Index> chosen;
    chosen.reserve(places.size());
    for (const Index place : places) {
        chosen.push_back(points[place]);
    }
    return chosen;
}

}  // namespace

AngleDensity count_angles(const PointsView& x, const PointsView& y, const AngleDensityOptions& options,
                          const RunContext& context) {
    require_shapes(x, y, options);
    require_finite(x, "x");
    require_finite(y, "y");
    const std::vector<double> lengths = norms(x);
    const std::vector<Index> chosen = chosen_points(lengths, options);
    const auto count = static_cast<Index>(chosen.size());
    const std::uint64_t panels = (count + panel_width - 1) / panel_width;
    require_memory(context,
                   {{"the directions of sampled points",
                     PackedPoints::bytes(count, x.dimension) + PackedPoints::bytes(count, y.dimension)},
                    {"counts of angles", panels * sizeof(Counts)}},
                   "sample fewer points");

    const PackedPoints x_directions = pack_directions(x, lengths, chosen, context);
    const PackedPoints y_directions = pack_directions(y, norms(y), chosen, context);
    std::vector<Counts> counts(panels);
    for_each_pair_tile(
        x_directions, x_directions, context,
        [&](PairTile& tile) { count_tile(x_directions, y_directions, tile, counts[tile.first_row / panel_width]); },
        "angle density");

    AngleDensity result;
    add_to(result.in, Counts{}.in);
    add_to(result.out, Counts{}.out);
    add_to(result.density, Counts{}.density);
    for (const Counts& some : counts) {
        add_to(result.in, some.in);
        add_to(result.out, some.out);
        add_to(result.density, some.density);
    }
    result.points = count;
    result.pairs = std::uint64_t{count} * (std::max<Index>(count, 1) - 1) / 2;
    return result;
}

}  // namespace isogon
