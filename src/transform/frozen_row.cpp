#include "transform/frozen_row.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "isogon/core/points.hpp"
#include "isogon/forces/sampled_steps.hpp"

namespace isogon {

namespace {

/// KL(p || q) at a place, less sum p log p, and minus half its gradient over sum p k.
struct Downhill {
    double value = 0.0;
    std::vector<double> step{};
};

Downhill downhill(const PointsView& map, std::span<const Index> neighbors, std::span<const double> weights,
                  const std::vector<double>& place) {
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
        result.value += weights[k] * std::log1p(squared);
        for (std::size_t c = 0; c < place.size(); ++c) {
            result.step[c] += pull * (double{other[c]} - place[c]);
        }
    }
    for (std::size_t c = 0; c < place.size(); ++c) {
        result.step[c] = (result.step[c] + pushes[c] / total) / strength;
    }
    result.value += std::log(total);
    return result;
}

}  // namespace

void settle_by_samples(const PointsView& map, std::span<const Index> neighbors, std::span<const double> weights,
                       const SamplingOptions& options, std::uint64_t stream, std::vector<double>& place,
                       const RunContext& context) {
    constexpr int epochs_between_checks = 1000;
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15U;  // separates the random streams of epochs
    SampledSteps steps(options.kernel, map, 1.0, options.negatives);
    std::vector<float> own(place.size());
    std::transform(place.begin(), place.end(), own.begin(), [](double value) { return static_cast<float>(value); });
    for (int epoch = 0; epoch < options.epochs; ++epoch) {
        if (epoch % epochs_between_checks == 0) {
            throw_if_cancelled(context);
        }
        const double rate = options.learning_rate * (1.0 - static_cast<double>(epoch) / options.epochs);
        steps.move(
            {own.data(), neighbors, weights}, epoch, static_cast<float>(rate),
            Random(options.seed, RandomStream::NegativeSamples, stream + static_cast<std::uint64_t>(epoch) * odd));
    }
    std::copy(own.begin(), own.end(), place.begin());
}

double settle_by_divergence(const PointsView& map, std::span<const Index> neighbors, std::span<const double> weights,
                            std::vector<double>& place) {
    constexpr int most_values = 30;
    constexpr double settled = 1e-12;
    constexpr double growth = 1.5;  // steps that only shrink would stall before the minimum
    Downhill here = downhill(map, neighbors, weights, place);
    double share = 1.0;
    for (int values = 1; values < most_values; ++values) {
        std::vector<double> next = place;
        for (std::size_t c = 0; c < place.size(); ++c) {
            next[c] += share * here.step[c];
        }
        Downhill there = downhill(map, neighbors, weights, next);
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

}  // namespace isogon
