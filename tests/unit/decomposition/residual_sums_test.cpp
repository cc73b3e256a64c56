#include "decomposition/residual_sums.hpp"

#include <gtest/gtest.h>

#include "reference/point_sets.hpp"
#include "unit/decomposition/relu_examples.hpp"

namespace isogon::residual_sums_test {
namespace {

using support::Matrix;

TEST(ReluResiduals, AreThoseOfTheDefinition) {
    for (const auto& example : support::relu_examples()) {
        const ReluProblem problem = example.problem();
        const ReluFactors factors = support::random_factors(problem.forward.rows(), problem.forward.columns(), 3, 9);
        const Matrix latent = support::product_of(factors);
        const ReluResiduals sums = relu_residuals(problem.forward, factors.left, factors.right, {});
        const double size = latent.squaredNorm() + problem.squared_norm;
        EXPECT_NEAR(sums.latent_squares, support::latent_squares(example, latent), 1e-12 * size) << example.name;
        EXPECT_NEAR(sums.output_squares, support::output_squares(example, latent), 1e-12 * size) << example.name;
        double violations = 0.0;
        for (Eigen::Index i = 0; i < latent.rows(); ++i) {
            for (Eigen::Index j = 0; j < latent.cols(); ++j) {
                violations += example.known(i, j) && example.s(i, j) == 0.0 && latent(i, j) > 0.0 ? 1.0 : 0.0;
            }
        }
        EXPECT_EQ(sums.violations, violations) << example.name;
        const ReluResiduals back = relu_residuals(problem.backward, factors.right, factors.left, {});
        EXPECT_NEAR(back.latent_squares, sums.latent_squares, 1e-12 * size) << example.name;
    }
}

TEST(ReluResiduals, AreTheSameOnAnyNumberOfThreads) {
    const support::ReluExample example{"", support::planted_relu(300, 200, 4, 0.0, 1), {}};
    const ReluProblem problem = example.problem();
    const ReluFactors factors = support::random_factors(300, 200, 4, 9);
    const auto on = [&](int threads) {
        return relu_residuals(problem.forward, factors.left, factors.right, reference::on_threads(threads));
    };
    EXPECT_EQ(on(1).latent_squares, on(3).latent_squares);
    EXPECT_EQ(on(1).output_squares, on(2).output_squares);
}

}  // namespace
}  // namespace isogon::residual_sums_test
