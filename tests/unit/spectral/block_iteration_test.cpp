#include "spectral/block_iteration.hpp"

#include <gtest/gtest.h>

#include "support/spectral_problems.hpp"

namespace isogon::block_iteration_test {
namespace {

using support::DenseOperator;
using support::Matrix;

TEST(BlockIteration, ValuesOnlyFallAndTheBlockStaysOrthonormal) {
    const DenseOperator a(support::random_definite(200, 1e-3, 1));
    const DenseOperator b(support::random_definite(200, 0.2, 2));
    const EigenOptions options{.count = 4};
    const RunContext context;
    BlockIteration block(a, &b, {}, 8, options, context);
    for (int step = 0; step < 15; ++step) {
        const std::vector<double> before = block.values();
        block.improve(nullptr);
        for (std::size_t j = 0; j < before.size(); ++j) {
            EXPECT_LE(block.values()[j], before[j] + 1e-12);
        }
        const Matrix x = support::to_matrix(block.vectors());
        EXPECT_LT(support::difference(x.transpose() * b.matrix() * x, Matrix::Identity(8, 8)), 1e-10);
    }
}

TEST(BlockIteration, ResidualsAreThoseOfTheVectorsAfterManySteps) {
    const DenseOperator a(support::random_definite(150, 1e-2, 3));
    const EigenOptions options{.count = 3};
    const RunContext context;
    BlockIteration block(a, nullptr, {}, 6, options, context);
    for (int step = 0; step < 40; ++step) {
        block.improve(nullptr);
    }
    const Matrix x = support::to_matrix(block.vectors());
    for (Index j = 0; j < 6; ++j) {
        const double residual = (a.matrix() * x.col(j) - block.values()[j] * x.col(j)).norm();
        EXPECT_NEAR(residual, block.residuals()[j], 1e-12);
    }
}

TEST(BlockIteration, FilteringFindsTheSameInFewerSteps) {
    const DenseOperator a(support::random_definite(200, 1e-2, 4));
    const EigenOptions options{.count = 4};
    const RunContext context;
    BlockIteration plain(a, nullptr, {}, 8, options, context);
    BlockIteration filtered(a, nullptr, {}, 8, options, context);
    for (int step = 0; step < 50; ++step) {
        plain.improve(nullptr);
        filtered.improve_by_filter(10, 1.0);
    }
    EXPECT_TRUE(filtered.done());
    EXPECT_LT(filtered.largest_relative_residual(), plain.largest_relative_residual());
}

}  // namespace
}  // namespace isogon::block_iteration_test
