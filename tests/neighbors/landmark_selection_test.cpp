#include "isogon/neighbors/landmark_selection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "isogon/core/error.hpp"
#include "neighbors/distance_selection.hpp"
#include "reference/point_sets.hpp"
#include "support/matching_examples.hpp"

namespace isogon::landmark_selection_test {

namespace {

using reference::on_threads;

class EverySelection : public testing::TestWithParam<LandmarkSelection> {
protected:
    static std::vector<Index> choose(const Points& points, Index count, std::uint64_t seed = 1, int threads = 1) {
        return choose_landmarks(ViewRows(points.view()), count, GetParam(), seed, on_threads(threads));
    }
};

Points example() {
    return support::clustered_points(500, 7, 12, 0.3, 2);
}

TEST_P(EverySelection, GivesDifferentRowsInAscendingOrder) {
    const Points points = example();
    for (const Index count : {1U, 2U, 100U, 499U, 500U}) {
        const auto rows = choose(points, count);
        ASSERT_EQ(rows.size(), count);
        EXPECT_EQ(std::ranges::adjacent_find(rows, std::ranges::greater_equal()), rows.end());
        EXPECT_LT(rows.back(), 500U);
    }
}

TEST_P(EverySelection, TheSeedDecidesAndThreadsDoNot) {
    const Points points = example();
    const auto rows = choose(points, 60, 4);
    EXPECT_EQ(choose(points, 60, 4, 2), rows);
    EXPECT_EQ(choose(points, 60, 4, 3), rows);
    EXPECT_NE(choose(points, 60, 5), rows);
}

TEST_P(EverySelection, EqualRowsAndZeroVectorsDoNotStandInTheWay) {
    Points points(40, 3);  // 20 zero vectors, 20 rows on two directions
    for (Index i = 0; i < 20; ++i) {
        points[2 * i][i % 2] = 2.0F;
    }
    const auto rows = choose(points, 30);
    EXPECT_EQ(std::set<Index>(rows.begin(), rows.end()).size(), 30U);
}

TEST_P(EverySelection, RefusesCountsOutOfBounds) {
    const Points points = example();
    EXPECT_THROW((void)choose(points, 0), InvalidArgument);
    EXPECT_THROW((void)choose(points, 501), InvalidArgument);
}

INSTANTIATE_TEST_SUITE_P(Selections, EverySelection,
                         testing::Values(LandmarkSelection::Random, LandmarkSelection::KMeansPlusPlus,
                                         LandmarkSelection::Farthest));

/// Sum over all rows of 1 - cos to the nearest landmark.
double distance_left(const Points& points, const std::vector<Index>& rows) {
    double sum = 0.0;
    const auto lengths = norms(points.view());
    for (Index i = 0; i < points.count(); ++i) {
        double nearest = -1.0;
        for (const Index j : rows) {
            double product = 0.0;
            for (Index k = 0; k < points.dimension(); ++k) {
                product += double{points[i][k]} * points[j][k];
            }
            nearest = std::max(nearest, product / (lengths[i] * lengths[j]));
        }
        sum += 1.0 - nearest;
    }
    return sum;
}

TEST(LandmarkSelection, SpreadOutRowsLeaveLessDistance) {
    // Clusters of very different sizes: a uniform sample misses the small ones.
    Points points(600, 10);
    const Points clustered = support::clustered_points(600, 10, 10, 0.05, 8);
    for (Index i = 0; i < 600; ++i) {
        const Index from = i < 20 ? i : 20;
        for (Index k = 0; k < 10; ++k) {
            points[i][k] = clustered[from][k] + 0.01F * clustered[i][k];
        }
    }
    double random = 0.0;
    double spread = 0.0;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const ViewRows rows(points.view());
        random += distance_left(points, choose_landmarks(rows, 12, LandmarkSelection::Random, seed, {}));
        spread += distance_left(points, choose_landmarks(rows, 12, LandmarkSelection::KMeansPlusPlus, seed, {}));
    }
    EXPECT_LT(spread, 0.5 * random);
}

TEST(LandmarkSelection, ARandomSampleReadsNothing) {
    class Unreadable final : public RowSource {
    public:
        [[nodiscard]] Index count() const override { return 1000000; }
        [[nodiscard]] Index dimension() const override { return 1000; }
        void read(Index, std::span<float>) const override { FAIL() << "a row was read"; }
    };
    EXPECT_EQ(choose_landmarks(Unreadable(), 1000, LandmarkSelection::Random, 0, {}).size(), 1000U);
}

TEST(LandmarkSelection, StatesItsMemoryAndCanBeCancelled) {
    const Points points = example();
    RunContext context = on_threads(1);
    context.memory_limit = 5000;
    for (const auto selection : {LandmarkSelection::KMeansPlusPlus, LandmarkSelection::Farthest}) {
        EXPECT_THROW((void)choose_landmarks(ViewRows(points.view()), 50, selection, 0, context), LimitExceeded);
    }
    std::stop_source stop;
    stop.request_stop();
    context = on_threads(1);
    context.stop = stop.get_token();
    EXPECT_THROW((void)choose_landmarks(ViewRows(points.view()), 50, LandmarkSelection::KMeansPlusPlus, 0, context),
                 Interruption);
}

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

double squared(const Points& points, Index i, Index j) {
    double sum = 0.0;
    for (Index k = 0; k < points.dimension(); ++k) {
        const double difference = double{points[i][k]} - double{points[j][k]};
        sum += difference * difference;
    }
    return sum;
}

TEST(FarthestPoints, EachIsTheFarthestFromThoseBefore) {
    const Points points = reference::random_points(3000, 4, 1);
    const std::vector<Index> chosen = farthest_points(ViewRows(points.view()), 12, 5, reference::on_threads(3));
    ASSERT_EQ(chosen.size(), 12U);
    for (std::size_t k = 1; k < chosen.size(); ++k) {
        const auto nearest = [&](Index i) {
            double least = std::numeric_limits<double>::infinity();
            for (std::size_t l = 0; l < k; ++l) {
                least = std::min(least, squared(points, i, chosen[l]));
            }
            return least;
        };
        for (Index i = 0; i < points.count(); ++i) {
            EXPECT_LE(nearest(i), nearest(chosen[k]));
        }
    }
    EXPECT_EQ(chosen, farthest_points(ViewRows(points.view()), 12, 5, reference::on_threads(1)));
    EXPECT_NE(chosen.front(), farthest_points(ViewRows(points.view()), 1, 6, {}).front());
}

TEST(FarthestPoints, EqualOnesComeLast) {
    const Points points = reference::whole_points(60, 1, 9, 2);
    const std::vector<Index> chosen = farthest_points(ViewRows(points.view()), 60, 0, {});
    EXPECT_EQ(std::set<Index>(chosen.begin(), chosen.end()).size(), 60U);
    std::set<float> values;
    for (std::size_t k = 0; k < 10; ++k) {
        values.insert(points[chosen[k]][0]);
    }
    EXPECT_EQ(values.size(), 10U);
}

TEST(FarthestPoints, CanBeCancelled) {
    const Points points = reference::random_points(100, 3, 1);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)farthest_points(ViewRows(points.view()), 5, 0, {.stop = stop.get_token()}), Interruption);
    EXPECT_GE(farthest_points_bytes(ViewRows(points.view())), 100 * sizeof(double));
}

}  // namespace

}  // namespace isogon::landmark_selection_test
