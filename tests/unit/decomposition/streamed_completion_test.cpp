#include "decomposition/streamed_completion.hpp"

#include <gtest/gtest.h>

#include "decomposition/gaussian_moments.hpp"
#include "unit/decomposition/relu_examples.hpp"

namespace isogon::streamed_completion_test {
namespace {

using support::Matrix;

TEST(StreamedCompletion, IsEquation5OfASumOfTerms) {
    for (const auto& example : support::relu_examples()) {
        const ReluProblem problem = example.problem();
        const ReluFactors a = support::random_factors(problem.forward.rows(), problem.forward.columns(), 3, 9);
        const ReluFactors b = support::random_factors(problem.forward.rows(), problem.forward.columns(), 2, 10);
        const StreamedCompletion z(problem, {{&a, 1.5}, {&b, -0.5}}, {});
        const Matrix latent = 1.5 * support::product_of(a) - 0.5 * support::product_of(b);
        const Matrix expected = support::completed(example, latent);
        EXPECT_LT(support::difference(support::whole(z, false), expected), 1e-12) << example.name;
        EXPECT_LT(support::difference(support::whole(z, true), expected.transpose()), 1e-12) << example.name;
    }
}

TEST(StreamedCompletion, WithNoiseIsTheMeanBelowZero) {
    constexpr double noise = 0.7;
    for (const auto& example : support::relu_examples()) {
        const ReluProblem problem = example.problem();
        const ReluFactors factors = support::random_factors(problem.forward.rows(), problem.forward.columns(), 3, 9);
        const StreamedCompletion z(problem, {{&factors, 1.0}}, {}, noise);
        Matrix expected = support::product_of(factors);
        double variance = 0.0;
        for (Eigen::Index i = 0; i < expected.rows(); ++i) {
            for (Eigen::Index j = 0; j < expected.cols(); ++j) {
                const double t = expected(i, j) / noise;
                if (example.s(i, j) > 0.0) {
                    expected(i, j) = example.s(i, j);
                } else if (example.known(i, j)) {
                    expected(i, j) = noise * mean_below_zero(t);
                    variance += noise * noise * variance_below_zero(t);
                }
            }
        }
        EXPECT_LT(support::difference(support::whole(z, false), expected), 1e-12) << example.name;
        EXPECT_NEAR(z.variance({}), variance, 1e-10 * (1.0 + variance)) << example.name;
    }
}

}  // namespace
}  // namespace isogon::streamed_completion_test
