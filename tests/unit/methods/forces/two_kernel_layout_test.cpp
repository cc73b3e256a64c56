#include "isogon/methods/forces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "isogon/core/error.hpp"
#include "isogon/methods/model.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"
#include "support/heaps.hpp"

namespace isogon::two_kernel_layout_test {
namespace {

using support::heaps;
using support::share_of_nearest_of_the_same;

bool same_bits(const Embedding& a, const Embedding& b) {
    return std::ranges::equal(a.coordinates.values(), b.coordinates.values());
}

TEST(Pca2, HeapsStayHeapsInEveryDimension) {
    const Points points = heaps(100);
    const RunContext one = reference::on_threads(1);
    for (const int dimension : {1, 2, 3}) {
        const Embedding result = pca2(points.view(), {.dimension = dimension, .iterations = 80}, one);
        EXPECT_GT(share_of_nearest_of_the_same(result.coordinates), dimension == 1 ? 0.8 : 0.99) << dimension;
        const auto& trace = result.summary.trace;
        for (std::size_t k = 1; k < trace.size(); ++k) {
            EXPECT_LE(trace[k].objective, trace[k - 1].objective);
        }
    }
}

TEST(Pca2, HasTheSameBitsOnAnyNumberOfThreadsAndInAnyUnit) {
    const Points points = heaps(400);
    const Pca2Options options{.iterations = 15};
    const Embedding one = pca2(points.view(), options, reference::on_threads(1));
    EXPECT_TRUE(same_bits(one, pca2(points.view(), options, reference::on_threads(2))));
    EXPECT_TRUE(same_bits(one, pca2(points.view(), options, reference::on_threads(3))));
    EXPECT_TRUE(same_bits(one, pca2(reference::scaled(points, 0x1p40F).view(), options)));
}

TEST(Pca2, TakesTheUsersNeighbours) {
    const Points points = heaps(100);
    const NeighborLists lists = reference::euclidean_lists(points, 15);
    const Pca2Options options{.iterations = 30};
    const Embedding result = pca2(points.view(), options, {}, {.neighbors = &lists});
    EXPECT_GT(share_of_nearest_of_the_same(result.coordinates), 0.9);
    const NeighborLists few = reference::euclidean_lists(points, 5);
    EXPECT_THROW((void)pca2(points.view(), options, {}, {.neighbors = &few}), InvalidArgument);
}

TEST(Pca2, SmallAndAwkwardPointsGiveNumbers) {
    const RunContext one = reference::on_threads(1);
    for (Index count = 3; count <= 50; count += count < 10 ? 1 : 8) {
        for (const Points& points :
             {reference::awkward_points(count, 5, count), reference::whole_points(count, 5, 1, 1)}) {
            const Embedding result =
                pca2(points.view(), {.neighbors = std::min(static_cast<int>(count) - 1, 15), .iterations = 30}, one);
            ASSERT_EQ(result.coordinates.count(), count);
            ASSERT_TRUE(std::ranges::all_of(result.coordinates.values(), [](float v) { return std::isfinite(v); }));
            ASSERT_TRUE(std::isfinite(result.summary.value("objective")));
        }
    }
}

TEST(Pca2, EveryOptionChangesSomething) {
    const Points points = heaps(60);
    const RunContext one = reference::on_threads(1);
    const Pca2Options usual{.iterations = 40, .start = Pca2Start::Random};
    const Embedding result = pca2(points.view(), usual, one);
    const auto changes = [&](auto change) {
        Pca2Options options = usual;
        change(options);
        return !same_bits(result, pca2(points.view(), options, one));
    };
    EXPECT_TRUE(changes([](Pca2Options& options) { options.neighbors = 8; }));
    EXPECT_TRUE(changes([](Pca2Options& options) { options.iterations = 41; }));
    EXPECT_TRUE(changes([](Pca2Options& options) { options.tolerance = 0.9; }));
    EXPECT_TRUE(changes([](Pca2Options& options) { options.start = Pca2Start::Pca; }));
    EXPECT_TRUE(changes([](Pca2Options& options) { options.seed = 1; }));
}

TEST(Pca2, NewPointsAreMixturesOfFittedOnes) {
    const Points points = heaps(60);
    const Embedding result = pca2(points.view(), {.iterations = 20});
    const Transformer transformer(make_model("pca2", points.view(), result, Store::Map), {});
    EXPECT_TRUE(
        std::ranges::equal(transformer.transform(points.view(), {}).coordinates.values(), result.coordinates.values()));
}

TEST(Pca2, SaysWhatItCannotDo) {
    const Points points = heaps(40);
    EXPECT_THROW((void)pca2(points.view(), {.neighbors = 40}), InvalidArgument);
    EXPECT_THROW((void)pca2(points.view(), {.iterations = 0}), InvalidArgument);
    EXPECT_THROW((void)pca2(points.view(), {}, {.memory_limit = 3000}), LimitExceeded);
}

TEST(Lle2, HeapsStayHeapsInEveryDimension) {
    const Points points = heaps(100);
    const RunContext one = reference::on_threads(1);
    for (const int dimension : {1, 2, 3}) {
        const Embedding result = lle2(points.view(), {.dimension = dimension, .iterations = 80}, one);
        EXPECT_GT(share_of_nearest_of_the_same(result.coordinates), dimension == 1 ? 0.8 : 0.99) << dimension;
        const auto& trace = result.summary.trace;
        for (std::size_t k = 1; k < trace.size(); ++k) {
            EXPECT_LE(trace[k].objective, trace[k - 1].objective);
        }
    }
}

TEST(Lle2, HasTheSameBitsOnAnyNumberOfThreadsAndInAnyUnit) {
    const Points points = heaps(400);
    const Lle2Options options{.iterations = 15};
    const Embedding one = lle2(points.view(), options, reference::on_threads(1));
    EXPECT_TRUE(same_bits(one, lle2(points.view(), options, reference::on_threads(2))));
    EXPECT_TRUE(same_bits(one, lle2(points.view(), options, reference::on_threads(3))));
    EXPECT_TRUE(same_bits(one, lle2(reference::scaled(points, 0x1p40F).view(), options)));
}

TEST(Lle2, TakesTheUsersNeighbours) {
    const Points points = heaps(100);
    const NeighborLists lists = reference::euclidean_lists(points, 15);
    const Lle2Options options{.iterations = 30};
    const Embedding result = lle2(points.view(), options, {}, {.neighbors = &lists});
    EXPECT_GT(share_of_nearest_of_the_same(result.coordinates), 0.9);
    const NeighborLists few = reference::euclidean_lists(points, 5);
    EXPECT_THROW((void)lle2(points.view(), options, {}, {.neighbors = &few}), InvalidArgument);
}

TEST(Lle2, SmallAndAwkwardPointsGiveNumbers) {
    const RunContext one = reference::on_threads(1);
    for (Index count = 3; count <= 50; count += count < 10 ? 1 : 8) {
        for (const Points& points :
             {reference::awkward_points(count, 5, count), reference::whole_points(count, 5, 1, 1)}) {
            const Embedding result =
                lle2(points.view(), {.neighbors = std::min(static_cast<int>(count) - 1, 15), .iterations = 30}, one);
            ASSERT_EQ(result.coordinates.count(), count);
            ASSERT_TRUE(std::ranges::all_of(result.coordinates.values(), [](float v) { return std::isfinite(v); }));
            ASSERT_TRUE(std::isfinite(result.summary.value("objective")));
        }
    }
}

TEST(Lle2, EveryOptionChangesSomething) {
    const Points points = heaps(60);
    const RunContext one = reference::on_threads(1);
    const Lle2Options usual{.iterations = 40, .start = Lle2Start::Random};
    const Embedding result = lle2(points.view(), usual, one);
    const auto changes = [&](auto change) {
        Lle2Options options = usual;
        change(options);
        return !same_bits(result, lle2(points.view(), options, one));
    };
    EXPECT_TRUE(changes([](Lle2Options& options) { options.neighbors = 8; }));
    EXPECT_TRUE(changes([](Lle2Options& options) { options.ridge = 0.1; }));
    EXPECT_TRUE(changes([](Lle2Options& options) { options.closeness = Lle2Closeness::Values; }));
    EXPECT_TRUE(changes([](Lle2Options& options) { options.iterations = 41; }));
    EXPECT_TRUE(changes([](Lle2Options& options) { options.tolerance = 0.9; }));
    EXPECT_TRUE(changes([](Lle2Options& options) { options.start = Lle2Start::Pca; }));
    EXPECT_TRUE(changes([](Lle2Options& options) { options.seed = 1; }));
}

TEST(Lle2, NewPointsAreMixturesOfFittedOnes) {
    const Points points = heaps(60);
    const Embedding result = lle2(points.view(), {.iterations = 20});
    const Transformer transformer(make_model("lle2", points.view(), result, Store::Map), {});
    EXPECT_TRUE(
        std::ranges::equal(transformer.transform(points.view(), {}).coordinates.values(), result.coordinates.values()));
}

TEST(Lle2, SaysWhatItCannotDo) {
    const Points points = heaps(40);
    EXPECT_THROW((void)lle2(points.view(), {.neighbors = 40}), InvalidArgument);
    EXPECT_THROW((void)lle2(points.view(), {.iterations = 0}), InvalidArgument);
    EXPECT_THROW((void)lle2(points.view(), {}, {.memory_limit = 3000}), LimitExceeded);
}

const Pca2Options small_run{.neighbors = 6, .iterations = 40};

TEST(TwoKernelRun, TellsWhatItDid) {
    const Points x = reference::random_points(80, 5, 1);
    const Embedding result = pca2(x.view(), small_run);
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
    const Embedding usual = pca2(x.view(), small_run);
    const Embedding told = pca2(x.view(), small_run, {}, {.start = start.view()});
    EXPECT_NE(usual.summary.trace.front().objective, told.summary.trace.front().objective);
    EXPECT_THROW((void)pca2(x.view(), small_run, {}, {.start = x.view()}), InvalidArgument);
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
    const Embedding result = pca2(x.view(), small_run, context);
    EXPECT_EQ(result.summary.termination, Termination::Cancelled);
    EXPECT_EQ(result.summary.value("iterations"), 9.0);
    EXPECT_EQ(result.coordinates.count(), 80U);
    RunContext none;
    none.limit_seconds(0.0);
    EXPECT_EQ(pca2(x.view(), small_run, none).summary.termination, Termination::TimeLimit);
}

TEST(TwoKernelRun, StatesItsMemoryAndRefusesTooManyNeighbours) {
    const Points x = reference::random_points(80, 5, 1);
    EXPECT_THROW((void)pca2(x.view(), small_run, {.memory_limit = 1000}), LimitExceeded);
    Pca2Options run = small_run;
    run.neighbors = 80;
    EXPECT_THROW((void)pca2(x.view(), run), InvalidArgument);
}

}  // namespace
}  // namespace isogon::two_kernel_layout_test
