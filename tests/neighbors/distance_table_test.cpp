#include "neighbors/distance_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "isogon/core/error.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "reference/point_sets.hpp"
#include "support/messages.hpp"

namespace isogon::distance_table_test {

namespace {

using support::says;

/// Three points on a line, at 0, 3 and 7.
Points good() {
    Points table(3, 3);
    table[0][1] = table[1][0] = 3.0F;
    table[1][2] = table[2][1] = 4.0F;
    table[0][2] = table[2][0] = 7.0F;
    return table;
}

std::string fault(const Points& table) {
    return support::message_of<InputError>([&] { require_distance_table(table.view()); });
}

TEST(DistanceTable, TakesTablesOfDistances) {
    EXPECT_EQ(fault(good()), "");
    Points rounded = good();
    rounded[0][2] = 7.00001F;
    EXPECT_EQ(fault(rounded), "");
}

TEST(DistanceTable, TakesTheRoundingOfOthers) {
    Points table = good();
    table[0][0] = 1e-8F;  // a root of a difference
    table[1][1] = -4e-16F;
    table[0][1] = -4e-16F;  // 1 - cos of nearly one direction
    table[1][0] = 1e-9F;
    EXPECT_EQ(fault(table), "");
    const NeighborLists lists = nearest_in_table(table.view(), 2, {});
    EXPECT_EQ(lists[0][0], 1U);
    EXPECT_EQ(lists.distances_of(0)[0], 0.0F);
    EXPECT_EQ(largest_in_table(table.view()), 7.0);
}

TEST(DistanceTable, NamesValuesInAllTheirDigits) {
    Points table = good();
    table[0][1] = table[1][0] = -1e-4F;
    EXPECT_TRUE(says(fault(table), "row 1, column 0: the distance -1e-04 is below 0"));
    table = good();
    table[1][0] = 3.0001F;
    EXPECT_TRUE(says(fault(table), "the distance is 3.0001, the other way 3;"));
    table = good();
    table[2][2] = 0.01F;
    EXPECT_TRUE(says(fault(table), "to itself is 0.01, not 0"));
}

TEST(DistanceTable, InfinityIsNoWayWhereThatIsAllowed) {
    Points table = good();
    const float far = std::numeric_limits<float>::infinity();
    table[0][2] = table[2][0] = far;
    EXPECT_NE(fault(table), "");
    EXPECT_NO_THROW(require_distance_table(table.view(), Unconnected::Allowed));
    const NeighborLists lists = nearest_in_table(table.view(), 2, {});
    EXPECT_EQ(lists[0][0], 1U);
    EXPECT_EQ(lists[0][1], 0U);  // an empty place
    EXPECT_EQ(lists.distances_of(0)[1], 3.0F);
    EXPECT_EQ(lists[1][1], 2U);
    EXPECT_EQ(largest_in_table(table.view()), 4.0);
    for (const float bad : {-far, std::numeric_limits<float>::quiet_NaN()}) {
        table[0][2] = table[2][0] = bad;
        EXPECT_THROW(require_distance_table(table.view(), Unconnected::Allowed), InputError);
    }
    table[0][2] = far;
    table[2][0] = 7.0F;
    EXPECT_THROW(require_distance_table(table.view(), Unconnected::Allowed), InputError);
}

TEST(DistanceTable, RefusesWhatIsNone) {
    Points bad = good();
    bad[1][2] = 4.1F;
    EXPECT_TRUE(says(fault(bad), "row 2, column 1"));
    EXPECT_TRUE(says(fault(bad), "symmetric"));
    bad = good();
    bad[2][0] = bad[0][2] = -1.0F;
    EXPECT_TRUE(says(fault(bad), "row 2, column 0"));
    EXPECT_TRUE(says(fault(bad), "below 0"));
    bad = good();
    bad[1][1] = 0.5F;
    EXPECT_TRUE(says(fault(bad), "row 1, column 1"));
    EXPECT_TRUE(says(fault(Points(3, 2)), "3 x 2"));
}

TEST(DistanceTable, HoldsNumbers) {
    Points bad = good();
    bad[0][2] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(says(fault(bad), "row 0, column 2"));
}

/// All distances between points by a metric, each as the search by all pairs gives it.
Points table_of(const Points& points, Metric metric) {
    Points table(points.count(), points.count());
    const NeighborLists all = exact_neighbors(points.view(), points.count() - 1, metric);
    for (Index i = 0; i < points.count(); ++i) {
        for (Index a = 0; a < all.size; ++a) {
            table[i][all[i][a]] = all.distances_of(i)[a];
        }
    }
    return table;
}

TEST(NearestInTable, AreThoseOfThePoints) {
    for (const Points& points : {reference::random_points(70, 4, 1), reference::whole_points(70, 3, 2, 2)}) {
        for (const Metric metric : {Metric::Euclidean, Metric::Manhattan}) {
            const Points table = table_of(points, metric);
            require_distance_table(table.view());
            for (const Index k : {1U, 5U, 69U}) {
                const NeighborLists found = nearest_in_table(table.view(), k, reference::on_threads(3));
                const NeighborLists truth = exact_neighbors(points.view(), k, metric);
                EXPECT_EQ(found.indices, truth.indices);
                EXPECT_EQ(found.distances, truth.distances);
            }
        }
    }
}

TEST(NearestInTable, KeepsWithinItsMemoryAndStops) {
    const Points table = table_of(reference::random_points(60, 2, 1), Metric::Euclidean);
    EXPECT_THROW((void)nearest_in_table(table.view(), 5, {.memory_limit = 100}), LimitExceeded);
    const RunContext late = reference::cancelled();
    EXPECT_THROW((void)nearest_in_table(table.view(), 5, late), Interruption);
}

}  // namespace

}  // namespace isogon::distance_table_test
