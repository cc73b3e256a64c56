#include "neighbors/farthest_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "reference/point_sets.hpp"

namespace isogon::farthest_points_test {

namespace {

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

TEST(FarthestPoints, StopWhenAsked) {
    const Points points = reference::random_points(100, 3, 1);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)farthest_points(ViewRows(points.view()), 5, 0, {.stop = stop.get_token()}), Interruption);
    EXPECT_GE(farthest_points_bytes(ViewRows(points.view())), 100 * sizeof(double));
}

}  // namespace

}  // namespace isogon::farthest_points_test
