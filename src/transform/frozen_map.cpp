#include "transform/frozen_map.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/elementary.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "forces/sampled_layout.hpp"
#include "graph/calibrated_affinities.hpp"
#include "isogon/core/points.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "neighbors/metric_rows.hpp"
#include "transform/undirected_rows.hpp"

namespace isogon {

namespace {

/// KL(p || q) at a place, less sum p log p, and minus half its gradient over sum p k.
struct Downhill {
    double value = 0.0;
    std::vector<double> step{};
};

Downhill downhill(const MapAttraction& attraction, const std::vector<double>& place) {
    const auto& [map, neighbors, weights] = attraction;
    Downhill result{0.0, std::vector<double>(place.size())};
    std::vector<double> pushes(place.size());
    double total = 0.0;
    for (Index l = 0; l < map.count; ++l) {
        const double closeness = 1.0 / (1.0 + squared_distance(place.data(), map[l].data(), place.size()));
        total += closeness;
        for (std::size_t c = 0; c < place.size(); ++c) {
            pushes[c] += closeness * closeness * (place[c] - double{map[l][c]});
        }
    }
    double strength = 0.0;
    for (std::size_t k = 0; k < neighbors.size(); ++k) {
        const auto other = map[neighbors[k]];
        const double squared = squared_distance(place.data(), other.data(), place.size());
        const double pull = weights[k] / (1.0 + squared);
        strength += pull;
        result.value += weights[k] * elementary::log1p(squared);
        for (std::size_t c = 0; c < place.size(); ++c) {
            result.step[c] += pull * (double{other[c]} - place[c]);
        }
    }
    for (std::size_t c = 0; c < place.size(); ++c) {
        result.step[c] = (result.step[c] + pushes[c] / total) / strength;
    }
    result.value += elementary::log(total);
    return result;
}

}  // namespace

void settle_by_samples(const MapAttraction& attraction, const SamplingOptions& options, std::uint64_t stream,
                       std::vector<double>& place, const RunContext& context) {
    constexpr int epochs_between_checks = 1000;
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15U;  // separates the random streams of epochs
    SampledSteps steps(options.kernel, attraction.map, 1.0, options.negatives);
    std::vector<float> own(place.size());
    std::transform(place.begin(), place.end(), own.begin(), [](double value) { return static_cast<float>(value); });
    for (int epoch = 0; epoch < options.epochs; ++epoch) {
        if (epoch % epochs_between_checks == 0) {
            throw_if_cancelled_in_task(context);
        }
        const double rate = options.learning_rate * (1.0 - static_cast<double>(epoch) / options.epochs);
        steps.move(
            {own.data(), attraction.neighbors, attraction.weights}, epoch, static_cast<float>(rate),
            Random(options.seed, RandomStream::NegativeSamples, stream + static_cast<std::uint64_t>(epoch) * odd));
    }
    std::copy(own.begin(), own.end(), place.begin());
}

double settle_by_divergence(const MapAttraction& attraction, std::vector<double>& place) {
    constexpr int most_values = 30;
    constexpr double settled = 1e-12;
    constexpr double growth = 1.5;  // steps that only shrink would stall before the minimum
    Downhill here = downhill(attraction, place);
    double share = 1.0;
    for (int values = 1; values < most_values; ++values) {
        std::vector<double> next = place;
        for (std::size_t c = 0; c < place.size(); ++c) {
            next[c] += share * here.step[c];
        }
        Downhill there = downhill(attraction, next);
        if (!(there.value < here.value)) {
            share *= 0.5;
            continue;
        }
        share *= growth;
        const double fall = here.value - there.value;
        place = std::move(next);
        here = std::move(there);
        if (fall <= settled) {
            break;
        }
    }
    return here.value;
}

namespace {

constexpr std::size_t mapped_rows_of_task = 8;

/// A hash of all bits of a row, but for the power of two that its largest number has, so that no unit of length changes
/// what is drawn for it: FNV-1a (Fowler, Noll, Vo) over words.
std::uint64_t digest(std::span<const float> row) {
    float largest = 0.0F;
    for (const float value : row) {
        largest = std::max(largest, std::abs(value));
    }
    const int exponent = largest > 0.0F ? -std::ilogb(largest) : 0;
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (const float value : row) {
        hash = (hash ^ std::bit_cast<std::uint32_t>(std::ldexp(value, exponent))) * 0x100000001B3U;
    }
    return hash;
}

/// The mean of rows of a map by weights whose sum is above 0.
std::vector<double> mean_of(const MapAttraction& attraction) {
    const auto& [map, neighbors, weights] = attraction;
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::vector<double> mean(map.dimension);
    for (std::size_t k = 0; k < neighbors.size(); ++k) {
        for (Index c = 0; c < map.dimension; ++c) {
            mean[c] += weights[k] / sum * double{map[neighbors[k]][c]};
        }
    }
    return mean;
}

/// From distances to weights, in place.
void weigh(const FrozenDivergence& forces, std::span<double> distances) {
    perplexity_probabilities(distances, forces.perplexity);
}

/// The nearest is sampled in every epoch, independent of the weights.
void weigh(const FrozenSamples& /*forces*/, std::span<double> distances) {
    fuzzy_memberships(distances);
}

}  // namespace

FrozenMap::FrozenMap(const PointsView& inputs, const PointsView& coordinates, const Forces& forces)
    : inputs_(inputs), coordinates_(coordinates), forces_(forces) {
    for (Index i = 0; i < inputs_.count; ++i) {
        digests_.emplace_back(digest(inputs_[i]), i);
    }
    std::sort(digests_.begin(), digests_.end());
}

std::string_view FrozenMap::only_way() const {
    return "places new points in its map by forces already";
}

/// The first fitted row that equals this one. Not looked for among its neighbours: by cosine, or among duplicates, more
/// rows than these may lie in its place.
std::optional<Index> FrozenMap::equal_to(std::span<const float> row) const {
    const auto first = std::lower_bound(digests_.begin(), digests_.end(), std::pair(digest(row), Index{0}));
    for (auto known = first; known != digests_.end() && known->first == first->first; ++known) {
        if (std::equal(row.begin(), row.end(), inputs_[known->second].begin())) {
            return known->second;
        }
    }
    return {};
}

Points FrozenMap::coordinates_of(const PointsView& rows, Transformed& transformed, const RunContext& context) const {
    require_finite(rows, "input");
    return std::visit([&](const auto& forces) { return coordinates_by(forces, rows, transformed.summary, context); },
                      forces_);
}

template <class SomeForces>
Points FrozenMap::coordinates_by(const SomeForces& forces, const PointsView& rows, Summary& summary,
                                 const RunContext& context) const {
    require_rows_for(forces.metric, rows, "input");
    const Index k = std::min(static_cast<Index>(forces.neighbors), inputs_.count);
    const NeighborLists lists = exact_neighbors(rows, inputs_, k, forces.metric, context);
    const std::vector<Index> undirected = undirected_rows(rows, forces.metric, summary);
    std::vector<float> middle;
    if (!undirected.empty()) {
        middle = place_without_direction(inputs_, coordinates_, forces.metric);
    }
    Points result(rows.count, coordinates_.dimension);
    parallel_blocks(context, rows.count, mapped_rows_of_task, [&](Range range) {
        std::vector<double> weights(k);
        for (auto i = static_cast<Index>(range.begin); i < range.end; ++i) {
            throw_if_cancelled_in_task(context);
            if (const auto equal = equal_to(rows[i])) {
                std::copy(coordinates_[*equal].begin(), coordinates_[*equal].end(), result[i].begin());
                continue;
            }
            if (std::binary_search(undirected.begin(), undirected.end(), i)) {
                std::copy(middle.begin(), middle.end(), result[i].begin());
                continue;
            }
            // Rows beyond all others may have a distance that is more than float32 holds.
            std::transform(lists.distances_of(i).begin(), lists.distances_of(i).end(), weights.begin(),
                           [](float d) { return double{std::min(d, std::numeric_limits<float>::max())}; });
            weigh(forces, weights);
            const MapAttraction attraction{coordinates_, lists[i], weights};
            std::vector<double> place = mean_of(attraction);
            if constexpr (std::is_same_v<SomeForces, FrozenSamples>) {
                settle_by_samples(attraction, forces.sampling, digest(rows[i]), place, context);
            } else {
                settle_by_divergence(attraction, place);
            }
            std::transform(place.begin(), place.end(), result[i].begin(),
                           [](double value) { return static_cast<float>(value); });
        }
    });
    return result;
}

}  // namespace isogon
