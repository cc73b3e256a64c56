#include "methods/distinct_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "reference/point_sets.hpp"

namespace isogon::distinct_points_test {
namespace {

TEST(DistinctPoints, AreTheFirstOfThoseThatAreEqual) {
    for (const std::uint64_t seed : {1, 2, 3}) {
        const Points points = reference::whole_points(200, 2, 8, seed);
        const DistinctPoints distinct = distinct_points(points.view());
        std::vector<Index> rows;
        for (Index i = 0; i < 200; ++i) {
            Index first = 0;
            while (!std::ranges::equal(points[first], points[i])) {
                ++first;
            }
            if (first == i) {
                rows.push_back(i);
            }
            EXPECT_EQ(distinct.rows[distinct.place[i]], first);
        }
        EXPECT_EQ(distinct.rows, rows);
    }
}

TEST(DistinctPoints, AreAllWhereNoTwoAreEqual) {
    const Points points = reference::random_points(50, 3, 1);
    const DistinctPoints distinct = distinct_points(points.view());
    EXPECT_EQ(distinct.rows, reference::every_point(50));
    EXPECT_EQ(distinct.place, reference::every_point(50));
}

TEST(DistinctPoints, TakeZeroForZeroWhateverItsSign) {
    Points points(2, 1);
    points[1][0] = -0.0F;
    EXPECT_EQ(distinct_points(points.view()).rows.size(), 1U);
}

}  // namespace
}  // namespace isogon::distinct_points_test
