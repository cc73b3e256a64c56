#include "isogon/methods/forces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "isogon/core/error.hpp"
#include "isogon/methods/model.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"
#include "support/heaps.hpp"
#include "support/layout_methods.hpp"

namespace isogon::two_kernel_layout_test {
namespace {

using support::heaps;
using support::share_of_nearest_of_the_same;

template <auto method, class OptionsOfMethod>
struct TwoKernel {
    using Options = OptionsOfMethod;
    static Embedding fit(const PointsView& points, const Options& options, const RunContext& context = {},
                         const FitExtras& extras = {}) {
        return method(points, options, context, extras);
    }
};

struct Pca2 : TwoKernel<pca2, Pca2Options> {
    static constexpr const char* name = "pca2";
};

struct Lle2 : TwoKernel<lle2, Lle2Options> {
    static constexpr const char* name = "lle2";
};

/// The common part of both methods' tests.
template <class Method>
class TwoKernelMethod : public testing::Test {
protected:
    using Options = typename Method::Options;

    static auto fit_with(const Options& options) { return support::fit_with(Method::fit, options); }
    /// Whether the change of an option changes the coordinates.
    template <class Change>
    static bool changes(const Change& change) {
        static const Points points = heaps(60);
        Options options{.iterations = 40, .start = LayoutStart::Random};
        const Embedding usual = Method::fit(points.view(), options, reference::on_threads(1));
        change(options);
        return !support::same_bits(usual, Method::fit(points.view(), options, reference::on_threads(1)));
    }
};

struct MethodNames {
    template <class Method>
    static std::string GetName(int /*index*/) {
        return Method::name;
    }
};

using TwoKernelMethods = testing::Types<Pca2, Lle2>;
TYPED_TEST_SUITE(TwoKernelMethod, TwoKernelMethods, MethodNames);

TYPED_TEST(TwoKernelMethod, SeparatesClustersInEveryDimension) {
    const Points points = heaps(100);
    for (const int dimension : {1, 2, 3}) {
        const Embedding result =
            TypeParam::fit(points.view(), {.dimension = dimension, .iterations = 80}, reference::on_threads(1));
        EXPECT_GT(share_of_nearest_of_the_same(result.coordinates), dimension == 1 ? 0.8 : 0.99) << dimension;
        const auto& trace = result.summary.trace;
        for (std::size_t k = 1; k < trace.size(); ++k) {
            EXPECT_LE(trace[k].objective, trace[k - 1].objective);
        }
    }
}

TYPED_TEST(TwoKernelMethod, HasTheSameBitsOnAnyNumberOfThreadsAndInAnyUnit) {
    const Points points = heaps(400);
    const auto fit = this->fit_with({.iterations = 15});
    support::expect_same_bits_on_threads(points, fit);
    support::expect_same_bits_in_any_unit(points, fit);
}

TYPED_TEST(TwoKernelMethod, UsesGivenNeighbours) {
    const auto fit = this->fit_with({.iterations = 30});
    support::expect_given_neighbors(heaps(100), 15, 0.9, fit, fit);
}

TYPED_TEST(TwoKernelMethod, IsFiniteForFewAndAwkwardPoints) {
    for (Index count = 3; count <= 50; count += count < 10 ? 1 : 8) {
        const int neighbors = std::min(static_cast<int>(count) - 1, 15);
        support::expect_finite_for_awkward_points(count, "objective",
                                                  this->fit_with({.neighbors = neighbors, .iterations = 30}));
    }
}

TYPED_TEST(TwoKernelMethod, EveryCommonOptionChangesTheResult) {
    EXPECT_TRUE(this->changes([](auto& options) { options.neighbors = 8; }));
    EXPECT_TRUE(this->changes([](auto& options) { options.iterations = 41; }));
    EXPECT_TRUE(this->changes([](auto& options) { options.tolerance = 0.9; }));
    EXPECT_TRUE(this->changes([](auto& options) { options.start = LayoutStart::Pca; }));
    EXPECT_TRUE(this->changes([](auto& options) { options.seed = 1; }));
}

TYPED_TEST(TwoKernelMethod, ItsModelGivesFittedRowsTheirCoordinates) {
    const Points points = heaps(60);
    const Embedding result = TypeParam::fit(points.view(), {.iterations = 20});
    const Transformer transformer(make_model(TypeParam::name, points.view(), result, Store::Map), {});
    EXPECT_TRUE(support::same_bits(transformer.transform(points.view(), {}).coordinates, result.coordinates));
}

TEST(Pca2, RefusesUnsupportedOptions) {
    const Points points = heaps(40);
    EXPECT_THROW((void)pca2(points.view(), {.neighbors = 40}), InvalidArgument);
    EXPECT_THROW((void)pca2(points.view(), {.iterations = 0}), InvalidArgument);
    EXPECT_THROW((void)pca2(points.view(), {}, {.memory_limit = 3000}), LimitExceeded);
}

TEST(Lle2, RefusesUnsupportedOptions) {
    const Points points = heaps(40);
    EXPECT_THROW((void)lle2(points.view(), {.neighbors = 40}), InvalidArgument);
    EXPECT_THROW((void)lle2(points.view(), {.iterations = 0}), InvalidArgument);
    EXPECT_THROW((void)lle2(points.view(), {}, {.memory_limit = 3000}), LimitExceeded);
}

const Pca2Options small_run{.neighbors = 6, .iterations = 40};

TEST(TwoKernelRun, ReportsItsRun) {
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

TEST(TwoKernelRun, BeginsAtTheGivenStart) {
    const Points x = reference::random_points(80, 5, 1);
    const Points start = reference::random_points(80, 2, 2);
    const Embedding usual = pca2(x.view(), small_run);
    const Embedding given = pca2(x.view(), small_run, {}, {.start = start.view()});
    EXPECT_NE(usual.summary.trace.front().objective, given.summary.trace.front().objective);
    EXPECT_THROW((void)pca2(x.view(), small_run, {}, {.start = x.view()}), InvalidArgument);
}

TEST(TwoKernelRun, ReturnsTheCurrentResultWhenCancelled) {
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
