#include "transform/output_cells.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include <string>

#include "isogon/core/error.hpp"
#include "isogon/core/parallel.hpp"
#include "isogon/core/trigonometry.hpp"
#include "isogon/neighbors/k_means.hpp"
#include "isogon/pairs/row_sample.hpp"
#include "isogon/pairs/tile_kernel.hpp"
#include "transform/placement_panel.hpp"
#include "transform/placement_rows.hpp"

namespace isogon {

namespace {

constexpr Index sample_for_each_cell = 64;
constexpr int rounds = 8;
constexpr Index tuning_rows = 256;
constexpr std::uint64_t seed_of_cells = 0;

Index cells_for(Index count) {
    return std::max<Index>(1, static_cast<Index>(2.0 * std::sqrt(static_cast<double>(count))));
}

/// The rows that are not zero, each of length 1, and their numbers.
struct UnitRows {
    explicit UnitRows(const PointsView& outputs) {
        const std::vector<double> lengths = norms(outputs);
        for (Index i = 0; i < outputs.count; ++i) {
            if (lengths[i] > 0.0) {
                numbers.push_back(i);
            }
        }
        if (numbers.empty()) {
            throw InputError("fitted points", "",
                             "none of " + std::to_string(outputs.count) +
                                 " has an output of a length above zero: there is nothing to place by");
        }
        rows = directions_of(outputs, lengths, numbers);
    }

