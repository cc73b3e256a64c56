#include "quality/nearness.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/parallel.hpp"
#include "pairs/pair_tiles.hpp"
#include "pairs/tile_kernel.hpp"
#include "quality/angles.hpp"

namespace isogon {

namespace {

std::vector<double> mean_of(const PointsView& points) {
    std::vector<double> mean(points.dimension);
    for (Index i = 0; i < points.count; ++i) {
        const auto row = points[i];
        for (Index k = 0; k < points.dimension; ++k) {
            mean[k] += double{row[k]};
        }
    }
    for (double& value : mean) {
        value /= points.count;
    }
    return mean;
}

/// Sum of squares of all coordinates after a translation.
double sum_of_squares(const PointsView& points, const std::vector<double>& offset) {
    double sum = 0.0;
    for (Index i = 0; i < points.count; ++i) {
        const auto row = points[i];
        for (Index k = 0; k < points.dimension; ++k) {
            const double value = double{row[k]} - offset[k];
            sum += value * value;
        }
    }
    return sum;
}

double power_of_two_below(double value) {
    return std::ldexp(1.0, std::ilogb(value));
}

void round_to_spread(std::vector<double>& mean, double variance) {
    if (variance == 0.0) {
        return;
    }
    const double step = power_of_two_below(std::sqrt(variance));
    for (double& value : mean) {
        value = std::round(value / step) * step;
    }
}

double largest_coordinate(const PointsView& points, const std::vector<double>& offset) {
    double largest = 0.0;
    for (Index i = 0; i < points.count; ++i) {
        const auto row = points[i];
        for (Index k = 0; k < points.dimension; ++k) {
            largest = std::max(largest, std::abs(double{row[k]} - offset[k]));
        }
    }
    return largest;
}

}  // namespace

Centring find_centring(const PointsView& points) {
    Centring centring{mean_of(points)};
    const std::vector<double> origin(points.dimension);
    const double centred = sum_of_squares(points, centring.offset);
    if (centred > sum_of_squares(points, origin) / 4.0) {
        centring.offset = origin;
    } else {
        round_to_spread(centring.offset, centred / static_cast<double>(points.count) / points.dimension);
    }
    const double largest = largest_coordinate(points, centring.offset);
    centring.scale = largest > 0.0 ? 1.0 / power_of_two_below(largest) : 1.0;
    return centring;
}

namespace {

PackedPoints pack_centred(const PointsView& points, const Centring& centring, std::span<const Index> chosen,
                          const RunContext& context) {
    PackedPoints packed(static_cast<Index>(chosen.size()), points.dimension);
    parallel_blocks(context, chosen.size(), panel_width, [&](Range places) {
        for (std::size_t place = places.begin; place < places.end; ++place) {
            const auto values = points[chosen[place]];
            for (Index k = 0; k < points.dimension; ++k) {
                const double value = (double{values[k]} - centring.offset[k]) * centring.scale;
                packed.at(static_cast<Index>(place), k) = static_cast<float>(value);
            }
        }
    });
    return packed;
}

/// |b|^2 / 2 by the very product that the keys use, so that the distance of equal points is exactly zero.
std::vector<float> half_squares(const PackedPoints& points, const RunContext& context) {
    std::vector<float> halves(points.count());
    parallel_tasks(context, points.panels(), [&](std::size_t p) {
        alignas(64) std::array<float, tile_size> values;  // NOLINT(*-member-init): filled by the product
        const PanelView<float> panel = points.panel(static_cast<Index>(p));
        multiply_panels(panel, panel, points.depth(), values.data(), tile_width);
        const Range range = block_range(p, points.count(), panel_width);
        for (std::size_t i = 0; i < range.size(); ++i) {
            halves[range.begin + i] = values[i * tile_width + i] / 2.0F;
        }
    });
    return halves;
}

std::vector<Index> every_point(Index count) {
    std::vector<Index> all(count);
    std::iota(all.begin(), all.end(), Index{0});
    return all;
}

}  // namespace

NearnessSpace::NearnessSpace(const PointsView& points, std::span<const double> lengths, Nearness nearness,
                             std::span<const Index> rows, const RunContext& context)
    : rows_(rows.begin(), rows.end()), points_(points) {
    const Centring centring = nearness == Nearness::Euclidean ? find_centring(points) : Centring{};
    const auto packed = [&](std::span<const Index> chosen) {
        return nearness == Nearness::Euclidean ? pack_centred(points, centring, chosen, context)
                                               : pack_directions(points, lengths, chosen, context);
    };
    all_ = packed(every_point(points.count));
    if (rows.size() < points.count) {
        rows_packed_ = packed(rows);
    }
    if (nearness == Nearness::Euclidean) {
        half_squares_ = half_squares(all_, context);
        scale_ = centring.scale;
    }
}

NearnessSpace::NearnessSpace(const PointsView& lifted, std::span<const Index> rows, const RunContext& context)
    : rows_(rows.begin(), rows.end()),
      all_(pack(lifted, {}, {}, context)),
      rows_packed_(static_cast<Index>(rows.size()), lifted.dimension),
      lifted_(true) {
    const Index last = lifted.dimension - 1;
    for (Index r = 0; r < rows_packed_.count(); ++r) {
        for (Index k = 0; k <= last; ++k) {
            const float value = lifted[rows_[r]][k];
            rows_packed_.at(r, k) = k == last ? -value : value;
        }
    }
}

KeyOrigin NearnessSpace::origin(Index row) const {
    const bool cosine = half_squares_.empty();
    return {.half_row = cosine ? 1.0 : double{half_squares_[rows_[row]]},
            .half_squares = half_squares_,
            .depth = all_.depth(),
            .measure = [this, row, cosine](Index j) {
                MeasuredPair pair =
                    measure_pair(points_[rows_[row]], points_[j], cosine ? Metric::Cosine : Metric::Euclidean);
                pair.nearness *= scale_ * scale_;
                pair.rounding *= scale_ * scale_;
                return pair;
            }};
}

namespace {

/// Share of the mean of the two half squared lengths: products lose digits where half the squared distance is less.
constexpr double near_share = 1.0 - double{near_cosine};

/// Whether a pair is measured by its difference.
bool is_near(const KeyOrigin& origin, Index j, double key) {
    return key + origin.half_row < near_share * (origin.half_square(j) + origin.half_row);
}

/// The products of 48 rows with all points.
void multiply_band(PanelView<float> rows, const PackedPoints& all, AlignedArray<float>& values) {
    const std::size_t stride = std::size_t{all.panels()} * tile_width;
    for (Index q = 0; q < all.panels(); ++q) {
        multiply_panels(rows, all.panel(q), all.depth(), values.data() + q * tile_width, stride);
    }
}

}  // namespace

void for_each_row(std::span<const NearnessSpace* const> spaces, const RunContext& context,
                  const std::function<void(Index, std::span<std::vector<double>>)>& visit) {
    const NearnessSpace& first = *spaces.front();
    const auto others = spaces.subspan(1);
    for_each_row_band(
        first.left(), first.all_, context,
        [&](RowBand& band) {
            std::vector<AlignedArray<float>> bands(others.size());
            for (std::size_t s = 0; s < others.size(); ++s) {
                bands[s] = AlignedArray<float>(band.stride * tile_width);
                multiply_band(others[s]->left().panel(static_cast<Index>(band.first_row / panel_width)),
                              others[s]->all_, bands[s]);
            }
            std::vector<std::vector<double>> keys(spaces.size(), std::vector<double>(band.columns));
            for (Index r = 0; r < band.rows; ++r) {
                const Index row = band.first_row + r;
                for (std::size_t s = 0; s < spaces.size(); ++s) {
                    const float* products = s == 0 ? band.values : bands[s - 1].data();
                    spaces[s]->write_keys(row, products + r * band.stride, keys[s]);
                    keys[s][first.rows_[row]] = std::numeric_limits<double>::infinity();
                }
                visit(row, keys);
            }
        },
        "ranks");
}

void NearnessSpace::write_keys(Index row, const float* products, std::span<double> keys) const {
    // With half the squared length of the row the keys are half the squared distances: all to float32's rounding of the
    // lengths, and too little where they are much smaller than these.
    const KeyOrigin from = origin(row);
    std::array<double, panel_width> squares;  // NOLINT(*-member-init): filled before each use
    for (std::size_t p = 0; p < all_.panels(); ++p) {
        const Range range = block_range(p, keys.size(), panel_width);
        bool measured = false;
        for (std::size_t j = range.begin; j < range.end; ++j) {
            keys[j] = from.half_square(static_cast<Index>(j)) - double{products[j]};
            if (!lifted_ && is_near(from, static_cast<Index>(j), keys[j])) {
                if (!measured) {
                    squared_differences(left().panel(static_cast<Index>(row / panel_width)),
                                        static_cast<Index>(row % panel_width), all_.panel(static_cast<Index>(p)),
                                        all_.depth(), squares);
                    measured = true;
                }
                keys[j] = 0.5 * squares.at(j - range.begin) - from.half_row;
            }
        }
    }
}

std::uint64_t NearnessSpace::bytes(Index count, Index dimension, Index rows, int threads) {
    return PackedPoints::bytes(count, dimension) + (rows < count ? PackedPoints::bytes(rows, dimension) : 0) +
           std::uint64_t{count} * sizeof(float) + row_band_bytes(count, threads) +
           std::uint64_t{count} * static_cast<std::uint64_t>(threads) * sizeof(double);
}

namespace {

/// "Nearer" as an order of indices: by key, then by index.
struct Nearer {
    std::span<const double> keys;
    bool operator()(Index a, Index b) const { return keys[a] < keys[b] || (keys[a] == keys[b] && a < b); }
};

}  // namespace

void find_nearest(std::span<const double> keys, std::span<Index> nearest) {
    const Nearer nearer{keys};
    const auto k = static_cast<Index>(nearest.size());
    std::iota(nearest.begin(), nearest.end(), Index{0});
    std::make_heap(nearest.begin(), nearest.end(), nearer);
    // Ascending j: a later point of the same key as the worst is never nearer.
    double worst = keys[nearest.front()];
    for (Index j = k; j < keys.size(); ++j) {
        if (keys[j] < worst) {
            std::pop_heap(nearest.begin(), nearest.end(), nearer);
            nearest.back() = j;
            std::push_heap(nearest.begin(), nearest.end(), nearer);
            worst = keys[nearest.front()];
        }
    }
    std::sort_heap(nearest.begin(), nearest.end(), nearer);
}

bool settle_ties(const KeyOrigin& origin, Index k, Index kth, std::span<double> keys) {
    const double key = keys[kth];
    // Rounding of keys. Differences: a share of themselves. Products: a sum in chunks of 128, each rounded once, the
    // sums of the chunks once more; so are both squares.
    const bool near = is_near(origin, kth, key);
    const double depth = origin.depth;
    const double rounding = near ? 0.0 : std::ldexp(std::min(depth, 128.0) + depth / 128.0 + 8.0, -24);
    const double of_kth = rounding * (2.0 * origin.half_row + origin.half_square(kth)) +
                          0x1p-18 * std::max(0.0, key + origin.half_row) + 4.0 * origin.measure(kth).rounding;
    std::vector<Index> open;
    bool all_equal = true;
    for (Index j = 0; j < keys.size(); ++j) {
        if (std::abs(keys[j] - key) <= of_kth + rounding * origin.half_square(j)) {
            open.push_back(j);
            all_equal = all_equal && keys[j] == key;
        }
    }
    if (all_equal) {
        return false;
    }
    std::vector<MeasuredPair> pairs(open.size());
    for (std::size_t o = 0; o < open.size(); ++o) {
        pairs[o] = origin.measure(open[o]);
        keys[open[o]] = pairs[o].nearness - origin.half_row;
    }
    std::vector<Index> nearest(k);
    find_nearest(keys, nearest);
    const MeasuredPair last = origin.measure(nearest.back());
    const double of_last = keys[nearest.back()];
    for (std::size_t o = 0; o < open.size(); ++o) {
        keys[open[o]] = tie(pairs[o], last) ? of_last : keys[open[o]];
    }
    return true;
}

}  // namespace isogon
