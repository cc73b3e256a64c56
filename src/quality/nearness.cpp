#include "quality/nearness.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "isogon/core/parallel.hpp"
#include "isogon/pairs/pair_tiles.hpp"
#include "isogon/pairs/tile_kernel.hpp"
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
    : rows_(rows.begin(), rows.end()), nearness_(nearness) {
    const Centring centring = nearness == Nearness::Euclidean ? find_centring(points) : Centring{};
    const auto packed = [&](std::span<const Index> chosen) {
        return nearness == Nearness::Euclidean ? pack_centred(points, centring, chosen, context)
                                               : pack_directions(points, lengths, chosen, context);
    };
    all_ = packed(every_point(points.count));
    if (rows.size() < points.count) {
        rows_packed_ = packed(rows);
    }
    half_squares_ =
        nearness == Nearness::Euclidean ? half_squares(all_, context) : std::vector<float>(points.count, 0.0F);
}

NearnessSpace::NearnessSpace(const PointsView& lifted, std::span<const Index> rows, const RunContext& context)
    : rows_(rows.begin(), rows.end()),
      all_(pack(lifted, {}, {}, context)),
      rows_packed_(static_cast<Index>(rows.size()), lifted.dimension),
      half_squares_(lifted.count, 0.0F),
      lifted_(true) {
    const Index last = lifted.dimension - 1;
    for (Index r = 0; r < rows_packed_.count(); ++r) {
        for (Index k = 0; k <= last; ++k) {
            const float value = lifted[rows_[r]][k];
            rows_packed_.at(r, k) = k == last ? -value : value;
        }
    }
}

void NearnessSpace::for_each_row(const RunContext& context,
                                 const std::function<void(Index, std::span<const double>)>& visit) const {
    for_each_row_band(
        left(), all_, context,
        [&](RowBand& band) {
            std::vector<double> keys(band.columns);
            for (Index r = 0; r < band.rows; ++r) {
                const Index row = band.first_row + r;
                write_keys(row, band.values + r * band.stride, keys);
                keys[rows_[row]] = std::numeric_limits<double>::infinity();
                visit(row, keys);
            }
        },
        "ranks");
}

void NearnessSpace::write_keys(Index row, const float* products, std::span<double> keys) const {
    // With half the squared length of the row the keys are half the squared distances: all to float32's rounding of the
    // lengths, and too little where they are much smaller than these.
    constexpr double near_share = 1.0 - double{near_cosine};
    const bool cosine = nearness_ == Nearness::Cosine;
    const double half_row = cosine ? 1.0 : double{half_squares_[rows_[row]]};
    std::array<double, panel_width> squares;  // NOLINT(*-member-init): filled before each use
    for (std::size_t p = 0; p < all_.panels(); ++p) {
        const Range range = block_range(p, keys.size(), panel_width);
        bool measured = false;
        for (std::size_t j = range.begin; j < range.end; ++j) {
            const double half_square = half_squares_[j];
            keys[j] = half_square - double{products[j]};
            if (!lifted_ && keys[j] + half_row < near_share * (half_square + half_row)) {
                if (!measured) {
                    squared_differences(left().panel(static_cast<Index>(row / panel_width)),
                                        static_cast<Index>(row % panel_width), all_.panel(static_cast<Index>(p)),
                                        all_.depth(), squares);
                    measured = true;
                }
                keys[j] = 0.5 * squares.at(j - range.begin) - half_row;
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

/// Beyond this many ranks, sorting the whole row is cheaper than counting for each.
constexpr std::size_t counted_ranks = 48;

/// "Nearer" as an order of indices: by key, then by index.
struct Nearer {
    std::span<const double> keys;
    bool operator()(Index a, Index b) const { return keys[a] < keys[b] || (keys[a] == keys[b] && a < b); }
};

Index rank_by_counting(std::span<const double> keys, Index point) {
    const double key = keys[point];
    Index nearer = 0;
    for (Index j = 0; j < point; ++j) {
        nearer += keys[j] <= key ? 1U : 0U;
    }
    for (std::size_t j = point; j < keys.size(); ++j) {
        nearer += keys[j] < key ? 1U : 0U;
    }
    return nearer + 1;
}

std::vector<Index> ranks_by_sorting(std::span<const double> keys) {
    std::vector<Index> order(keys.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::sort(order.begin(), order.end(), Nearer{keys});
    std::vector<Index> ranks(keys.size());
    for (Index place = 0; place < order.size(); ++place) {
        ranks[order[place]] = place + 1;
    }
    return ranks;
}

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

std::uint64_t rank_excess(std::span<const double> keys, std::span<const Index> nearest, std::span<const Index> others) {
    const Nearer nearer{keys};
    std::vector<Index> beyond;
    std::copy_if(others.begin(), others.end(), std::back_inserter(beyond),
                 [&](Index point) { return nearer(nearest.back(), point); });
    std::uint64_t ranks = 0;
    if (beyond.size() <= counted_ranks) {
        for (const Index point : beyond) {
            ranks += rank_by_counting(keys, point);
        }
    } else {
        const auto all = ranks_by_sorting(keys);
        for (const Index point : beyond) {
            ranks += all[point];
        }
    }
    return ranks - beyond.size() * nearest.size();
}

std::int64_t majority_label(std::span<const Index> neighbors, std::span<const std::int64_t> labels) {
    std::vector<std::int64_t> votes;
    votes.reserve(neighbors.size());
    for (const Index neighbor : neighbors) {
        votes.push_back(labels[neighbor]);
    }
    std::sort(votes.begin(), votes.end());
    auto best = votes.begin();
    std::ptrdiff_t most = 0;
    for (auto first = votes.begin(); first != votes.end();) {
        const auto last = std::upper_bound(first, votes.end(), *first);
        if (last - first > most) {
            most = last - first;
            best = first;
        }
        first = last;
    }
    return *best;
}

}  // namespace isogon
