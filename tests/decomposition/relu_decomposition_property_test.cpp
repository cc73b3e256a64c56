#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tuple>

#include "decomposition/relu_decomposition.hpp"
#include "reference/point_sets.hpp"
#include "support/matching_examples.hpp"

namespace isogon::relu_decomposition_property_test {
namespace {

using reference::on_threads;
using support::start_of;

// Below this share of |S|^2 the objective is rounding.
constexpr double floor_of_float32 = 1e-8;

/// Updates and checks that |L - Z|^2 falls. The start may have any rank: the first update is free to raise it.
void expect_never_to_rise(ReluDecomposition& state, int updates, double tolerance, const std::string& what) {
    double last = INFINITY;
    for (int t = 0; t < updates; ++t) {
        state.update();
        const double objective = state.relative_residual() * state.relative_residual();
        ASSERT_TRUE(std::isfinite(objective)) << what << ", update " << t;
        if (t > 1) {
            ASSERT_LE(objective, (1.0 + tolerance) * last + floor_of_float32) << what << ", update " << t;
        }
        last = objective;
    }
}

class AnyProblem : public testing::TestWithParam<std::tuple<Index, double>> {
protected:
    template <class Check>
    void for_any_points(const Check& check) const {
        const auto [rank, tau] = GetParam();
        // Other points for each rank and threshold: few for each, for these take long under the sanitizers.
        const auto first = static_cast<std::uint64_t>(1000 * rank) + static_cast<std::uint64_t>(100.0 * tau);
        for (std::uint64_t seed = first; seed < first + 3; ++seed) {
            Random random(seed, RandomStream::Test, 1U << 20U);
            const Index count = 10 + random.below(60);
            const Index clusters = 1 + random.below(12);
            const double spread = random.uniform(0.1, 3.0);
            const Points x = support::clustered_points(count, 12, clusters, spread, seed);
            const std::string what = "seed " + std::to_string(seed) + ", " + std::to_string(count) + " points";
            check(x, thresholded_similarities(x.view(), tau, {}), rank, tau, what);
        }
    }
};

INSTANTIATE_TEST_SUITE_P(RanksAndThresholds, AnyProblem,
                         testing::Combine(testing::Values(1, 2, 3, 5, 8), testing::Values(0.1, 0.5, 0.8, 0.95)));

TEST_P(AnyProblem, PlainStreamingNeverRises) {
    for_any_points([](const Points& x, const Similarities& s, Index rank, double tau, const std::string& what) {
        for (const Index guard : {0, 1, 8}) {
            ReluDecomposition state(s, start_of(x, rank, tau),
                                    {.rank = rank, .accelerate = false, .regularize = false, .guard = guard},
                                    on_threads(1));
            expect_never_to_rise(state, 60, 1e-5, what + ", guard " + std::to_string(guard));
        }
    });
}

/// An S that comes from no points: each pair is on the support with the probability `density`.
Similarities random_similarities(Index count, double density, std::uint64_t seed) {
    Similarities s = thresholded_similarities(Points(count, 1).view(), 0.5, {});
    for (Index i = 0; i < count; ++i) {
        Random random(seed, RandomStream::Test, i);
        for (Index j = i + 1; j < count; ++j) {
            if (random.uniform() < density) {
                s.upper.indices.push_back(j);
                s.upper.values.push_back(static_cast<float>(random.uniform(0.01, 1.0)));
                s.squared_norm += 2.0 * double{s.upper.values.back()} * s.upper.values.back();
            }
        }
        s.upper.offsets[i + 1] = s.upper.entries();
    }
    return s;
}

class RandomSupport : public testing::TestWithParam<std::tuple<Index, double>> {};

INSTANTIATE_TEST_SUITE_P(RanksAndDensities, RandomSupport,
                         testing::Combine(testing::Values(1, 2, 4, 8), testing::Values(0.02, 0.2, 0.5)));

/// Far from what embeddings are made of: here a tangent step with few guard vectors alone does rise.
TEST_P(RandomSupport, PlainStreamingNeverRises) {
    const auto [rank, density] = GetParam();
    for (std::uint64_t seed = 1; seed < 4; ++seed) {
        const Similarities s = random_similarities(100, density, seed);
        for (const Index guard : {0, 1, 8}) {
            LowRank start{support::random_block(100, rank, seed + 77), std::vector<double>(rank, 1e-3)};
            ReluDecomposition state(s, std::move(start),
                                    {.rank = rank, .accelerate = false, .regularize = false, .guard = guard},
                                    on_threads(1));
            expect_never_to_rise(state, 30, 1e-5, "seed " + std::to_string(seed) + ", guard " + std::to_string(guard));
        }
    }
}

TEST_P(AnyProblem, AcceleratedStaysFiniteAndEndsBelowItsStart) {
    for_any_points([](const Points& x, const Similarities& s, Index rank, double tau, const std::string& what) {
        for (const bool regularize : {false, true}) {
            ReluDecomposition state(s, start_of(x, rank, tau), {.rank = rank, .regularize = regularize}, on_threads(1));
            double worst = 0.0;
            for (int t = 0; t < 120; ++t) {
                state.update();
                worst = std::max(worst, state.relative_residual());
                ASSERT_TRUE(std::isfinite(worst)) << what << ", update " << t;
            }
            EXPECT_LT(state.relative_residual(), worst) << what;
            EXPECT_LT(support::orthonormality_error(support::to_matrix(state.matrix().factor)), 1e-5) << what;
        }
    });
}

}  // namespace
}  // namespace isogon::relu_decomposition_property_test
