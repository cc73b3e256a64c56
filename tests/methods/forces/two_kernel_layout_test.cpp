#include "methods/forces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "isogon/core/error.hpp"
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

using Pca2 = TwoKernel<pca2, Pca2Options>;
using Lle2 = TwoKernel<lle2, Lle2Options>;

/// The common part of both methods' tests.
template <class Method>
class TwoKernelMethod : public testing::Test {
protected:
    using Options = typename Method::Options;

    static auto fit_with(const Options& options) { return support::fit_with(Method::fit, options); }
};

using TwoKernelMethods = testing::Types<Pca2, Lle2>;
TYPED_TEST_SUITE(TwoKernelMethod, TwoKernelMethods);

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

TYPED_TEST(TwoKernelMethod, RefusesAsManyNeighboursAsPoints) {
    EXPECT_THROW((void)TypeParam::fit(heaps(40).view(), {.neighbors = 40}), InvalidArgument);
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

}  // namespace
}  // namespace isogon::two_kernel_layout_test
