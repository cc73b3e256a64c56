#include "decomposition/relu_problem.hpp"

#include <gtest/gtest.h>
#include <limits>

#include "decomposition/relu_examples.hpp"
#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"

namespace isogon::relu_problem_test {

namespace {

using support::csr_matrix;
using support::Matrix;

std::string refusal(const CsrMatrix<double>& s, const CsrMatrix<double>* observed = nullptr) {
    try {
        static_cast<void>(relu_problem(s, observed));
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "";
}

TEST(ReluProblem, HoldsSBothWaysRound) {
    for (const auto& example : support::relu_examples()) {
        const ReluProblem problem = example.problem();
        EXPECT_NEAR(problem.squared_norm, example.s.squaredNorm(), 1e-12 * example.s.squaredNorm()) << example.name;
        EXPECT_EQ(problem.forward.rows(), problem.backward.columns());
        EXPECT_EQ(problem.forward.s.entries(), problem.backward.s.entries());
        EXPECT_EQ(problem.entries(), static_cast<double>(example.s.size()));
        EXPECT_EQ(problem.known(), example.observed ? example.observed->sum() : static_cast<double>(example.s.size()));
    }
}

TEST(ReluProblem, NamesTheFirstNegativeEntry) {
    Matrix s = support::planted_relu(6, 5, 2, 0.0, 1);
    s(2, 3) = -1.5;
    s(4, 0) = -2.0;
    EXPECT_NE(refusal(csr_matrix(s)).find("row 2, column 3"), std::string::npos) << refusal(csr_matrix(s));
}

TEST(ReluProblem, RefusesWhatHasNothingAboveZero) {
    EXPECT_NE(refusal(csr_matrix(Matrix::Zero(3, 4))), "");
    EXPECT_NE(refusal(CsrMatrix<double>{}), "");
    Matrix huge = Matrix::Constant(2, 2, 1e200);
    EXPECT_NE(refusal(csr_matrix(huge)).find("divide"), std::string::npos);
    CsrMatrix<double> nan = csr_matrix(Matrix::Constant(2, 2, 1.0));
    nan.values[1] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(refusal(nan), "");
}

TEST(ReluProblem, RefusesKnownEntriesOfAnotherShape) {
    const CsrMatrix<double> s = csr_matrix(support::planted_relu(6, 5, 2, 0.0, 1));
    const CsrMatrix<double> mask = csr_matrix(Matrix::Constant(5, 6, 1.0));
    EXPECT_NE(refusal(s, &mask).find("6 x 5"), std::string::npos);
}

TEST(TileCursor, VisitsEveryEntryOnce) {
    for (const auto& example : support::relu_examples()) {
        const ReluProblem problem = example.problem();
        Matrix seen = Matrix::Zero(example.s.rows(), example.s.cols());
        for (Index row = 0; row < problem.forward.rows(); row += panel_width) {
            TileCursor cursor(problem.forward.s, row);
            for (Index column = 0; column < problem.forward.columns(); column += panel_width) {
                cursor.visit(column, [&](Index i, Index j, double value) {
                    ASSERT_LT(j, panel_width);
                    seen(row + i, column + j) += value;
                });
            }
        }
        EXPECT_EQ(seen, example.s) << example.name;
    }
}

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

}  // namespace isogon::relu_problem_test