    std::vector<Index> numbers;
    Points rows;
};

Points sampled(const Points& rows, Index requested) {
    const auto chosen = sample_rows(rows.count(), requested, seed_of_cells, RandomStream::NeighborClusters);
    Points sample(static_cast<Index>(chosen.size()), rows.dimension());
    for (Index r = 0; r < sample.count(); ++r) {
        std::copy(rows[chosen[r]].begin(), rows[chosen[r]].end(), sample[r].begin());
    }
    return sample;
}

}  // namespace

OutputCells::OutputCells(const PointsView& outputs, Index neighbors, const RunContext& context) {
    const UnitRows units(outputs);
    const Index cells = cells_for(units.rows.count());
    const auto most = std::min<std::uint64_t>(units.rows.count(), std::uint64_t{cells} * sample_for_each_cell);
    centroids_ = k_means(sampled(units.rows, static_cast<Index>(most)).view(), cells, rounds, seed_of_cells, context);
    const std::vector<Index> nearest = nearest_centroids(units.rows.view(), centroids_.view(), context);
    std::vector<Index> cell_of(outputs.count, 0);
    for (std::size_t r = 0; r < nearest.size(); ++r) {
        cell_of[units.numbers[r]] = nearest[r];
    }
    arrange(outputs, cell_of);
    probes_ = tuned_probes(neighbors, context);
}

void OutputCells::describe(ArchiveSchema& schema) {
    using Scalar = ArchiveArray::Scalar;
    constexpr double largest = 1.001;  // means of unit vectors, to rounding
    schema.size("M", {1, "n"});
    schema.add({.name = "output_centroids", .shape = {"M", "d"}, .values = {{-largest, largest}}});
    schema.add({.name = "output_cell_of", .scalar = Scalar::Uint32, .shape = {"n"}, .values = {{0, {"M", -1}}}});
    schema.add({.name = "output_probes", .scalar = Scalar::Uint64, .values = {{1, "M", ArchiveRange::Form::Whole}}});
}

OutputCells::OutputCells(const PointsView& outputs, const Archive& archive)
    : centroids_(archive.points("output_centroids")), probes_(static_cast<Index>(archive.count("output_probes"))) {
    arrange(outputs, archive.numbers<std::uint32_t>("output_cell_of", {outputs.count}));
}

void OutputCells::save(Archive& archive) const {
    std::vector<std::uint32_t> cell_of(place_of_.size(), 0);
    for (Index c = 0; c < cells(); ++c) {
        for (Index place = first_[c]; place < first_[c + 1]; ++place) {
            cell_of[rows_[place]] = c;
        }
    }
    archive.add("output_centroids", centroids_.view());
    archive.add("output_cell_of", std::move(cell_of));
    archive.add_count("output_probes", probes_);
}

/// By cell, and by row within one.
void OutputCells::arrange(const PointsView& outputs, const std::vector<Index>& cell_of) {
    const UnitRows units(outputs);
    first_.assign(std::size_t{centroids_.count()} + 1, 0);
    for (const Index row : units.numbers) {
        ++first_[std::size_t{cell_of[row]} + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<Index> next(first_.begin(), first_.end() - 1);
    rows_.resize(units.numbers.size());
    places_.resize(std::max<std::size_t>(rows_.size(), cells()));
    std::iota(places_.begin(), places_.end(), Index{0});
    place_of_.assign(outputs.count, nowhere);
    directions_ = MultiVector<float>(units.rows.count(), outputs.dimension);
    for (Index r = 0; r < units.rows.count(); ++r) {
        const Index place = next[cell_of[units.numbers[r]]]++;
        rows_[place] = units.numbers[r];
        place_of_[units.numbers[r]] = place;
        std::copy(units.rows[r].begin(), units.rows[r].end(), directions_.row(place));
    }
    packed_centroids_ = MultiVector<float>(centroids_.count(), outputs.dimension);
    packed_ = PackedPoints(directions_.rows(), directions_.columns());
    for (Index place = 0; place < packed_.count(); ++place) {
        for (Index k = 0; k < packed_.depth(); ++k) {
            packed_.at(place, k) = directions_.row(place)[k];
        }
    }
    for (const double length : norms(centroids_.view())) {
        half_squares_.push_back(static_cast<float>(0.5 * length * length));
    }
    for (Index c = 0; c < cells(); ++c) {
        std::copy(centroids_[c].begin(), centroids_[c].end(), packed_centroids_.row(c));
    }
}

/// The nearest cells first in the order, by ascending cell.
void OutputCells::order_cells(const float* u, Index probes, Scratch& scratch) const {
    scratch.scores.resize(cells());
    multiply_listed(u, packed_centroids_, std::span(places_).first(cells()), scratch.scores.data());
    for (Index c = 0; c < cells(); ++c) {
        scratch.scores[c] -= half_squares_[c];
    }
    scratch.order.resize(cells());
    std::iota(scratch.order.begin(), scratch.order.end(), Index{0});
    const auto nearer = [&](Index a, Index b) {
        return scratch.scores[a] != scratch.scores[b] ? scratch.scores[a] > scratch.scores[b] : a < b;
    };
    const auto end = scratch.order.begin() + static_cast<std::ptrdiff_t>(std::min(probes, cells()));
    if (end != scratch.order.end()) {
        std::nth_element(scratch.order.begin(), end, scratch.order.end(), nearer);
    }
    scratch.order.erase(end, scratch.order.end());
    std::sort(scratch.order.begin(), scratch.order.end());
}

void OutputCells::find_above(const float* u, float floor, Index probes, Scratch& scratch,
                             std::vector<Index>& found) const {
    order_cells(u, probes, scratch);
    for (const Index cell : scratch.order) {
        for (Index place = first_[cell]; place < first_[cell + 1];) {
            const Index panel = place / static_cast<Index>(panel_width);
            const auto panel_begin = static_cast<Index>(panel * panel_width);
            const Index end = std::min(first_[cell + 1], static_cast<Index>(panel_begin + panel_width));
            std::uint64_t above = panel_above(u, packed_.panel(panel), packed_.depth(), floor);
            above &= ((std::uint64_t{1} << (end - panel_begin)) - 1) & (~std::uint64_t{0} << (place - panel_begin));
            for (; above != 0; above &= above - 1) {
                found.push_back(panel_begin + static_cast<Index>(std::countr_zero(above)));
            }
            place = end;
        }
    }
}

/// How many cells hold the share of what lies within the margin of the neighbours of a sample. For each cell, by its
/// position among the nearest, what it holds is counted once.
Index OutputCells::tuned_probes(Index neighbors, const RunContext& context) const {
    const auto sample = sample_rows(directions_.rows(), tuning_rows, seed_of_cells, RandomStream::NeighborSample);
    std::vector<std::vector<std::uint64_t>> counts(sample.size(), std::vector<std::uint64_t>(cells(), 0));
    parallel_tasks(context, sample.size(), [&](std::size_t s) {
        throw_if_cancelled_in_task(context);
        const float* u = directions_.row(sample[s]);
        std::vector<float> products(directions_.rows());
        multiply_listed(u, directions_, std::span(places_).first(products.size()), products.data());
        std::vector<float> sorted = products;
        const auto kth = sorted.begin() + std::min<std::ptrdiff_t>(neighbors, std::ssize(sorted) - 1);
        std::nth_element(sorted.begin(), kth, sorted.end(), std::greater<>());  // the row itself comes before it
        const float floor = floor_around(double{*kth});
        Scratch scratch;
        order_cells(u, cells(), scratch);
        std::sort(scratch.order.begin(), scratch.order.end(), [&](Index a, Index b) {
            return scratch.scores[a] != scratch.scores[b] ? scratch.scores[a] > scratch.scores[b] : a < b;
        });
        for (std::size_t k = 0; k < scratch.order.size(); ++k) {
            const Index cell = scratch.order[k];
            counts[s][k] = static_cast<std::uint64_t>(
                std::count_if(products.begin() + first_[cell], products.begin() + first_[cell + 1],
                              [floor](float product) { return product > floor; }));
        }
    });
    std::vector<std::uint64_t> by_position(cells(), 0);
    for (const auto& row : counts) {
        std::transform(row.begin(), row.end(), by_position.begin(), by_position.begin(), std::plus<>());
    }
    const auto all = std::accumulate(by_position.begin(), by_position.end(), std::uint64_t{0});
    std::uint64_t found = 0;
    for (Index probes = 1; probes <= cells(); ++probes) {
        found += by_position[probes - 1];
        if (static_cast<double>(found) >= share_found * static_cast<double>(all)) {
            return probes;
        }
    }
    return cells();
}

std::uint64_t OutputCells::bytes(Index count, Index dimension) {
    const std::uint64_t unit = std::uint64_t{count} * dimension * sizeof(float);
    // Directions twice, their copy while they are arranged, three lists of numbers, the sample of k-means, and its
    // centroids.
    return MultiVector<float>::bytes(count, dimension) + PackedPoints::bytes(count, dimension) + unit +
           std::uint64_t{count} * 4 * sizeof(Index) +
           std::min<std::uint64_t>(count, std::uint64_t{cells_for(count)} * sample_for_each_cell) * dimension *
               sizeof(float) +
           2 * MultiVector<float>::bytes(cells_for(count), dimension);
}

float floor_around(double threshold) {
    // |u - anchor| <= reach is an angle of at most 2 asin(reach / 2), and angles add up.
    const double angle =
        elementary::acos(std::clamp(threshold, -1.0, 1.0)) + 2.0 * elementary::asin(0.5 * certain_reach);
    constexpr double rounding = 1e-6;
    return static_cast<float>(elementary::cos(std::min(angle, std::numbers::pi)) - rounding);
}

}  // namespace isogon
