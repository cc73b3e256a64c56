#include "decomposition/extrapolated_block.hpp"

#include <gtest/gtest.h>

#include "unit/decomposition/relu_examples.hpp"

namespace isogon::extrapolated_block_test {
namespace {

using support::Matrix;

TEST(ExtrapolatedBlock, BeginsWithTheProjectionOnZ) {
    const support::ReluExample example{"", support::planted_relu(70, 60, 4, 0.5, 1), {}};
    const ReluProblem problem = example.problem();
    const ReluFactors start = support::random_factors(70, 60, 4, 2);
    ExtrapolatedBlock state(problem, start, {});
    state.update();
    const Matrix z = support::completed(example, support::product_of(start));
    const Matrix image = z * support::to_matrix(start.right);
    const Matrix q = Eigen::HouseholderQR<Matrix>(image).householderQ() * Matrix::Identity(70, 4);
    EXPECT_LT(support::difference(support::product_of(state.factors()), q * (q.transpose() * z)), 1e-9);
}

TEST(ExtrapolatedBlock, NeverRaisesTheObjective) {
    for (const auto& example : support::relu_examples()) {
        const ReluProblem problem = example.problem();
        ExtrapolatedBlock state(problem,
                                support::random_factors(problem.forward.rows(), problem.forward.columns(), 3, 9), {});
        double before = support::latent_squares(example, support::product_of(state.factors()));
        const double first = before;
        for (int k = 0; k < 40; ++k) {
            state.update();
            const double now = support::latent_squares(example, support::product_of(state.factors()));
            EXPECT_LE(now, before * (1.0 + 1e-9) + 1e-18) << example.name << ", update " << k;
            before = now;
        }
        EXPECT_LT(before, 0.5 * first) << example.name;
    }
}

}  // namespace
}  // namespace isogon::extrapolated_block_test
