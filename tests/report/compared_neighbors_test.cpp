#include "report/measures.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"
#include "reference/quality.hpp"
#include "report/packed_array.hpp"

namespace isogon::compared_neighbors_test {
namespace {

using reference::on_threads;

constexpr SideMetrics by_angle{Nearness::Cosine, Nearness::Cosine};
constexpr SideMetrics by_distance{Nearness::Euclidean, Nearness::Euclidean};

double length(const Points& points, Index i) {
    return norms(points.view())[i];
}

double angle(const Points& points, Index i, Index j) {
    return angle_between(points[i], points[j], length(points, i), length(points, j));
}

TEST(AngleBetween, AgreesWithTheDefinition) {
    const Points points = reference::random_points(30, 5, 1);
    for (Index i = 0; i < 30; ++i) {
        EXPECT_NEAR(angle(points, i, (i + 1) % 30), reference::degrees(points, i, (i + 1) % 30), 1e-9);
        EXPECT_EQ(angle(points, i, i), 0.0);
    }
}

TEST(AngleBetween, AZeroVectorStandsAtARightAngle) {
    Points points = reference::random_points(2, 3, 2);
    std::fill(points[1].begin(), points[1].end(), 0.0F);
    EXPECT_EQ(angle(points, 0, 1), 90.0);
    EXPECT_EQ(angle(points, 1, 1), 90.0);
}

TEST(AngleBetween, TinyAnglesAndOppositesKeepTheirDigits) {
    Points points(3, 2);
    points[0][0] = 1e20F;
    points[1][0] = 1e-20F;
    points[1][1] = 1e-26F;
    points[2][0] = -5.0F;
    EXPECT_NEAR(angle(points, 0, 1), 1e-6 * 180.0 / 3.14159265358979, 1e-11);
    EXPECT_NEAR(angle(points, 0, 2), 180.0, 1e-9);
}

void expect_lists(const ComparedLists& lists, const Points& ordered, const Points& x, const Points& y, Index k) {
    for (Index i = 0; i < x.count(); ++i) {
        const auto order = reference::order_from(ordered, i, true);
        for (Index place = 0; place < k; ++place) {
            const Index j = lists.index[i * k + place];
            if (reference::is_zero(ordered, i)) {
                EXPECT_EQ(j, no_point) << i;
                EXPECT_EQ(lists.in[i * k + place], no_number) << i;
                EXPECT_EQ(lists.out[i * k + place], no_number) << i;
                continue;
            }
            EXPECT_EQ(j, order[place]) << i;
            EXPECT_EQ(lists.in[i * k + place], angle_code(reference::degrees(x, i, j))) << i;
            EXPECT_EQ(lists.out[i * k + place], angle_code(reference::degrees(y, i, j))) << i;
        }
    }
}

TEST(ComparedNeighbors, AreThoseOfTheNearestInXAndInYAndZeroVectorsHaveNone) {
    Points x = reference::random_points(60, 6, 5, 0.3);
    Points y = reference::truncated(x, 3);
    std::fill(x[4].begin(), x[4].end(), 0.0F);
    std::fill(x[40].begin(), x[40].end(), 0.0F);
    std::fill(y[7].begin(), y[7].end(), 0.0F);
    const ComparedNeighbors found = compare_neighbors({x.view(), y.view(), by_angle}, 4, 0, on_threads(2));
    EXPECT_EQ(found.size, 4U);
    EXPECT_EQ(found.recall, 1.0);
    expect_lists(found.input, x, x, y, 4);
    expect_lists(found.output, y, x, y, 4);
}

TEST(ComparedNeighbors, ByDistanceAreThoseOfSmallestDistanceInUnitsOfTheLargest) {
    const Points x = reference::awkward_points(90, 6, 3);
    const Points y = reference::random_points(90, 2, 4);
    const ComparedNeighbors found = compare_neighbors({x.view(), y.view(), by_distance}, 4, 0, on_threads(2));
    EXPECT_EQ(found.metrics, by_distance);
    const auto expect_side = [&](const ComparedLists& lists, const Points& ordered) {
        for (Index i = 0; i < 90; ++i) {
            const auto order = reference::order_from(ordered, i, false);
            for (Index place = 0; place < 4; ++place) {
                const Index j = lists.index[i * 4 + place];
                EXPECT_NEAR(distance_between(ordered[i], ordered[j]),
                            distance_between(ordered[i], ordered[order[place]]),
                            1e-3 * (1.0 + distance_between(ordered[i], ordered[j])));
                const double in = found.in_scaling.scale * lists.in[i * 4 + place];
                const double out = found.out_scaling.scale * lists.out[i * 4 + place];
                EXPECT_NEAR(in, distance_between(x[i], x[j]), found.in_scaling.scale);
                EXPECT_NEAR(out, distance_between(y[i], y[j]), found.out_scaling.scale);
            }
        }
    };
    expect_side(found.input, x);
    expect_side(found.output, y);
}

TEST(ComparedNeighbors, OfEachSideAreByItsOwnMetric) {
    const Points x = reference::random_points(90, 6, 3, 0.5);
    const Points y = reference::random_points(90, 2, 4);
    const ComparedNeighbors mixed =
        compare_neighbors({x.view(), y.view(), {Nearness::Cosine, Nearness::Euclidean}}, 4, 0, on_threads(2));
    const ComparedNeighbors angles = compare_neighbors({x.view(), y.view(), by_angle}, 4, 0, on_threads(2));
    const ComparedNeighbors distances = compare_neighbors({x.view(), y.view(), by_distance}, 4, 0, on_threads(2));
    EXPECT_EQ(mixed.input.index, angles.input.index);
    EXPECT_EQ(mixed.input.in, angles.input.in);
    EXPECT_EQ(mixed.output.index, distances.output.index);
    EXPECT_EQ(mixed.in_scaling.scale, angle_scaling.scale);
    EXPECT_NE(mixed.out_scaling.scale, angle_scaling.scale);
}

/// Neighbours that both lists of a point hold.
double share_of_both(const ComparedNeighbors& found) {
    double both = 0.0;
    for (std::size_t place = 0; place < found.input.index.size(); ++place) {
        const auto first = found.output.index.begin() + static_cast<std::ptrdiff_t>(place / found.size * found.size);
        both += static_cast<double>(std::count(first, first + found.size, found.input.index[place]));
    }
    return both / static_cast<double>(found.input.index.size());
}

TEST(ComparedNeighbors, OfPerfectMapsOfTiedInputsAreAllKept) {
    const Points x = reference::whole_points(160, 8, 1, 6);
    EXPECT_EQ(share_of_both(compare_neighbors({x.view(), x.view(), by_distance}, 7, 0, {})), 1.0);
    EXPECT_EQ(share_of_both(compare_neighbors({x.view(), reference::turned(x, 2).view(), by_distance}, 7, 0, {})), 1.0);
}

// The first rows would be everybody's neighbours.
TEST(ComparedNeighbors, OfAllAtOnePlaceAreDrawn) {
    const Points x = reference::random_points(160, 3, 6);
    const ComparedNeighbors found =
        compare_neighbors({x.view(), reference::equal_points(160, 2).view(), by_distance}, 7, 0, {});
    EXPECT_NEAR(share_of_both(found), 7.0 / 159.0, 0.03);
    const auto first =
        std::count_if(found.output.index.begin(), found.output.index.end(), [](Index j) { return j < 9; });
    EXPECT_LT(first, 160 * 7 / 4);
}

TEST(ComparedNeighbors, OfEqualPointsHaveDistanceZero) {
    const Points x = reference::equal_points(8, 3);
    const ComparedNeighbors found = compare_neighbors({x.view(), x.view(), by_distance}, 2, 0, {});
    EXPECT_EQ(*std::max_element(found.input.in.begin(), found.input.in.end()), 0);
}

TEST(ComparedNeighbors, TheSameForAnyNumberOfThreads) {
    const Points x = reference::awkward_points(700, 6, 4);
    const Points y = reference::truncated(x, 2);
    const ComparedNeighbors one = compare_neighbors({x.view(), y.view(), by_angle}, 5, 0, on_threads(1));
    const ComparedNeighbors three = compare_neighbors({x.view(), y.view(), by_angle}, 5, 0, on_threads(3));
    EXPECT_EQ(one.input.index, three.input.index);
    EXPECT_EQ(one.input.out, three.input.out);
    EXPECT_EQ(one.output.index, three.output.index);
    EXPECT_EQ(one.output.in, three.output.in);
}

TEST(ComparedNeighbors, ACancelledRunEnds) {
    const Points x = reference::random_points(50, 3, 5);
    std::stop_source stop;
    stop.request_stop();
    RunContext context;
    context.stop = stop.get_token();
    EXPECT_THROW(static_cast<void>(compare_neighbors({x.view(), x.view(), by_angle}, 3, 0, context)), Interruption);
}

}  // namespace
}  // namespace isogon::compared_neighbors_test
