#include "decomposition/block_update.hpp"

#include <gtest/gtest.h>

#include "decomposition/streamed_completion.hpp"
#include "unit/decomposition/relu_examples.hpp"

namespace isogon::block_update_test {
namespace {

using support::Matrix;
using support::to_matrix;

TEST(BlockStep, SolvesForOneFactorAfterTheOther) {
    for (const double ridge : {0.0, 0.3}) {
        const support::ReluExample example{"", support::planted_relu(70, 60, 4, 0.5, 1), {}};
        const ReluProblem problem = example.problem();
        const ReluFactors from = support::random_factors(70, 60, 4, 2);
        const ReluFactors next = block_step(StreamedCompletion(problem, {{&from, 1.0}}, {}), from, ridge, {});
        const Matrix z = support::completed(example, support::product_of(from));
        const Matrix unit = ridge * Matrix::Identity(4, 4);
        const Matrix h = to_matrix(from.right);
        const Matrix w = (h.transpose() * h + unit).llt().solve(h.transpose() * z.transpose()).transpose();
        EXPECT_LT(support::difference(to_matrix(next.left), w), 1e-9 * w.norm());
        const Matrix expected = (w.transpose() * w + unit).llt().solve(w.transpose() * z).transpose();
        EXPECT_LT(support::difference(to_matrix(next.right), expected), 1e-9 * expected.norm());
    }
}

TEST(BlockUpdate, NeverRaisesTheObjective) {
    for (const auto& example : support::relu_examples()) {
        const ReluProblem problem = example.problem();
        ReluFactors factors = support::random_factors(problem.forward.rows(), problem.forward.columns(), 3, 9);
        double before = support::latent_squares(example, support::product_of(factors));
        for (int k = 0; k < 15; ++k) {
            factors = block_update(problem, factors, 0.0, {});
            const double now = support::latent_squares(example, support::product_of(factors));
            EXPECT_LE(now, before * (1.0 + 1e-9) + 1e-18) << example.name << ", update " << k;
            before = now;
        }
    }
}

TEST(BlockUpdate, LeavesZeroDirectionsAlone) {
    const support::ReluExample example{"", support::planted_relu(20, 30, 2, 0.0, 1), {}};
    ReluFactors factors = support::random_factors(20, 30, 3, 2);
    for (Index j = 0; j < 30; ++j) {
        factors.right.at(j, 1) = 0.0;
    }
    const ReluFactors next = block_update(example.problem(), factors, 0.0, {});
    EXPECT_TRUE(to_matrix(next.left).allFinite());
    EXPECT_LT(to_matrix(next.left).col(1).norm(), 1e-6);
}

}  // namespace
}  // namespace isogon::block_update_test
