#include "decomposition/completion.hpp"

#include <gtest/gtest.h>
#include <cmath>
#include <limits>

#include "decomposition/relu_examples.hpp"
#include "reference/point_sets.hpp"

namespace isogon::completion_test {

namespace {

using support::Matrix;
using support::to_matrix;
using support::to_multi_vector;

TEST(Completion, ItsProductsAreThoseOfTheWholeMatrix) {
    for (const auto& example : support::relu_examples()) {
        const ReluProblem problem = example.problem();
        const ReluFactors factors = support::random_factors(problem.forward.rows(), problem.forward.columns(), 3, 9);
        const StreamedCompletion z(problem, {{&factors, 1.0}}, {});
        const Matrix dense = support::completed(example, support::product_of(factors));
        for (const Index columns : {1, 48, 50}) {
            const Matrix v = support::random_matrix(problem.forward.columns(), columns, 1);
            const Matrix u = support::random_matrix(problem.forward.rows(), columns, 2);
            EXPECT_LT(support::difference(to_matrix(product(z, false, to_multi_vector(v), {})), dense * v), 1e-10)
                << example.name;
            EXPECT_LT(support::difference(to_matrix(product(z, true, to_multi_vector(u), {})), dense.transpose() * u),
                      1e-10)
                << example.name;
        }
        EXPECT_NEAR(squared_norm(z, {}), dense.squaredNorm(), 1e-11 * dense.squaredNorm()) << example.name;
    }
}

TEST(Completion, ItsProductsAreTheSameOnAnyNumberOfThreads) {
    const support::ReluExample example{"", support::planted_relu(300, 200, 4, 0.0, 1), {}};
    const ReluProblem problem = example.problem();
    const ReluFactors factors = support::random_factors(300, 200, 4, 9);
    const StreamedCompletion z(problem, {{&factors, 1.0}}, {});
    const MultiVector<double> v = to_multi_vector(support::random_matrix(200, 5, 3));
    EXPECT_EQ(product(z, false, v, reference::on_threads(1)).values(),
              product(z, false, v, reference::on_threads(3)).values());
}

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

TEST(CompletionSvd, IsTheBestApproximation) {
    for (const auto& example : support::relu_examples()) {
        const ReluProblem problem = example.problem();
        const Index rank = std::min<Index>(3, std::min(problem.forward.rows(), problem.forward.columns()));
        const ReluFactors factors = support::random_factors(problem.forward.rows(), problem.forward.columns(), rank, 9);
        const StreamedCompletion z(problem, {{&factors, 1.0}}, {});
        const CompletionSvd svd = completion_svd(z, with_guard(factors.right, 8, 0),
                                                 {.rank = rank, .tolerance = 1e-13, .most_rounds = 400}, {});
        const Matrix dense = support::whole(z, false);
        EXPECT_EQ(svd.factors.rank(), rank);
        EXPECT_NEAR((support::product_of(svd.factors) - dense).norm(),
                    (support::best_of_rank(dense, rank) - dense).norm(), 1e-9 * dense.norm())
            << example.name;
    }
}

TEST(CompletionSvd, OneRoundIsNearerThanTheStart) {
    const support::ReluExample example{"", support::planted_relu(80, 70, 5, 0.5, 1), {}};
    const ReluProblem problem = example.problem();
    const ReluFactors factors = support::random_factors(80, 70, 4, 2);
    const StreamedCompletion z(problem, {{&factors, 1.0}}, {});
    const CompletionSvd svd = completion_svd(z, factors.right, {.rank = 4, .most_rounds = 1}, {});
    const Matrix dense = support::whole(z, false);
    EXPECT_LT((support::product_of(svd.factors) - dense).norm(), (support::product_of(factors) - dense).norm());
}

TEST(OrthonormalColumns, SpanTheSame) {
    Matrix v = support::random_matrix(60, 4, 1) * support::random_matrix(4, 6, 2);  // rank 4
    v.col(0) *= 1e6;
    const Matrix q = to_matrix(orthonormal_columns(support::to_multi_vector(v), {}));
    EXPECT_LT((q * (q.transpose() * v) - v).norm(), 1e-7 * v.norm());
    const Matrix gram = q.transpose() * q;
    EXPECT_LT((gram * gram - gram).norm(), 1e-9);  // a projection: ones and zeros
    EXPECT_NEAR(gram.trace(), 4.0, 1e-9);
}

/// Moments of a normal variable around t below zero, by Simpson's rule over what matters of it.
struct Moments {
    double mean = 0.0;
    double variance = 0.0;
};
Moments by_integration(double t) {
    constexpr int steps = 200000;
    // Relative to the density at its largest below zero, so that nothing underflows.
    const double top = std::min(0.0, t);
    const double width = t > 0.0 ? std::min(14.0, 60.0 / t) : 14.0;
    double weight = 0.0;
    double first = 0.0;
    double second = 0.0;
    for (int k = 0; k <= steps; ++k) {
        const double low = top - width;
        const double high = std::min(0.0, top + width);
        const double x = low + (high - low) * k / steps;
        const double density = std::exp(-0.5 * (x - t) * (x - t) + 0.5 * (top - t) * (top - t));
        const double factor = density * (k == 0 || k == steps ? 1.0 : (k % 2 == 1 ? 4.0 : 2.0));
        weight += factor;
        first += factor * (x - top);
        second += factor * (x - top) * (x - top);
    }
    const double mean = first / weight;
    return {top + mean, second / weight - mean * mean};
}

TEST(GaussianMoments, AreThoseOfTheIntegral) {
    for (const double t : {-50.0, -37.5, -8.0, -2.0, -0.5, 0.0, 0.3, 1.0, 5.0, 20.0, 27.0, 29.0, 99.0, 101.0, 400.0}) {
        const Moments expected = by_integration(t);
        EXPECT_NEAR(mean_below_zero(t), expected.mean, 1e-8 * std::max(std::abs(expected.mean), 1e-12)) << t;
        EXPECT_NEAR(variance_below_zero(t), expected.variance, 1e-6 * expected.variance) << t;
    }
}

TEST(GaussianMoments, StayInTheirBoundsFarOut) {
    for (const double t : {-1e300, -1e5, 1e5, 1e10, 1e300}) {
        EXPECT_LE(mean_below_zero(t), 0.0) << t;
        EXPECT_GE(variance_below_zero(t), 0.0) << t;
        EXPECT_LE(variance_below_zero(t), 1.0) << t;
    }
    EXPECT_EQ(mean_below_zero(-1e5), -1e5);
}

TEST(ScaledErfc, IsTheProductWhereErfcIsNotZero) {
    for (double x = -26.0; x < 20.5; x += 0.003) {
        const auto exact = static_cast<long double>(x);
        const auto product = static_cast<double>(std::exp(exact * exact) * std::erfc(exact));
        ASSERT_NEAR(scaled_erfc(x), product, 1e-13 * product) << x;
    }
    EXPECT_EQ(scaled_erfc(-27.5), std::numeric_limits<double>::infinity());
}

TEST(ScaledErfc, GoesOnWhereErfcIsZero) {
    EXPECT_DOUBLE_EQ(scaled_erfc(0.0), 1.0);
    for (double x = 19.0; x < 22.0; x += 0.01) {
        // exp(x^2) erfc(x) falls, and no faster than 1 / x.
        EXPECT_LT(scaled_erfc(x + 0.01), scaled_erfc(x)) << x;
        EXPECT_GT(scaled_erfc(x + 0.01) * (x + 0.01), scaled_erfc(x) * x) << x;
    }
}

TEST(StoredCompletion, RemembersWhatItWas) {
    for (const auto& example : support::relu_examples()) {
        const ReluProblem problem = example.problem();
        const Index m = problem.forward.rows();
        const Index n = problem.forward.columns();
        const ReluFactors a = support::random_factors(m, n, 3, 9);
        const ReluFactors b = support::random_factors(m, n, 3, 10);
        TileArray latent(m, n);
        StoredCompletion z(problem);
        extrapolate(a, 0.0, latent, latent, {});
        z.complete(latent, 0.0, z, {});
        const Matrix first = support::completed(example, support::product_of(a));
        EXPECT_LT(support::difference(support::whole(z, false), first), 1e-12) << example.name;

        extrapolate(b, 0.5, latent, latent, {});
        const Matrix extrapolated = 1.5 * support::product_of(b) - 0.5 * support::product_of(a);
        z.complete(latent, 0.7, z, {});
        const Matrix second = 1.7 * support::completed(example, extrapolated) - 0.7 * first;
        EXPECT_LT(support::difference(support::whole(z, false), second), 1e-11) << example.name;
        EXPECT_LT(support::difference(support::whole(z, true), second.transpose()), 1e-11) << example.name;
        EXPECT_NEAR(z.distance(latent, {}), (second - extrapolated).norm(), 1e-11 * second.norm()) << example.name;

        StoredCompletion other(problem);
        other.complete(latent, 0.0, other, {});
        other.add_difference(0.9, z, other, {});
        const Matrix plain = support::completed(example, extrapolated);
        EXPECT_LT(support::difference(support::whole(other, false), plain + 0.9 * (second - plain)), 1e-11)
            << example.name;
    }
}

TEST(StoredCompletion, HoldsWhatAnotherIs) {
    for (const auto& example : support::relu_examples()) {
        const ReluProblem problem = example.problem();
        const ReluFactors factors = support::random_factors(problem.forward.rows(), problem.forward.columns(), 3, 9);
        const StreamedCompletion other(problem, {{&factors, 1.0}}, {});
        StoredCompletion z(problem);
        z.hold(other, {});
        EXPECT_EQ(support::whole(z, false), support::whole(other, false)) << example.name;
        EXPECT_EQ(support::whole(z, true), support::whole(other, false).transpose()) << example.name;
    }
}

}  // namespace

}  // namespace isogon::completion_test
