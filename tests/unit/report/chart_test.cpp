#include "isogon/report/chart.hpp"

#include <gtest/gtest.h>

namespace isogon::chart_test {
namespace {

TEST(Chart, RolesAndScalesHaveTheNamesOfTheReportsData) {
    EXPECT_STREQ(name(SeriesRole::Ours), "ours");
    EXPECT_STREQ(name(SeriesRole::Published), "published");
    EXPECT_STREQ(name(SeriesRole::Baseline), "baseline");
    EXPECT_STREQ(name(SeriesRole::Other), "other");
    EXPECT_STREQ(name(AxisScale::Linear), "linear");
    EXPECT_STREQ(name(AxisScale::Log), "log");
}

TEST(Chart, AMissingNumberIsAnEmptyCell) {
    EXPECT_EQ(cell_of(2.5), ChartCell(2.5));
    EXPECT_EQ(cell_of({}), ChartCell());
}

}  // namespace
}  // namespace isogon::chart_test
