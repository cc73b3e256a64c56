#include "methods/forces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "isogon/core/error.hpp"
#include "methods/linear.hpp"
#include "quality/known_truth.hpp"
#include "reference/point_sets.hpp"
#include "support/embeddings.hpp"

namespace isogon::pca_forces_test {
namespace {

using support::same_bits;

/// Away from the origin, and longer in some directions than in others.
Points ellipsoid(Index count, Index dimension) {
    Points points = reference::random_points(count, dimension, 1);
    for (Index i = 0; i < count; ++i) {
        for (Index k = 0; k < dimension; ++k) {
            points[i][k] = points[i][k] * std::pow(0.7F, static_cast<float>(k)) + 3.0F;
        }
    }
    return points;
}

double error_against_pca(const Points& x, const Points& y) {
    const Embedding truth = pca(x.view(), {.dimension = static_cast<int>(y.dimension())});
    const Alignment alignment = align(y.view(), truth.coordinates.view(), {});
    EXPECT_NEAR(alignment.scale, 1.0, 1e-3);
    return alignment.error;
}

TEST(PcaForces, IsPcaUpToARotation) {
    const Points x = ellipsoid(150, 7);
    for (const int dimension : {1, 2, 3}) {
        const Embedding result = pca_forces(x.view(), {.dimension = dimension});
        EXPECT_EQ(result.summary.termination, Termination::Converged);
        EXPECT_LT(error_against_pca(x, result.coordinates), 1e-4);
        EXPECT_LT(result.summary.value("excess"), 1e-6);  // the singular values are of float32 products
        EXPECT_LT(result.summary.value("residual"), 1e-6);
    }
}

TEST(PcaForces, TheTraceFallsFromOneToNothing) {
    const Embedding result = pca_forces(ellipsoid(100, 5).view());
    const auto& trace = result.summary.trace;
    ASSERT_GT(trace.size(), 3U);
    EXPECT_NEAR(trace.front().objective, 1.0, 0.05);
    EXPECT_NEAR(trace.back().objective, 0.0, 1e-6);
    for (std::size_t k = 1; k < trace.size(); ++k) {
        EXPECT_LE(trace[k].objective, trace[k - 1].objective + 1e-12);
        EXPECT_NEAR(trace[k].change, trace[k - 1].objective - trace[k].objective, 1e-12);
    }
}

TEST(PcaForces, BeginsAtTheGivenStart) {
    const Points x = reference::scaled(ellipsoid(60, 4), 0x1p30F);
    const Embedding truth = pca(x.view(), {.dimension = 2});
    const Embedding result = pca_forces(x.view(), {}, {}, {.start = truth.coordinates.view()});
    EXPECT_LE(result.summary.value("iterations"), 20.0);
    EXPECT_LT(error_against_pca(x, result.coordinates), 1e-4);
    EXPECT_THROW((void)pca_forces(x.view(), {.dimension = 3}, {}, {.start = truth.coordinates.view()}),
                 InvalidArgument);
}

TEST(PcaForces, EveryOptionChangesSomething) {
    const Points x = ellipsoid(60, 5);
    const PcaForcesOptions usual{.iterations = 20};
    const Embedding result = pca_forces(x.view(), usual);
    const auto changes = [&](auto change) {
        PcaForcesOptions options = usual;
        change(options);
        return !same_bits(result, pca_forces(x.view(), options));
    };
    EXPECT_TRUE(changes([](PcaForcesOptions& options) { options.iterations = 21; }));
    EXPECT_TRUE(changes([](PcaForcesOptions& options) { options.tolerance = 0.5; }));
    EXPECT_TRUE(changes([](PcaForcesOptions& options) { options.seed = 1; }));
}

TEST(PcaForces, RefusesUnsupportedOptions) {
    const Points x = ellipsoid(30, 5);
    EXPECT_THROW((void)pca_forces(x.view(), {.dimension = 6}), InvalidArgument);
}

}  // namespace
}  // namespace isogon::pca_forces_test
