#include "synthetic/point_loop.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace isogon {
namespace {

void write_number(Generated& made, Index i) {
    std::ranges::fill(made.points[i], static_cast<float>(i));
    made.truth[i][0] = static_cast<float>(2 * i);
    made.labels[i] = i;
}

TEST(PointLoop, VisitsEveryPointOnce) {
    const GeneratedShape shape{20000, 2, 1, true};
    const Generated made = generate_points(shape, {}, write_number);
    ASSERT_EQ(made.points.count(), 20000U);
    ASSERT_EQ(made.points.dimension(), 2U);
    for (Index i = 0; i < made.points.count(); ++i) {
        ASSERT_EQ(made.points[i][1], static_cast<float>(i));
        ASSERT_EQ(made.truth[i][0], static_cast<float>(2 * i));
        ASSERT_EQ(made.labels[i], i);
    }
}

TEST(PointLoop, LeavesOutWhatIsNotAskedFor) {
    const Generated made = generate_points({5, 3, 0, false}, {}, [](Generated&, Index) {});
    EXPECT_TRUE(made.truth.empty());
    EXPECT_TRUE(made.labels.empty());
}

TEST(PointLoop, RefusesNoPoints) {
    try {
        (void)generate_points({0, 3, 0, false}, {}, [](Generated&, Index) {});
        FAIL() << "a count of 0 was taken";
    } catch (const InvalidArgument& error) {
        EXPECT_EQ(error.field(), "count");
    }
}

TEST(PointLoop, StatesItsMemoryBeforeItTakesIt) {
    RunContext context;
    context.memory_limit = 1000;
    // 30 points of (2 + 1) floats and a label of 8 bytes: 600 bytes.
    EXPECT_NO_THROW((void)generate_points({30, 2, 1, true}, context, write_number));
    EXPECT_NO_THROW(require_shape({30, 2, 1, true}, context, 400));
    EXPECT_THROW(require_shape({30, 2, 1, true}, context, 401), LimitExceeded);
    EXPECT_THROW((void)generate_points({51, 2, 1, true}, context, write_number), LimitExceeded);
    EXPECT_THROW((void)generate_points({4000000000U, 100000, 1, true}, context, write_number), LimitExceeded);
}

TEST(PointLoop, ReturnsNothingWhenStoppedAtOnce) {
    std::stop_source source;
    source.request_stop();
    RunContext context;
    context.stop = source.get_token();
    const Generated made = generate_points({100, 2, 1, true}, context, write_number);
    EXPECT_EQ(made.points.count(), 0U);
    EXPECT_EQ(made.truth.count(), 0U);
    EXPECT_TRUE(made.labels.empty());
}

TEST(PointLoop, ReturnsWhatWasDoneWhenStopped) {
    std::stop_source source;
    RunContext context;
    context.stop = source.get_token();
    context.on_iteration = [&](const Progress&) { source.request_stop(); };
    const Index asked = 1000000;
    const Generated made = generate_points({asked, 2, 1, true}, context, write_number);
    ASSERT_GT(made.points.count(), 0U);
    ASSERT_LT(made.points.count(), asked);
    EXPECT_EQ(made.truth.count(), made.points.count());
    EXPECT_EQ(made.labels.size(), made.points.count());
    for (Index i = 0; i < made.points.count(); ++i) {
        ASSERT_EQ(made.points[i][0], static_cast<float>(i));
    }
}

TEST(PointLoop, ReportsEachStepUpToTheLast) {
    RunContext context;
    std::vector<std::uint64_t> done;
    context.on_iteration = [&](const Progress& progress) { done.push_back(progress.done); };
    (void)generate_points({20000, 2, 1, true}, context, write_number);
    ASSERT_FALSE(done.empty());
    EXPECT_TRUE(std::ranges::is_sorted(done));
    EXPECT_EQ(done.back(), 20000U);
}

}  // namespace
}  // namespace isogon
