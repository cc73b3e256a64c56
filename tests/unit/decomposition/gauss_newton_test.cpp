#include "decomposition/gauss_newton.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "decomposition/relu_start.hpp"
#include "unit/decomposition/relu_examples.hpp"

namespace isogon::gauss_newton_test {
namespace {

double relative_error(const support::ReluExample& example, const ReluFactors& factors) {
    return std::sqrt(support::latent_squares(example, support::product_of(factors))) / example.s.norm();
}

TEST(GaussNewton, NeverRaisesTheObjective) {
    for (const auto& example : support::relu_examples()) {
        const ReluProblem problem = example.problem();
        GaussNewton state(problem, support::random_factors(problem.forward.rows(), problem.forward.columns(), 3, 9),
                          1'000'000, {});
        double before = relative_error(example, state.factors());
        for (int k = 0; k < 15; ++k) {
            state.update();
            const double now = relative_error(example, state.factors());
            EXPECT_LE(now, before + 1e-9) << example.name << ", update " << k;
            before = now;
        }
    }
}

TEST(GaussNewton, FindsPlantedMatricesToRounding) {
    for (const double shift : {0.0, 2.5}) {
        const support::ReluExample example{"", support::planted_relu(120, 110, 4, shift, 3), {}};
        const ReluProblem problem = example.problem();
        const Index rank = shift > 0.0 ? 5 : 4;
        GaussNewton state(problem, shifted_start(problem, rank, mean_positive_entry(problem), 0, {}), 1'000'000, {});
        for (int k = 0; k < 60; ++k) {
            state.update();
        }
        EXPECT_LT(relative_error(example, state.factors()), 1e-8) << shift;
    }
}

TEST(GaussNewton, CompletesUnknownEntries) {
    const support::Matrix mask = (support::random_matrix(90, 80, 7).array() > -0.5).cast<double>();
    const support::Matrix truth = support::planted_relu(90, 80, 3, 0.0, 1);
    const support::ReluExample example{"", truth.cwiseProduct(mask), mask};
    const ReluProblem problem = example.problem();
    GaussNewton state(problem, shifted_start(problem, 3, 0.0, 0, {}), 1'000'000, {});
    for (int k = 0; k < 60; ++k) {
        state.update();
    }
    const support::Matrix found = support::product_of(state.factors()).cwiseMax(0.0);
    EXPECT_LT((found - truth).norm(), 1e-6 * truth.norm());
}

TEST(GaussNewton, GoesOnByRowsWhereTooManyEntriesCount) {
    const support::ReluExample example{"", support::planted_relu(60, 50, 3, 0.0, 1), {}};
    const ReluProblem problem = example.problem();
    GaussNewton state(problem, support::random_factors(60, 50, 3, 2), 10, {});
    const double before = relative_error(example, state.factors());
    for (int k = 0; k < 10; ++k) {
        state.update();
    }
    EXPECT_LT(relative_error(example, state.factors()), 0.7 * before);
    EXPECT_EQ(state.products(), 0);
}

}  // namespace
}  // namespace isogon::gauss_newton_test
