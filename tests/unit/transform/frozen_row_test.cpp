#include "transform/frozen_row.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "reference/point_sets.hpp"

namespace isogon::frozen_row_test {
namespace {

const std::vector<Index> neighbors{3, 7, 11};
const std::vector<double> weights{0.5, 0.3, 0.2};

double squared_distance(const std::vector<double>& place, std::span<const float> other) {
    double sum = 0.0;
    for (std::size_t c = 0; c < place.size(); ++c) {
        sum += std::pow(place[c] - double{other[c]}, 2);
    }
    return sum;
}

/// sum p log(1 / q) of its definition.
double cross_entropy(const Points& map, const std::vector<double>& place) {
    double total = 0.0;
    for (Index l = 0; l < map.count(); ++l) {
        total += 1.0 / (1.0 + squared_distance(place, map[l]));
    }
    double sum = 0.0;
    for (std::size_t k = 0; k < neighbors.size(); ++k) {
        sum -= weights[k] * std::log(1.0 / (1.0 + squared_distance(place, map[neighbors[k]])) / total);
    }
    return sum;
}

TEST(FrozenRow, TheDivergenceFallsToWhereItsSlopeIsNearlyNothing) {
    for (const Index dimension : {1, 2, 3}) {
        const Points map = reference::random_points(40, dimension, 5);
        std::vector<double> place(dimension, 3.0);
        const double before = cross_entropy(map, place);
        const double after = settle_by_divergence(map.view(), neighbors, weights, place);
        EXPECT_NEAR(after, cross_entropy(map, place), 1e-12);
        EXPECT_LT(after, before);
        constexpr double h = 1e-5;
        for (std::size_t c = 0; c < place.size(); ++c) {
            std::vector<double> above = place;
            std::vector<double> below = place;
            above[c] += h;
            below[c] -= h;
            EXPECT_NEAR((cross_entropy(map, above) - cross_entropy(map, below)) / (2.0 * h), 0.0, 0.002) << dimension;
        }
    }
}

TEST(FrozenRow, SamplesDrawItToItsNeighboursAndFollowTheStream) {
    Points map = reference::random_points(60, 2, 5);
    for (const Index j : neighbors) {
        map[j][0] += 8.0F;
    }
    std::vector<double> place{3.0, 0.0};
    settle_by_samples(map.view(), neighbors, weights, {.epochs = 200}, 17, place);
    EXPECT_GT(place[0], 5.0);
    std::vector<double> again{3.0, 0.0};
    settle_by_samples(map.view(), neighbors, weights, {.epochs = 200}, 17, again);
    EXPECT_EQ(place, again);
    std::vector<double> other{3.0, 0.0};
    settle_by_samples(map.view(), neighbors, weights, {.epochs = 200}, 18, other);
    EXPECT_NE(place, other);
}

TEST(FrozenRow, OfExtremeMapsItIsANumber) {
    for (const float size : {0.0F, 1e-30F, 1e15F}) {
        const Points map = reference::scaled(reference::random_points(20, 2, 5), size / 10.0F);
        std::vector<double> place{double{size} / 3.0, 0.0};
        EXPECT_TRUE(std::isfinite(settle_by_divergence(map.view(), neighbors, weights, place)));
        EXPECT_TRUE(std::isfinite(place[0]) && std::isfinite(place[1]));
        settle_by_samples(map.view(), neighbors, weights, {.epochs = 20}, 1, place);
        EXPECT_TRUE(std::isfinite(place[0]) && std::isfinite(place[1]));
    }
}

}  // namespace
}  // namespace isogon::frozen_row_test
