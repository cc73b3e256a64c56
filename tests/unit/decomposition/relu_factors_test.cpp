#include "isogon/decomposition/relu_factors.hpp"

#include <gtest/gtest.h>

#include "reference/point_sets.hpp"
#include "unit/decomposition/relu_examples.hpp"

namespace isogon::relu_factors_test {
namespace {

using support::Matrix;
using support::to_matrix;

TEST(Balanced, IsTheSameProductWithEqualFactors) {
    for (const Index rank : {1, 3, 9}) {
        ReluFactors factors = support::random_factors(40, 25, rank, rank);
        for (double& value : factors.left.values) {
            value *= 1e5;
        }
        const ReluFactors same = balanced(factors, {});
        const double size = support::product_of(factors).norm();
        EXPECT_LT((support::product_of(same) - support::product_of(factors)).norm(), 1e-12 * size);
        const Matrix left = to_matrix(same.left).transpose() * to_matrix(same.left);
        const Matrix right = to_matrix(same.right).transpose() * to_matrix(same.right);
        EXPECT_LT((left - right).norm(), 1e-10 * left.norm());
        EXPECT_LT((left - Matrix(left.diagonal().asDiagonal())).norm(), 1e-10 * left.norm());
        for (Eigen::Index k = 1; k < left.cols(); ++k) {
            EXPECT_LE(left(k, k), left(k - 1, k - 1) * (1 + 1e-12));
        }
    }
}

TEST(Balanced, KeepsWhatIsShortInOneFactorAndLongInTheOther) {
    const ReluFactors factors = support::random_factors(30, 20, 3, 4);
    ReluFactors skewed = factors;
    for (Index i = 0; i < 30; ++i) {
        skewed.left.at(i, 1) *= 1e-12;
    }
    for (Index j = 0; j < 20; ++j) {
        skewed.right.at(j, 1) *= 1e12;
    }
    const Matrix expected = support::product_of(factors);
    EXPECT_LT((support::product_of(balanced(skewed, {})) - expected).norm(), 1e-11 * expected.norm());
}

TEST(Balanced, TellsDirectionsByTheirSign) {
    const ReluFactors factors = balanced(support::random_factors(30, 30, 4, 1), {});
    ReluFactors turned = factors;
    for (Index i = 0; i < 30; ++i) {
        turned.left.at(i, 1) *= -1.0;
        turned.right.at(i, 1) *= -1.0;
    }
    EXPECT_LT((to_matrix(balanced(turned, {}).left) - to_matrix(factors.left)).norm(), 1e-10);
}

TEST(Balanced, LeavesZeroColumnsForWhatIsNotThere) {
    ReluFactors factors = support::random_factors(20, 30, 3, 2);
    for (Index i = 0; i < 20; ++i) {
        factors.left.at(i, 2) = 2.0 * factors.left.at(i, 0);
    }
    const ReluFactors same = balanced(factors, {});
    EXPECT_LT((support::product_of(same) - support::product_of(factors)).norm(), 1e-9);
    EXPECT_LT(to_matrix(same.left).col(2).norm(), 1e-5);
    const ReluFactors zero = balanced({WideVectors(4, 2), WideVectors(5, 2)}, {});
    EXPECT_EQ(support::product_of(zero).norm(), 0.0);
}

TEST(Balanced, IsTheSameOnAnyNumberOfThreads) {
    const ReluFactors factors = support::random_factors(2000, 700, 5, 3);
    EXPECT_EQ(balanced(factors, reference::on_threads(1)).left.values,
              balanced(factors, reference::on_threads(3)).left.values);
}

}  // namespace
}  // namespace isogon::relu_factors_test
