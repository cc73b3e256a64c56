#include "neighbors/distance_sampling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "reference/point_sets.hpp"

namespace isogon::distance_sampling_test {

namespace {

using reference::on_threads;

/// A few directions of the plane, in degrees.
Points directions(const std::vector<double>& degrees) {
    Points points(static_cast<Index>(degrees.size()), 2);
    for (Index i = 0; i < points.count(); ++i) {
        const double angle = degrees[i] * std::acos(-1.0) / 180.0;
        const double length = 1.0 + i;  // lengths must not matter
        points[i][0] = static_cast<float>(length * std::cos(angle));
        points[i][1] = static_cast<float>(length * std::sin(angle));
    }
    return points;
}

std::vector<Index> chosen(const Points& points, Index count, std::uint64_t seed, Index batch) {
    const ViewRows rows(points.view());
    const RunContext context = on_threads(1);
    DistanceSampling sampling(rows, seed, {batch, batch}, context);
    while (sampling.chosen().size() < count && sampling.choose(count)) {
    }
    return {sampling.chosen().begin(), sampling.chosen().end()};
}

/// The definition: the chance of every ordered choice of `count` rows, by all paths.
void add_chances(const Points& points, Index count, std::vector<Index>& path, double chance,
                 std::map<std::vector<Index>, double>& chances) {
    if (path.size() == count) {
        chances[path] += chance;
        return;
    }
    std::vector<double> distances;
    for (Index i = 0; i < points.count(); ++i) {
        double least = path.empty() ? 1.0 : 2.0;
        for (const Index j : path) {
            const auto a = points[i];
            const auto b = points[j];
            const double cosine =
                (double{a[0]} * b[0] + double{a[1]} * b[1]) / (std::hypot(a[0], a[1]) * std::hypot(b[0], b[1]));
            least = i == j ? 0.0 : std::min(least, 1.0 - cosine);
        }
        distances.push_back(least);
    }
    double total = 0.0;
    for (const double distance : distances) {
        total += distance;
    }
    for (Index i = 0; i < points.count(); ++i) {
        if (distances[i] > 0.0) {
            path.push_back(i);
            add_chances(points, count, path, chance * distances[i] / total, chances);
            path.pop_back();
        }
    }
}

class Batches : public testing::TestWithParam<Index> {};

TEST_P(Batches, EveryChoiceHasTheChanceOfTheDefinition) {
    const Points points = directions({0.0, 10.0, 60.0, 80.0, 170.0});
    constexpr Index count = 4;
    constexpr int runs = 20000;
    std::map<std::vector<Index>, double> chances;
    std::vector<Index> path;
    add_chances(points, count, path, 1.0, chances);
    std::map<std::vector<Index>, int> seen;
    for (int run = 0; run < runs; ++run) {
        ++seen[chosen(points, count, static_cast<std::uint64_t>(run), GetParam())];
    }
    for (const auto& [choice, times] : seen) {
        ASSERT_TRUE(chances.contains(choice));
        const double expected = runs * chances[choice];
        EXPECT_NEAR(times, expected, 5.0 * std::sqrt(expected) + 3.0) << "chance " << chances[choice];
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Batches, testing::Values(1U, 2U, 4U));

TEST(DistanceSampling, EndsWhenAllThatIsLeftLiesOnChosenRows) {
    Points points = directions({0.0, 0.0, 90.0, 90.0, 90.0});
    points[4][0] = 0.0F;
    points[4][1] = 0.0F;  // no direction
    const auto rows = chosen(points, 5, 3, 10);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_NE(rows[0] < 2, rows[1] < 2);
    EXPECT_TRUE(std::ranges::find(rows, 4U) == rows.end());
}

TEST(DistanceSampling, OnlyZeroVectorsGiveNothing) {
    EXPECT_TRUE(chosen(Points(10, 3), 2, 0, 4).empty());
}

}  // namespace

}  // namespace isogon::distance_sampling_test
