#include "pairs/spatial_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "reference/point_sets.hpp"

namespace isogon::spatial_order_test {
namespace {

double squared_distance(const Points& x, Index i, Index j) {
    double sum = 0.0;
    for (Index k = 0; k < x.dimension(); ++k) {
        sum += (double{x[i][k]} - double{x[j][k]}) * (double{x[i][k]} - double{x[j][k]});
    }
    return sum;
}

TEST(SpatialOrder, HasEveryPointOnce) {
    for (const Index count : {0U, 1U, 384U, 385U, 5000U}) {
        const Points x = reference::random_points(count, 3, 1);
        std::vector<Index> order = spatial_order(x.view(), reference::on_threads(3));
        std::sort(order.begin(), order.end());
        std::vector<Index> all(count);
        std::iota(all.begin(), all.end(), Index{0});
        EXPECT_EQ(order, all);
    }
}

TEST(SpatialOrder, HasNearPointsNearEachOther) {
    const Points x = reference::random_points(6000, 3, 2);
    const std::vector<Index> order = spatial_order(x.view(), reference::on_threads(3));
    double of_order = 0.0;
    double of_all = 0.0;
    for (Index i = 0; i + 20 < 6000; ++i) {
        of_order += squared_distance(x, order[i], order[i + 20]);
        of_all += squared_distance(x, i, i + 20);
    }
    EXPECT_LT(of_order, 0.3 * of_all);
}

TEST(SpatialOrder, HasTheNearestInTheSmallestBlocks) {
    constexpr Index count = 6144;  // whole blocks of all sizes
    const Points x = reference::random_points(count, 3, 3);
    const std::vector<Index> order = spatial_order(x.view(), reference::on_threads(3));
    const auto spread = [&](Index width) {
        double sum = 0.0;
        Index pairs = 0;
        for (Index first = 0; first < count; first += width) {
            for (Index i = first; i + 1 < first + width; ++i, ++pairs) {
                sum += squared_distance(x, order[i], order[first + width - 1]);
            }
        }
        return sum / pairs;
    };
    EXPECT_LT(spread(8), 0.6 * spread(48));
    EXPECT_LT(spread(48), 0.6 * spread(384));
}

TEST(SpatialOrder, OfEqualPointsIsAnOrderToo) {
    const Points x(2000, 2);
    const std::vector<Index> order = spatial_order(x.view(), reference::on_threads(3));
    EXPECT_EQ(std::accumulate(order.begin(), order.end(), std::uint64_t{0}), 1999U * 1000U);
}

}  // namespace
}  // namespace isogon::spatial_order_test
