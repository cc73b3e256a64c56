#include "decomposition/relu_factors.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <numeric>

#include "decomposition/relu_examples.hpp"
#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"

namespace isogon::relu_factors_test {

namespace {

using support::Matrix;
using support::to_matrix;

TEST(Balanced, IsTheSameProductWithEqualFactors) {
    for (const Index rank : {1, 3, 9}) {
        ReluFactors factors = support::random_factors(40, 25, rank, rank);
        for (double& value : factors.left.values()) {
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
    const ReluFactors zero = balanced({MultiVector<double>(4, 2), MultiVector<double>(5, 2)}, {});
    EXPECT_EQ(support::product_of(zero).norm(), 0.0);
}

TEST(Balanced, IsTheSameOnAnyNumberOfThreads) {
    const ReluFactors factors = support::random_factors(2000, 700, 5, 3);
    EXPECT_EQ(balanced(factors, reference::on_threads(1)).left.values(),
              balanced(factors, reference::on_threads(3)).left.values());
}

ReluFactors random_factors(Index rows, Index columns, Index rank) {
    ReluFactors factors{MultiVector<double>(rows, rank), MultiVector<double>(columns, rank)};
    Random draw(5, RandomStream::Test, 0);
    for (auto* values : {&factors.left.values(), &factors.right.values()}) {
        std::generate(values->begin(), values->end(), [&] { return draw.normal(); });
    }
    return factors;
}

std::vector<double> made(const ReluFactors& factors, const std::vector<Index>& rows, const std::vector<Index>& columns,
                         Reconstruct what, int threads = 1) {
    const Reconstruction reconstruction(factors, columns, what, {.threads = threads});
    std::vector<double> out(rows.size() * reconstruction.columns());
    reconstruction.rows(rows, out);
    return out;
}

std::vector<Index> all(Index count) {
    std::vector<Index> list(count);
    std::iota(list.begin(), list.end(), Index{0});
    return list;
}

TEST(Reconstruction, IsTheProductEntryByEntry) {
    const ReluFactors factors = random_factors(101, 97, 5);
    const auto latent = made(factors, all(101), {}, Reconstruct::Latent);
    const auto output = made(factors, all(101), {}, Reconstruct::Output);
    for (Index i = 0; i < 101; ++i) {
        for (Index j = 0; j < 97; ++j) {
            double sum = 0.0;
            for (Index k = 0; k < 5; ++k) {
                sum += factors.left.at(i, k) * factors.right.at(j, k);
            }
            ASSERT_NEAR(latent[i * 97 + j], sum, 1e-13);
            ASSERT_EQ(output[i * 97 + j], std::max(0.0, latent[i * 97 + j]));
        }
    }
}

TEST(Reconstruction, ARowIsTheSameAloneInAnyOrderAndByAnyThreads) {
    const ReluFactors factors = random_factors(120, 60, 7);
    const auto whole = made(factors, all(120), {}, Reconstruct::Output);
    EXPECT_EQ(made(factors, all(120), {}, Reconstruct::Output, 3), whole);
    const auto some = made(factors, {119, 3, 3}, {}, Reconstruct::Output);
    EXPECT_TRUE(std::equal(some.begin(), some.begin() + 60, whole.begin() + std::ptrdiff_t{119} * 60));
    EXPECT_TRUE(std::equal(some.begin() + 120, some.end(), whole.begin() + std::ptrdiff_t{3} * 60));
    const auto entry = made(factors, {17}, {59, 0}, Reconstruct::Output);
    EXPECT_EQ(entry, (std::vector<double>{whole[17 * 60 + 59], whole[17 * 60]}));
}

TEST(Reconstruction, WhatIsNotThereIsNamed) {
    const ReluFactors factors = random_factors(4, 3, 2);
    EXPECT_THROW(static_cast<void>(made(factors, {4}, {}, Reconstruct::Output)), InvalidArgument);
    EXPECT_THROW(static_cast<void>(made(factors, {0}, {3}, Reconstruct::Output)), InvalidArgument);
}

TEST(Reconstruction, AnEntryBeyondAllNumbersIsRefused) {
    // Infinities of both signs would make a NaN, which max(0, .) would take for 0.
    for (const auto& [first, second] : std::vector<std::pair<double, double>>{{1e200, 1e200}, {1e200, -1e200}}) {
        ReluFactors factors = random_factors(4, 3, 2);
        factors.left.at(2, 0) = factors.left.at(2, 1) = 1e200;
        factors.right.at(1, 0) = first;
        factors.right.at(1, 1) = second;
        EXPECT_NO_THROW(static_cast<void>(made(factors, {0, 1, 3}, {}, Reconstruct::Output)));
        for (const auto what : {Reconstruct::Output, Reconstruct::Latent}) {
            try {
                static_cast<void>(made(factors, {3, 2}, {}, what));
                FAIL() << "an entry beyond float64 was given";
            } catch (const InputError& error) {
                EXPECT_NE(std::string(error.what()).find("row 2"), std::string::npos) << error.what();
            }
        }
    }
}

}  // namespace

}  // namespace isogon::relu_factors_test
