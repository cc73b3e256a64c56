#include "decomposition/active_set.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <functional>

#include "reference/point_sets.hpp"
#include "unit/decomposition/relu_examples.hpp"

namespace isogon::active_set_test {

namespace {

using support::Matrix;

TEST(ActiveSet, HoldsTheSupportAndTheViolations) {
    for (const auto& example : support::relu_examples()) {
        const ReluProblem problem = example.problem();
        const ReluFactors factors = support::random_factors(problem.forward.rows(), problem.forward.columns(), 3, 9);
        const Matrix latent = support::product_of(factors);
        const auto found = active_set(problem.forward, factors, 1'000'000, {});
        ASSERT_TRUE(found.has_value());
        Matrix forward = Matrix::Zero(latent.rows(), latent.cols());
        Matrix backward = forward;
        for (Index i = 0; i < found->forward.rows(); ++i) {
            EXPECT_TRUE(std::ranges::is_sorted(found->forward.row(i), std::less_equal<>()));
            for (const Index j : found->forward.row(i)) {
                forward(i, j) += 1.0;
            }
        }
        for (Index j = 0; j < found->backward.rows(); ++j) {
            EXPECT_TRUE(std::ranges::is_sorted(found->backward.row(j), std::less_equal<>()));
            for (const Index i : found->backward.row(j)) {
                backward(i, j) += 1.0;
            }
        }
        for (Eigen::Index i = 0; i < latent.rows(); ++i) {
            for (Eigen::Index j = 0; j < latent.cols(); ++j) {
                const bool counts = example.known(i, j) && (example.s(i, j) > 0.0 || latent(i, j) > 0.0);
                EXPECT_EQ(forward(i, j), counts ? 1.0 : 0.0) << example.name << " " << i << ", " << j;
            }
        }
        EXPECT_EQ(forward, backward) << example.name;
    }
}

TEST(ActiveSet, IsEmptyAboveItsCapacity) {
    const support::ReluExample example{"", support::planted_relu(200, 150, 3, 0.0, 1), {}};
    const ReluProblem problem = example.problem();
    const ReluFactors factors = support::random_factors(200, 150, 3, 9);
    const Offset entries = active_set(problem.forward, factors, 1'000'000, {})->forward.entries();
    for (const int threads : {1, 3}) {
        const RunContext context = reference::on_threads(threads);
        EXPECT_TRUE(active_set(problem.forward, factors, entries, context).has_value());
        EXPECT_FALSE(active_set(problem.forward, factors, entries - 1, context).has_value());
    }
}

TEST(ActiveRows, AreTheSupportAndTheViolationsOfTheirRows) {
    for (const auto& example : support::relu_examples()) {
        const ReluProblem problem = example.problem();
        const ReluFactors factors = support::random_factors(problem.forward.rows(), problem.forward.columns(), 3, 9);
        const support::Matrix latent = support::product_of(factors);
        const PackedRows rows(factors.left, {});
        const PackedRows columns(factors.right, {});
        Index i = 0;
        for (Index panel = 0; panel < rows.panels(); ++panel) {
            const ActiveRows found = active_rows(problem.forward, factors, rows, columns, panel);
            std::size_t next = 0;
            for (const Offset length : found.lengths) {
                std::vector<Index> expected;
                for (Index j = 0; j < problem.forward.columns(); ++j) {
                    if (example.known(i, j) && (example.s(i, j) > 0.0 || latent(i, j) > 0.0)) {
                        expected.push_back(j);
                    }
                }
                const std::vector<Index> listed(found.columns.begin() + static_cast<std::ptrdiff_t>(next),
                                                found.columns.begin() + static_cast<std::ptrdiff_t>(next + length));
                EXPECT_EQ(listed, expected) << example.name << ", row " << i;
                next += length;
                ++i;
            }
            EXPECT_EQ(next, found.columns.size());
        }
        EXPECT_EQ(i, problem.forward.rows()) << example.name;
    }
}

}  // namespace

}  // namespace isogon::active_set_test
