#include "decomposition/adaptive_momentum.hpp"

#include <gtest/gtest.h>

#include "unit/decomposition/relu_examples.hpp"

namespace isogon::adaptive_momentum_test {
namespace {

TEST(AdaptiveMomentum, FindsAPlantedMatrixFasterThanTheAlternation) {
    const support::ReluExample example{"", support::planted_relu(90, 80, 4, 0.0, 1), {}};
    const ReluProblem problem = example.problem();
    for (const bool recursive : {true, false}) {
        AdaptiveMomentum state(problem, support::random_factors(90, 80, 4, 2), recursive, 0, {});
        for (int k = 0; k < 80; ++k) {
            state.update();
        }
        EXPECT_LT(std::sqrt(support::output_squares(example, support::product_of(state.factors()))),
                  1e-3 * example.s.norm())
            << recursive;
    }
}

TEST(AdaptiveMomentum, WithoutHistoryNeverRaisesTheObjective) {
    for (const auto& example : support::relu_examples()) {
        const ReluProblem problem = example.problem();
        AdaptiveMomentum state(
            problem, support::random_factors(problem.forward.rows(), problem.forward.columns(), 3, 9), false, 0, {});
        double before = support::latent_squares(example, support::product_of(state.factors()));
        for (int k = 0; k < 20; ++k) {
            state.update();
            const double now = support::latent_squares(example, support::product_of(state.factors()));
            EXPECT_LE(now, before * (1.0 + 1e-9) + 1e-18) << example.name << ", update " << k;
            before = now;
        }
    }
}

}  // namespace
}  // namespace isogon::adaptive_momentum_test
