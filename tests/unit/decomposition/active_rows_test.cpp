#include "decomposition/active_rows.hpp"

#include <gtest/gtest.h>

#include "unit/decomposition/relu_examples.hpp"

namespace isogon::active_rows_test {
namespace {

TEST(ActiveRows, AreTheSupportAndTheViolationsOfTheirRows) {
    for (const auto& example : support::relu_examples()) {
        const ReluProblem problem = example.problem();
        const ReluFactors factors = support::random_factors(problem.forward.rows(), problem.forward.columns(), 3, 9);
        const support::Matrix latent = support::product_of(factors);
        const WidePanels rows(factors.left, {});
        const WidePanels columns(factors.right, {});
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
}  // namespace isogon::active_rows_test
