#include "matching/placement_neighborhood.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/point_sets.hpp"

namespace isogon::placement_neighborhood_test {
namespace {

using reference::on_threads;

PackedPoints directions_of(const Points& points) {
    const auto all = reference::every_point(points.count());
    return pack_directions(points.view(), norms(points.view()), all, on_threads(1));
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

TEST(Neighborhoods, OfARowDoNotDependOnTheOtherRowsInThePanel) {
    const Points fitted = reference::random_points(500, 150, 3);
    const Points rows = reference::random_points(48, 150, 4);
    std::vector<Neighborhood> together(48, Neighborhood(0.1F, 10));
    find_neighborhoods(directions_of(rows).panel(0), directions_of(fitted), together);
    for (Index r = 0; r < 48; ++r) {
        Points one(1, 150);
        std::copy(rows[r].begin(), rows[r].end(), one[0].begin());
        std::vector<Neighborhood> alone(1, Neighborhood(0.1F, 10));
        find_neighborhoods(directions_of(one).panel(0), directions_of(fitted), alone);
        EXPECT_EQ(pairs_of(alone[0].support()), pairs_of(together[r].support()));
        EXPECT_EQ(pairs_of(alone[0].nearest()), pairs_of(together[r].nearest()));
    }
}

}  // namespace
}  // namespace isogon::placement_neighborhood_test
