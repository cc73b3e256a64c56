#include "isogon/neighbors/landmark_selection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "isogon/core/error.hpp"
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

TEST(LandmarkSelection, StatesItsMemoryAndStopsWhenAsked) {
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

}  // namespace

}  // namespace isogon::landmark_selection_test
