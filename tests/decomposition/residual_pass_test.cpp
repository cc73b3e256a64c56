#include "decomposition/relu_decomposition.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "reference/point_sets.hpp"
#include "support/matching_examples.hpp"

namespace isogon::residual_pass_test {
namespace {

using reference::on_threads;
using support::Matrix;
using support::to_matrix;

struct Example {
    Similarities s;
    LowRank l;
    MultiVector<float> in;
};

/// S of clustered points, some of them zero, an L near it with violations, and vectors.
Example example_of(Index count, double tau, Index columns, std::uint64_t seed) {
    Points x = support::clustered_points(count, 7, 5, 0.8, seed);
    for (Index i = 3; i < count; i += 17) {
        std::fill(x[i].begin(), x[i].end(), 0.0F);
    }
    LowRank l{support::random_block(count, 4, seed + 1), {0.9, -0.5, 0.3, -0.1}};
    return {thresholded_similarities(x.view(), tau, {}), std::move(l), support::random_block(count, columns, seed + 2)};
}

/// R = Z - L of eq. 5.
Matrix residual_matrix(const Matrix& s, const Matrix& l) {
    return support::completed(s, l) - l;
}

double hinge_where_zero(const Matrix& s, const Matrix& l) {
    return (s.array() > 0.0).select(0.0, l.array().cwiseMax(0.0)).sum();
}

void expect_sums(const ResidualSums& sums, const Matrix& s, const Matrix& l) {
    const Matrix mask = support::support_mask(s);
    const Matrix on = mask.cwiseProduct(s - l);
    const Matrix off = (1.0 - mask.array()) * l.array().cwiseMax(0.0);
    const double scale = 1.0 + (s - l).squaredNorm();
    EXPECT_NEAR(sums.support_squares, on.squaredNorm(), 1e-6 * scale);
    EXPECT_NEAR(sums.hinge_squares, off.squaredNorm(), 1e-6 * scale);
    EXPECT_NEAR(sums.hinge, hinge_where_zero(s, l), 1e-6 * (1.0 + off.sum()));
    EXPECT_NEAR(sums.support_difference, on.sum(), 1e-6 * (1.0 + on.cwiseAbs().sum()));
    const double undecided = (l.array().abs() < 1e-5).cast<double>().sum();
    EXPECT_NEAR(sums.violations, (off.array() > 0.0).cast<double>().sum(), undecided);
    EXPECT_NEAR(sums.objective(), support::matching_objective(s, l), 1e-6 * scale);
}

class ResidualPassOf : public testing::TestWithParam<std::tuple<Index, double>> {};

INSTANTIATE_TEST_SUITE_P(Shapes, ResidualPassOf,
                         testing::Combine(testing::Values(2, 3, 5, 30, 47, 48, 49, 95, 96, 97, 150, 200, 1000),
                                          testing::Values(0.2, 0.8)));

TEST_P(ResidualPassOf, IsTheProductWithTheDenseResidualWithSupportSumsOrWithout) {
    const auto [count, tau] = GetParam();
    const Example e = example_of(count, tau, 9, 1);
    MultiVector<float> out = support::random_block(count, 9, 5);  // whatever was there
    MultiVector<float> support_sums = support::random_block(count, 9, 6);
    const ResidualSums sums = ResidualPass(e.s).apply(pack({{&e.l, 1.0}}, {}), e.in, out, &support_sums, on_threads(2));
    const Matrix s = to_matrix(e.s);
    const Matrix l = to_matrix(e.l);
    const double scale = 1.0 + count;
    EXPECT_LT(support::difference(to_matrix(out), residual_matrix(s, l) * to_matrix(e.in)), 1e-6 * scale);
    EXPECT_LT(support::difference(to_matrix(support_sums), support::support_mask(s) * to_matrix(e.in)), 1e-6 * scale);
    expect_sums(sums, s, l);
    MultiVector<float> without(count, 9);
    ResidualPass(e.s).apply(pack({{&e.l, 1.0}}, {}), e.in, without, nullptr, on_threads(2));
    EXPECT_EQ(to_matrix(without), to_matrix(out));
}

TEST_P(ResidualPassOf, TakesExtrapolatedMatrices) {
    const auto [count, tau] = GetParam();
    const Example e = example_of(count, tau, 3, 3);
    const LowRank before{support::random_block(count, 4, 9), {0.8, -0.4, 0.2, 0.1}};
    MultiVector<float> out(count, 3);
    const ResidualSums sums =
        ResidualPass(e.s).apply(pack({{&e.l, 1.7}, {&before, -0.7}}, {}), e.in, out, nullptr, on_threads(2));
    const Matrix l = 1.7 * to_matrix(e.l) - 0.7 * to_matrix(before);
    EXPECT_LT(support::difference(to_matrix(out), residual_matrix(to_matrix(e.s), l) * to_matrix(e.in)),
              2e-6 * (1.0 + count));
    expect_sums(sums, to_matrix(e.s), l);
}

TEST_P(ResidualPassOf, IsTheSameBitsForAnyNumberOfThreads) {
    const auto [count, tau] = GetParam();
    const Example e = example_of(count, tau, 17, 4);
    const auto all = [&, n = count](int threads) {
        MultiVector<float> out(n, 17);
        MultiVector<float> support_sums(n, 17);
        const ResidualSums sums =
            ResidualPass(e.s).apply(pack({{&e.l, 1.0}}, {}), e.in, out, &support_sums, on_threads(threads));
        return std::tuple(Matrix(to_matrix(out)), Matrix(to_matrix(support_sums)), sums.support_squares,
                          sums.hinge_squares, sums.hinge, sums.support_difference, sums.violations);
    };
    const auto one = all(1);
    EXPECT_EQ(one, all(2));
    EXPECT_EQ(one, all(3));
}

TEST(ResidualPass, IsZeroWhereLIsSItself) {
    // Points on one ray: S is full and of rank one.
    const Points x = support::to_points(support::random_matrix(60, 1, 5).cwiseAbs() * support::Matrix::Ones(1, 3));
    const Similarities s = thresholded_similarities(x.view(), 0.5, {});
    MultiVector<float> lengths(60, 1);
    for (Index i = 0; i < 60; ++i) {
        lengths.row(i)[0] = static_cast<float>(norms(x.view())[i]);
    }
    const LowRank l{lengths, {0.5}};
    MultiVector<float> out(60, 2);
    const ResidualSums sums =
        ResidualPass(s).apply(pack({{&l, 1.0}}, {}), support::random_block(60, 2, 6), out, nullptr, on_threads(1));
    EXPECT_LT(sums.objective(), 1e-8);
    EXPECT_EQ(sums.violations, 0.0);
    EXPECT_LT(to_matrix(out).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(ResidualPass, CountsTheDiagonalOfZeroVectorsAsOffTheSupport) {
    const Points zero(3, 2);
    const Similarities s = thresholded_similarities(zero.view(), 0.5, {});
    const LowRank l{support::to_block(Matrix::Identity(3, 3)), {2.0, -3.0, 0.0}};
    MultiVector<float> out(3, 3);
    const ResidualSums sums =
        ResidualPass(s).apply(pack({{&l, 1.0}}, {}), support::to_block(Matrix::Identity(3, 3)), out, nullptr, {});
    EXPECT_EQ(sums.violations, 1.0);
    EXPECT_NEAR(sums.hinge, 2.0, 1e-6);
    EXPECT_NEAR(sums.hinge_squares, 4.0, 1e-6);
    Matrix expected = Matrix::Zero(3, 3);
    expected(0, 0) = -2.0;
    EXPECT_LT(support::difference(to_matrix(out), expected), 1e-6);
}

TEST(ResidualPass, CanBeCancelled) {
    const Example e = example_of(60, 0.5, 2, 7);
    RunContext context;
    context.limit_seconds(0.0);
    MultiVector<float> out(60, 2);
    EXPECT_THROW(ResidualPass(e.s).apply(pack({{&e.l, 1.0}}, {}), e.in, out, nullptr, context), Interruption);
}

}  // namespace
}  // namespace isogon::residual_pass_test
