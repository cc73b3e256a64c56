#include "transform/placement_panel.hpp"

#include <gtest/gtest.h>
#include <cmath>
#include <limits>

#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"

namespace isogon::placement_panel_test {

namespace {

using reference::on_threads;

PackedPoints directions_of(const Points& points) {
    return pack_directions(points.view(), norms(points.view()), reference::every_point(points.count()), {.threads = 1});
}

std::optional<Index> first_equal(const Points& rows, std::span<const float> row) {
    for (Index i = 0; i < rows.count(); ++i) {
        if (std::equal(row.begin(), row.end(), rows[i].begin())) {
            return i;
        }
    }
    return std::nullopt;
}

TEST(EqualRowLookup, FindsWhatALookAtEveryRowFinds) {
    for (const Index dimension : {1U, 2U, 3U, 8U}) {
        // Few different values: many rows are equal.
        const Points rows = reference::whole_points(500, dimension, 3, 1);
        const Points wanted = reference::whole_points(300, dimension, 4, 2);
        const EqualRowLookup index(rows.view(), on_threads(2));
        for (Index i = 0; i < wanted.count(); ++i) {
            EXPECT_EQ(index.find(wanted[i]), first_equal(rows, wanted[i]));
        }
    }
}

TEST(EqualRowLookup, TakesZeroAndMinusZeroForEqual) {
    Points rows(2, 3);
    rows[0][1] = -0.0F;
    rows[1][0] = 1.0F;
    rows[1][2] = -0.0F;
    const EqualRowLookup index(rows.view(), on_threads(1));
    EXPECT_EQ(index.find(std::vector<float>{-0.0F, 0.0F, 0.0F}), 0U);
    EXPECT_EQ(index.find(std::vector<float>{1.0F, -0.0F, 0.0F}), 1U);
}

TEST(EqualRowLookup, FindsNoRowThatHoldsNaN) {
    Points rows(1, 2);
    rows[0][0] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(EqualRowLookup(rows.view(), {}).find(rows[0]), std::nullopt);
}

TEST(EqualRowLookup, OfNothingFindsNothing) {
    EXPECT_EQ(EqualRowLookup(PointsView(), {}).find(std::vector<float>{}), std::nullopt);
    EXPECT_EQ(EqualRowLookup(Points(0, 3).view(), {}).find(std::vector<float>{1.0F, 2.0F, 3.0F}), std::nullopt);
}

/// Products of whole numbers, exact in float32.
float product(const Points& a, Index i, const Points& b, Index j) {
    float sum = 0.0F;
    for (Index k = 0; k < a.dimension(); ++k) {
        sum += a[i][k] * b[j][k];
    }
    return sum;
}

std::vector<std::pair<Index, float>> pairs_of(const std::vector<CosineNeighbor>& list) {
    std::vector<std::pair<Index, float>> result;
    for (const auto& neighbor : list) {
        result.emplace_back(neighbor.place, neighbor.cosine);
    }
    return result;
}

class NeighborhoodsAmong : public testing::TestWithParam<Index> {};

INSTANTIATE_TEST_SUITE_P(Counts, NeighborhoodsAmong, testing::Values(1, 9, 10, 11, 47, 48, 49, 97, 300));

TEST_P(NeighborhoodsAmong, AreWhatSortingAllProductsGives) {
    const Index m = GetParam();
    const Points fitted = reference::whole_points(m, 5, 3, 1);  // products tie all the time
    const Points rows = reference::whole_points(48, 5, 3, 2);
    for (const float threshold : {-1.0F, 12.0F, 20.0F, 1000.0F}) {
        std::vector<Neighborhood> found(48, Neighborhood(threshold, 10));
        find_neighborhoods(pack(rows.view(), {}, {}, on_threads(1)).panel(0),
                           pack(fitted.view(), {}, {}, on_threads(1)), found);
        for (Index r = 0; r < 48; ++r) {
            std::vector<std::pair<Index, float>> support;
            std::vector<std::pair<Index, float>> nearest;
            for (Index j = 0; j < m; ++j) {
                nearest.emplace_back(j, product(rows, r, fitted, j));
                if (nearest.back().second > threshold) {
                    support.push_back(nearest.back());
                }
            }
            std::stable_sort(nearest.begin(), nearest.end(), [](auto a, auto b) { return a.second > b.second; });
            nearest.resize(std::min<std::size_t>(10, m));
            EXPECT_EQ(pairs_of(found[r].support()), support);
            EXPECT_EQ(pairs_of(found[r].nearest()), nearest);
        }
    }
}

TEST(Neighborhoods, HoldNearestWithNegativeCosinesButNoPadding) {
    Points fitted(3, 2);
    fitted[0][0] = fitted[1][0] = fitted[2][0] = -1.0F;
    Points row(1, 2);
    row[0][0] = 1.0F;
    std::vector<Neighborhood> found(1, Neighborhood(0.5F, 10));
    find_neighborhoods(directions_of(row).panel(0), directions_of(fitted), found);
    EXPECT_TRUE(found[0].support().empty());
    EXPECT_EQ(found[0].nearest().size(), 3U);
}

}  // namespace

}  // namespace isogon::placement_panel_test
