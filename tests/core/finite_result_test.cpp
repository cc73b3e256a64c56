#include "core/finite_result.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace isogon::finite_result_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(FiniteResult, NamesTheFirstPartThatIsNot) {
    Points coordinates(3, 2);
    Summary summary;
    summary.count("sweeps", 3.0);
    summary.measure("residual", 0.5);
    summary.trace = {{1, 0.5, 0.1, 0.0}};
    EXPECT_EQ(part_not_finite(coordinates.view(), summary), "");
    summary.trace[0].change = infinity;
    EXPECT_EQ(part_not_finite(coordinates.view(), summary), "the objective");
    summary.measures[0].second = -infinity;
    EXPECT_EQ(part_not_finite(coordinates.view(), summary), "residual");
    coordinates[2][1] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(part_not_finite(coordinates.view(), summary), "the coordinates of row 2");
}

TEST(FiniteResult, AFailureSaysWhyAndHasNoSuchNumber) {
    Points placed(3, 2);
    Summary summary;
    summary.measure("residual", infinity);
    summary.measure("recall", 0.5);
    fail_unless_finite(placed, summary);
    EXPECT_TRUE(placed.empty());
    EXPECT_EQ(summary.termination, Termination::NumericalFailure);
    EXPECT_NE(summary.message.find("residual"), std::string::npos) << summary.message;
    EXPECT_EQ(part_not_finite(placed.view(), summary), "");
    EXPECT_EQ(summary.value("recall"), 0.5);
}

TEST(FiniteResult, AGoodOneStaysAsItIs) {
    Points placed(3, 2);
    Summary summary;
    summary.message = "3 points";
    fail_unless_finite(placed, summary);
    EXPECT_EQ(placed.count(), 3U);
    EXPECT_TRUE(summary.usable());
    EXPECT_EQ(summary.message, "3 points");
}

}  // namespace
}  // namespace isogon::finite_result_test
