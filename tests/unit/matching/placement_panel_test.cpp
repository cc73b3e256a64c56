#include "matching/placement_panel.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"

namespace isogon::placement_panel_test {
namespace {

using reference::on_threads;

PackedPoints directions_of(const Points& points) {
    return pack_directions(points.view(), norms(points.view()), reference::every_point(points.count()), {.threads = 1});
}

TEST(FittedDirections, AreThoseOfPointsThatHaveADirectionInBothSpaces) {
    Points x = reference::random_points(100, 5, 1);
    Points y = reference::random_points(100, 3, 2);
    std::fill(x[7].begin(), x[7].end(), 0.0F);
    std::fill(y[9].begin(), y[9].end(), 0.0F);
    const FittedDirections fitted(x.view(), y.view(), on_threads(2));
    ASSERT_EQ(fitted.count(), 98U);
    const std::vector<double> input_lengths = norms(x.view());
    const std::vector<double> output_lengths = norms(y.view());
    Index place = 0;
    for (Index j = 0; j < 100; ++j) {
        if (j == 7 || j == 9) {
            continue;
        }
        EXPECT_FLOAT_EQ(fitted.inputs.at(place, 4), static_cast<float>(x[j][4] / input_lengths[j]));
        EXPECT_FLOAT_EQ(fitted.outputs.at(place, 2), static_cast<float>(y[j][2] / output_lengths[j]));
        EXPECT_EQ(fitted.outputs.at(place, 2), fitted.directions.row(place)[2]);
        ++place;
    }
}

TEST(FittedDirections, OfNothingAreRefused) {
    const Points x = reference::random_points(10, 5, 1);
    EXPECT_THROW(FittedDirections(x.view(), Points(10, 2).view(), {}), InputError);
    EXPECT_THROW(FittedDirections(Points(0, 5).view(), Points(0, 2).view(), {}), InputError);
}

TEST(PlacementPanel, GivesEachRowTheSameBitsWhateverItsCompany) {
    const Points x = reference::random_points(500, 6, 1);
    const Points y = reference::random_points(500, 3, 2);
    const Points rows = reference::random_points(48, 6, 3);
    const FittedDirections fitted(x.view(), y.view(), on_threads(1));
    PlacementCounts together_counts;
    PlacementPanel panel(fitted, 0.6, {});
    const auto together = panel.place(directions_of(rows), together_counts);
    PlacementCounts alone_counts;
    for (Index r = 0; r < 48; ++r) {
        Points one(1, 6);
        std::copy(rows[r].begin(), rows[r].end(), one[0].begin());
        const auto alone = panel.place(directions_of(one), alone_counts);
        EXPECT_EQ(alone[0].u, together[r].u);
    }
    EXPECT_EQ(alone_counts.steps, together_counts.steps);
    EXPECT_EQ(alone_counts.passes, together_counts.passes);
    EXPECT_EQ(alone_counts.isolated, together_counts.isolated);
}

}  // namespace
}  // namespace isogon::placement_panel_test
