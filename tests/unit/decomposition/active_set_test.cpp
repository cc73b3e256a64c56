#include "decomposition/active_set.hpp"

#include <gtest/gtest.h>

#include "reference/point_sets.hpp"
#include "support/relu_examples.hpp"

namespace isogon {
namespace {

using support::Matrix;

TEST(ActiveSet, HoldsTheSupportAndTheViolations) {
    for (const auto& example : support::relu_examples()) {
        const ReluProblem problem = example.problem();
        const ReluFactors factors = support::random_factors(problem.forward.rows(), problem.forward.columns(), 3, 9);
        const Matrix latent = support::product_of(factors);
        const auto found = active_set(problem.forward, factors, 1'000'000, {});
        ASSERT_TRUE(found.has_value());
        validate(found->targets);
        validate(found->transposed);
        Matrix targets = Matrix::Constant(latent.rows(), latent.cols(), -1.0);
        Matrix back = targets;
        for (Index i = 0; i < found->targets.rows; ++i) {
            for (std::size_t k = 0; k < found->targets.row_indices(i).size(); ++k) {
                targets(i, found->targets.row_indices(i)[k]) = found->targets.row_values(i)[k];
            }
        }
        for (Index j = 0; j < found->transposed.rows; ++j) {
            for (std::size_t k = 0; k < found->transposed.row_indices(j).size(); ++k) {
                back(found->transposed.row_indices(j)[k], j) = found->transposed.row_values(j)[k];
            }
        }
        for (Eigen::Index i = 0; i < latent.rows(); ++i) {
            for (Eigen::Index j = 0; j < latent.cols(); ++j) {
                const bool counts = example.known(i, j) && (example.s(i, j) > 0.0 || latent(i, j) > 0.0);
                EXPECT_EQ(targets(i, j), counts ? example.s(i, j) : -1.0) << example.name << " " << i << ", " << j;
            }
        }
        EXPECT_EQ(targets, back) << example.name;
    }
}

TEST(ActiveSet, IsEmptyAboveItsCapacity) {
    const support::ReluExample example{"", support::planted_relu(200, 150, 3, 0.0, 1), {}};
    const ReluProblem problem = example.problem();
    const ReluFactors factors = support::random_factors(200, 150, 3, 9);
    const Offset entries = active_set(problem.forward, factors, 1'000'000, {})->targets.entries();
    for (const int threads : {1, 3}) {
        const RunContext context = reference::on_threads(threads);
        EXPECT_TRUE(active_set(problem.forward, factors, entries, context).has_value());
        EXPECT_FALSE(active_set(problem.forward, factors, entries - 1, context).has_value());
    }
}

}  // namespace
}  // namespace isogon
