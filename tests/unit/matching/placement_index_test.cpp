#include "matching/placement_index.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/point_sets.hpp"

namespace isogon::placement_index_test {
namespace {

using reference::on_threads;

std::optional<Index> first_equal(const Points& rows, std::span<const float> row) {
    for (Index i = 0; i < rows.count(); ++i) {
        if (std::equal(row.begin(), row.end(), rows[i].begin())) {
            return i;
        }
    }
    return std::nullopt;
}

TEST(PlacementIndex, FindsWhatALookAtEveryRowFinds) {
    for (const Index dimension : {1U, 2U, 3U, 8U}) {
        // Few different values: many rows are equal.
        const Points rows = reference::whole_points(500, dimension, 3, 1);
        const Points wanted = reference::whole_points(300, dimension, 4, 2);
        const PlacementIndex index(rows.view(), on_threads(2));
        for (Index i = 0; i < wanted.count(); ++i) {
            EXPECT_EQ(index.find(wanted[i]), first_equal(rows, wanted[i]));
        }
    }
}

TEST(PlacementIndex, TellsRowsApartThatDifferInOneNumberOnly) {
    const Points rows = reference::random_points(100, 7, 3);
    const PlacementIndex index(rows.view(), on_threads(1));
    for (Index k = 0; k < 7; ++k) {
        std::vector<float> row(rows[50].begin(), rows[50].end());
        EXPECT_EQ(index.find(row), 50U);
        row[k] = std::nextafter(row[k], 9.0F);
        EXPECT_EQ(index.find(row), std::nullopt);
    }
}

TEST(PlacementIndex, TakesZeroAndMinusZeroForEqual) {
    Points rows(2, 3);
    rows[0][1] = -0.0F;
    rows[1][0] = 1.0F;
    rows[1][2] = -0.0F;
    const PlacementIndex index(rows.view(), on_threads(1));
    EXPECT_EQ(index.find(std::vector<float>{-0.0F, 0.0F, 0.0F}), 0U);
    EXPECT_EQ(index.find(std::vector<float>{1.0F, -0.0F, 0.0F}), 1U);
}

TEST(PlacementIndex, FindsNoRowThatHoldsNaN) {
    Points rows(1, 2);
    rows[0][0] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(PlacementIndex(rows.view(), {}).find(rows[0]), std::nullopt);
}

TEST(PlacementIndex, OfNothingFindsNothing) {
    EXPECT_EQ(PlacementIndex(PointsView(), {}).find(std::vector<float>{}), std::nullopt);
    EXPECT_EQ(PlacementIndex(Points(0, 3).view(), {}).find(std::vector<float>{1.0F, 2.0F, 3.0F}), std::nullopt);
}

}  // namespace
}  // namespace isogon::placement_index_test
