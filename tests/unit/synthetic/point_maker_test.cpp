#include "isogon/synthetic/point_maker.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "isogon/core/error.hpp"

namespace isogon::point_maker_test {
namespace {

std::int64_t write_number(Index i, std::span<float> point, std::span<float> truth) {
    std::ranges::fill(point, static_cast<float>(i));
    truth[0] = static_cast<float>(2 * i);
    return i;
}

PointMaker numbers(Index dimension = 2) {
    return {.dimension = dimension, .truth_dimension = 1, .labelled = true, .make = write_number};
}

TEST(PointMaker, VisitsEveryPointOnce) {
    const Generated made = make_points(numbers(), 0, 20000, {});
    ASSERT_EQ(made.points.count(), 20000U);
    ASSERT_EQ(made.points.dimension(), 2U);
    for (Index i = 0; i < made.points.count(); ++i) {
        ASSERT_EQ(made.points[i][1], static_cast<float>(i));
        ASSERT_EQ(made.truth[i][0], static_cast<float>(2 * i));
        ASSERT_EQ(made.labels[i], i);
    }
}

TEST(PointMaker, BeginsWhereItIsTold) {
    const Generated made = make_points(numbers(), 777, 3, {});
    EXPECT_EQ(made.labels, (std::vector<std::int64_t>{777, 778, 779}));
    EXPECT_EQ(made.points[2][0], 779.0F);
    EXPECT_EQ(made.truth[0][0], 2.0F * 777);
}

TEST(PointMaker, LeavesOutWhatIsNotAskedFor) {
    const PointMaker plain{.dimension = 3, .make = [](Index, std::span<float>, std::span<float> truth) {
                               EXPECT_TRUE(truth.empty());
                               return std::int64_t{7};
                           }};
    const Generated made = make_points(plain, 0, 5, {});
    EXPECT_TRUE(made.truth.empty());
    EXPECT_TRUE(made.labels.empty());
}

TEST(PointMaker, RefusesNoPoints) {
    try {
        (void)make_points(numbers(), 0, 0, {});
        FAIL() << "a count of 0 was taken";
    } catch (const InvalidArgument& error) {
        EXPECT_EQ(error.field(), "count");
    }
}

TEST(PointMaker, StatesItsMemoryBeforeItTakesIt) {
    RunContext context;
    context.memory_limit = 1000;
    // 30 points of (2 + 1) floats and a label of 8 bytes: 600 bytes.
    PointMaker maker = numbers();
    EXPECT_NO_THROW((void)make_points(maker, 0, 30, context));
    maker.bytes = 400;
    EXPECT_NO_THROW(require_memory_for(maker, 30, context));
    maker.bytes = 401;
    EXPECT_THROW(require_memory_for(maker, 30, context), LimitExceeded);
    EXPECT_THROW((void)make_points(numbers(), 0, 51, context), LimitExceeded);
    EXPECT_THROW((void)make_points(numbers(100000), 0, 4000000000U, context), LimitExceeded);
}

TEST(PointMaker, ReturnsNothingWhenStoppedAtOnce) {
    std::stop_source source;
    source.request_stop();
    RunContext context;
    context.stop = source.get_token();
    const Generated made = make_points(numbers(), 0, 100, context);
    EXPECT_EQ(made.points.count(), 0U);
    EXPECT_EQ(made.truth.count(), 0U);
    EXPECT_TRUE(made.labels.empty());
    EXPECT_EQ(stream_points(numbers(), 100, context, [](const Generated&) { FAIL() << "nothing was made"; }), 0U);
}

TEST(PointMaker, ReturnsWhatWasDoneWhenStopped) {
    std::stop_source source;
    RunContext context;
    context.stop = source.get_token();
    context.on_iteration = [&](const Progress&) { source.request_stop(); };
    const Index asked = 1000000;
    const Generated made = make_points(numbers(), 0, asked, context);
    ASSERT_GT(made.points.count(), 0U);
    ASSERT_LT(made.points.count(), asked);
    EXPECT_EQ(made.truth.count(), made.points.count());
    EXPECT_EQ(made.labels.size(), made.points.count());
    for (Index i = 0; i < made.points.count(); ++i) {
        ASSERT_EQ(made.points[i][0], static_cast<float>(i));
    }
}

TEST(PointMaker, ReportsEachStepUpToTheLast) {
    RunContext context;
    std::vector<std::uint64_t> done;
    context.on_iteration = [&](const Progress& progress) { done.push_back(progress.done); };
    for (const bool streamed : {false, true}) {
        done.clear();
        if (streamed) {
            (void)stream_points(numbers(), 20000, context, [](const Generated&) {});
        } else {
            (void)make_points(numbers(), 0, 20000, context);
        }
        ASSERT_FALSE(done.empty());
        EXPECT_TRUE(std::ranges::is_sorted(done));
        EXPECT_EQ(done.back(), 20000U);
    }
}

TEST(PointMaker, StreamedBlocksTogetherAreAllPoints) {
    for (const Index count : {1U, 8192U, 20001U}) {
        Index next = 0;
        const auto check = [&](const Generated& made) {
            ASSERT_EQ(made.labels.size(), made.points.count());
            for (Index i = 0; i < made.points.count(); ++i, ++next) {
                ASSERT_EQ(made.points[i][1], static_cast<float>(next));
                ASSERT_EQ(made.truth[i][0], static_cast<float>(2 * next));
                ASSERT_EQ(made.labels[i], next);
            }
        };
        EXPECT_EQ(stream_points(numbers(), count, {}, check), count);
        EXPECT_EQ(next, count);
    }
}

TEST(PointMaker, AStreamOfAnyLengthTakesTheMemoryOfABlock) {
    RunContext context;
    context.memory_limit = 33'000'000;  // a million points of 4,000 bytes would be 4 GB
    std::stop_source source;
    context.stop = source.get_token();
    Index blocks = 0;
    const auto stop_soon = [&](const Generated&) {
        if (++blocks == 2) {
            source.request_stop();
        }
    };
    const Index made = stream_points(numbers(1000), 1000000, context, stop_soon);
    EXPECT_EQ(blocks, 2U);
    EXPECT_GT(made, 0U);
    EXPECT_LT(made, 1000000U);
    context.memory_limit = 1'000'000;
    EXPECT_THROW((void)stream_points(numbers(1000), 1000000, context, stop_soon), LimitExceeded);
}

}  // namespace
}  // namespace isogon::point_maker_test
