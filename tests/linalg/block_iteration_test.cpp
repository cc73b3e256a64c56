#include "linalg/block_iteration.hpp"

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
    BlockIteration block(a, {.b = &b}, 8, options, context);
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
    BlockIteration block(a, {}, 6, options, context);
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
    BlockIteration plain(a, {}, 8, options, context);
    BlockIteration filtered(a, {}, 8, options, context);
    for (int step = 0; step < 50; ++step) {
        plain.improve(nullptr);
        filtered.improve_by_filter(10, 1.0);
    }
    EXPECT_TRUE(filtered.done());
    EXPECT_LT(filtered.largest_relative_residual(), plain.largest_relative_residual());
}

using support::to_matrix;

void expect_orthonormal(const BlockWithImage& block, const Matrix& b) {
    const Matrix x = to_matrix(block.vectors);
    EXPECT_LT(support::difference(x.transpose() * b * x, Matrix::Identity(x.cols(), x.cols())), 1e-12);
    EXPECT_LT(support::difference(to_matrix(block.through_b()), b * x), 1e-12);
}

TEST(OrthonormalBlock, IsSoInBAndAgainstOthers) {
    const DenseOperator b(support::random_definite(90, 1e-3, 1));
    const BlockWithImage first = orthonormal_to({}, support::to_multi_vector(support::random_matrix(90, 6, 2)), &b, {});
    const BlockWithImage second =
        orthonormal_to({&first}, support::to_multi_vector(support::random_matrix(90, 9, 3)), &b, {});
    expect_orthonormal(first, b.matrix());
    expect_orthonormal(second, b.matrix());
    EXPECT_LT((to_matrix(first.vectors).transpose() * to_matrix(second.through_b())).norm(), 1e-12);
}

TEST(OrthonormalBlock, KeepsWhatIsNearlyInTheOthersSpan) {
    const Matrix q = support::random_orthonormal(60, 8, 4);
    const BlockWithImage first = orthonormal_to({}, support::to_multi_vector(q.leftCols(4)), nullptr, {});
    const Matrix w = q.leftCols(4) + 1e-9 * q.rightCols(4);
    const BlockWithImage second = orthonormal_to({&first}, support::to_multi_vector(w), nullptr, {});
    ASSERT_EQ(second.vectors.columns(), 4U);
    expect_orthonormal(second, Matrix::Identity(60, 60));
    const Matrix kept = to_matrix(second.vectors);
    EXPECT_LT(support::difference(kept * kept.transpose(), q.rightCols(4) * q.rightCols(4).transpose()), 1e-5);
}

TEST(OrthonormalBlock, DropsZeroesAndRepetitions) {
    Matrix w = support::random_matrix(50, 5, 5);
    w.col(1).setZero();
    w.col(3) = -2.0 * w.col(0);
    const BlockWithImage block = orthonormal_to({}, support::to_multi_vector(w), nullptr, {});
    EXPECT_EQ(block.vectors.columns(), 3U);
    expect_orthonormal(block, Matrix::Identity(50, 50));
    EXPECT_EQ(orthonormal_to({&block}, support::to_multi_vector(w), nullptr, {}).vectors.columns(), 0U);
}

/// The polynomial by its definition, T_m((x - center) / half) over its value at `wanted`.
double polynomial(double x, int degree, double lower, double upper, double wanted) {
    const auto chebyshev = [&](double t) {
        double before = 1.0;
        double now = t;
        for (int k = 2; k <= degree; ++k) {
            const double next = 2.0 * t * now - before;
            before = now;
            now = next;
        }
        return now;
    };
    const double center = (lower + upper) / 2.0;
    const double half = (upper - lower) / 2.0;
    return chebyshev((x - center) / half) / chebyshev((wanted - center) / half);
}

TEST(ChebyshevFilter, IsThePolynomialOfTheMatrix) {
    const Matrix a = support::random_definite(40, 1e-2, 1);
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(a);
    const Matrix x = support::random_matrix(40, 3, 2);
    for (const int degree : {1, 2, 3, 8, 21}) {
        Eigen::VectorXd values = eigen.eigenvalues();
        for (double& value : values) {
            value = polynomial(value, degree, 0.2, 1.1, -0.1);
        }
        const Matrix expected = eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose() * x;
        const MultiVector<double> filtered =
            chebyshev_filter(DenseOperator(a), support::to_multi_vector(x), {degree, 0.2, 1.1, -0.1}, {});
        EXPECT_LT(support::difference(support::to_matrix(filtered), expected), 1e-12) << degree;
    }
}

TEST(SpectralBound, IsAboveAllEigenvaluesAndNotFar) {
    for (const Index size : {1, 2, 5, 40, 300}) {
        const DenseOperator a(support::random_definite(size, 1e-3, size));
        const double bound = spectral_bound(a, 0, {});
        EXPECT_GE(bound, 1.0 - 1e-12) << size;
        EXPECT_LT(bound, 2.0) << size;
    }
    EXPECT_EQ(spectral_bound(DenseOperator(Matrix::Zero(7, 7)), 0, {}), 0.0);
}

}  // namespace

}  // namespace isogon::block_iteration_test
