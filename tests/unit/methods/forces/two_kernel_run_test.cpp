#include "methods/forces/two_kernel_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "isogon/core/error.hpp"
#include "isogon/graph/calibrated_affinities.hpp"
#include "isogon/methods/model.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"
#include "support/heaps.hpp"

namespace isogon::two_kernel_run_test {

namespace {

TwoKernelRun small_run() {
    return {.neighbors = 6,
            .iterations = 40,
            .objective = [](const PointsView& /*points*/, const NeighborLists& lists, const RunContext& context) {
                return pca_with_two_kernels(fuzzy_affinities(lists, 1.0, context));
            }};
}

TEST(TwoKernelRun, TellsWhatItDid) {
    const Points x = reference::random_points(80, 5, 1);
    const Embedding result = lay_out_by_two_kernels(x.view(), small_run(), {}, {});
    EXPECT_EQ(result.coordinates.count(), 80U);
    EXPECT_EQ(result.summary.termination, Termination::IterationLimit);
    EXPECT_EQ(result.summary.value("iterations"), 40.0);
    EXPECT_GE(result.summary.value("evaluations"), 41.0);
    EXPECT_GT(result.summary.value("entries"), 400.0);
    EXPECT_EQ(result.summary.value("objective"), result.summary.trace.back().objective);
    EXPECT_EQ(result.summary.trace.size(), 5U);
    EXPECT_EQ(result.barycentric_map->neighbors, 10U);
}

TEST(TwoKernelRun, BeginsWhereItIsTold) {
    const Points x = reference::random_points(80, 5, 1);
    const Points start = reference::random_points(80, 2, 2);
    const Embedding usual = lay_out_by_two_kernels(x.view(), small_run(), {}, {});
    const Embedding told = lay_out_by_two_kernels(x.view(), small_run(), {.start = start.view()}, {});
    EXPECT_NE(usual.summary.trace.front().objective, told.summary.trace.front().objective);
    EXPECT_THROW((void)lay_out_by_two_kernels(x.view(), small_run(), {.start = x.view()}, {}), InvalidArgument);
}

TEST(TwoKernelRun, EndsWhenAskedWithWhatItHas) {
    const Points x = reference::random_points(80, 5, 1);
    std::stop_source stop;
    RunContext context;
    context.stop = stop.get_token();
    context.on_iteration = [&](const Progress& progress) {
        if (progress.phase == "layout" && progress.done == 9) {
            stop.request_stop();
        }
    };
    const Embedding result = lay_out_by_two_kernels(x.view(), small_run(), {}, context);
    EXPECT_EQ(result.summary.termination, Termination::Cancelled);
    EXPECT_EQ(result.summary.value("iterations"), 9.0);
    EXPECT_EQ(result.coordinates.count(), 80U);
    RunContext none;
    none.limit_seconds(0.0);
    EXPECT_EQ(lay_out_by_two_kernels(x.view(), small_run(), {}, none).summary.termination, Termination::TimeLimit);
}

TEST(TwoKernelRun, StatesItsMemoryAndRefusesTooManyNeighbours) {
    const Points x = reference::random_points(80, 5, 1);
    EXPECT_THROW((void)lay_out_by_two_kernels(x.view(), small_run(), {}, {.memory_limit = 1000}), LimitExceeded);
    TwoKernelRun run = small_run();
    run.neighbors = 80;
    EXPECT_THROW((void)lay_out_by_two_kernels(x.view(), run, {}, {}), InvalidArgument);
}

}  // namespace

}  // namespace isogon::two_kernel_run_test
