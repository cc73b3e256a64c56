#include "methods/forces/partial_start.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "isogon/core/error.hpp"
#include "reference/graphs.hpp"

namespace isogon::partial_start_test {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

Points line_of(const std::vector<float>& firsts) {
    Points points(static_cast<Index>(firsts.size()), 2);
    for (Index i = 0; i < points.count(); ++i) {
        points[i][0] = firsts[i];
        points[i][1] = std::isnan(firsts[i]) ? nan : 1.0F;
    }
    return points;
}

TEST(PartialStart, AWholeOneStaysAsItIs) {
    const Points start = line_of({0.0F, 3.0F, 5.0F});
    Summary summary;
    const MultiVector<double> y =
        completed_start(start.view(), reference::graph_of(3, {{0, 1, 1.0}, {1, 2, 1.0}}), 0, summary);
    EXPECT_TRUE(std::ranges::equal(y.values(), start.values()));
    EXPECT_TRUE(summary.counts.empty());
}

/// Row 1 lies between 0 and 2 by weight, 3 beside 2, and 4 beside 3, which has a place only then.
TEST(PartialStart, RowsGoToTheMeanOfTheirNeighboursOneRingAfterTheOther) {
    const CsrMatrix<double> graph =
        reference::graph_of(6, {{0, 1, 3.0}, {1, 2, 1.0}, {2, 3, 0.5}, {3, 4, 2.0}, {4, 5, 0.0}});
    Summary summary;
    const Points start = line_of({0.0F, nan, 8.0F, nan, nan, nan});
    const MultiVector<double> y = completed_start(start.view(), graph, 7, summary);
    EXPECT_EQ(y.at(0, 0), 0.0);
    EXPECT_EQ(y.at(2, 0), 8.0);
    EXPECT_NEAR(y.at(1, 0), 2.0, 0.01);
    EXPECT_NEAR(y.at(3, 0), 8.0, 0.01);
    EXPECT_NEAR(y.at(4, 0), 8.0, 0.01);
    EXPECT_NE(y.at(3, 0), y.at(4, 0));                                            // noise parts them
    EXPECT_LT(std::min(std::abs(y.at(5, 0)), std::abs(y.at(5, 0) - 8.0)), 0.01);  // nothing leads there
    EXPECT_EQ(summary.value("started"), 2.0);
}

TEST(PartialStart, OnlyAStartCanBeHeld) {
    const Points start = line_of({0.0F, 3.0F});
    EXPECT_NO_THROW(require_start_to_hold({}, 0.0));
    EXPECT_NO_THROW(require_start_to_hold(start.view(), 1.0));
    EXPECT_THROW(require_start_to_hold({}, 0.5), InvalidArgument);
}

}  // namespace
}  // namespace isogon::partial_start_test
