#include "transform/placement_rows.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"

namespace isogon::placement_rows_test {
namespace {

using reference::on_threads;

TEST(RequireFitted, RefusesWhatDoesNotBelongTogether) {
    const Points x = reference::random_points(5, 3, 1);
    EXPECT_NO_THROW(require_fitted(x.view(), x.view()));
    EXPECT_THROW(require_fitted(x.view(), reference::random_points(4, 3, 1).view()), InvalidArgument);
    EXPECT_THROW(require_fitted(Points(5, 0).view(), x.view()), InvalidArgument);
}

TEST(LengthsOf, RefusesRowsThatCannotBePlaced) {
    Points rows = reference::random_points(2, 3, 1);
    EXPECT_EQ(lengths_of(rows.view(), 3), norms(rows.view()));
    EXPECT_THROW(static_cast<void>(lengths_of(rows.view(), 4)), InvalidArgument);
    std::fill(rows[1].begin(), rows[1].end(), std::numeric_limits<float>::max());
    EXPECT_THROW(static_cast<void>(lengths_of(rows.view(), 3)), InputError);
}

TEST(UnknownRows, LeavesFittedRowsAndZerosOut) {
    const Points x = reference::random_points(6, 3, 1);
    const Points y = reference::random_points(6, 2, 2);
    Points rows(3, 3);
    std::copy(x[4].begin(), x[4].end(), rows[0].begin());
    rows[2][1] = 7.0F;
    Placed placed{Points(3, 2), {}};
    const EqualRowLookup index(x.view(), on_threads(1));
    EXPECT_EQ(unknown_rows(rows.view(), norms(rows.view()), index, y.view(), placed), std::vector<Index>{2});
    EXPECT_EQ(placed.counts.fitted, 1U);
    EXPECT_EQ(placed.counts.zero_vectors, 1U);
    EXPECT_EQ(placed.outputs[0][1], y[4][1]);
}

TEST(WriteDirection, MultipliesByTheLength) {
    std::array<float, 2> output{};
    write_direction(Eigen::Vector2d(0.6, -0.8), 10.0, output);
    EXPECT_FLOAT_EQ(output[0], 6.0F);
    EXPECT_FLOAT_EQ(output[1], -8.0F);
}

TEST(AddCounts, AddsAll) {
    PlacementCounts sum{.fitted = 1, .steps = 3};
    add_counts({.isolated = 2, .unsettled = 1, .steps = 4, .passes = 5}, sum);
    EXPECT_EQ(sum.steps, 7U);
    EXPECT_EQ(sum.isolated, 2U);
    EXPECT_EQ(sum.unsettled, 1U);
    EXPECT_EQ(sum.passes, 5U);
    EXPECT_EQ(sum.fitted, 1U);
}

}  // namespace
}  // namespace isogon::placement_rows_test
