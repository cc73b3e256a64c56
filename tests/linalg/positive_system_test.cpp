#include "linalg/dense_cholesky.hpp"

#include <gtest/gtest.h>

#include "support/dense_matrices.hpp"

namespace isogon::positive_system_test {
namespace {

using support::Matrix;

/// Positive definite, with eigenvalues from `least` to about the size.
Matrix positive(Index size, double least, std::uint64_t seed) {
    const Matrix half = support::random_matrix(size, size, seed);
    return half * half.transpose() + least * Matrix::Identity(size, size);
}

void fill(const Matrix& a, PositiveSystem& system) {
    for (Index j = 0; j < a.cols(); ++j) {
        for (Index i = j; i < a.rows(); ++i) {
            system.column(j)[i] = a(i, j);
        }
    }
}

TEST(PositiveSystem, IsSolvedForOnes) {
    for (const Index size : {1U, 2U, 3U, 4U, 5U, 7U, 8U, 9U, 23U, 50U, 51U, 130U}) {
        const Matrix a = positive(size, 0.1, size);
        PositiveSystem system(size);
        EXPECT_EQ(system.size(), size);
        fill(a, system);
        const auto solution = system.solve_ones(1e-12);
        const Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(solution.data(), size);
        EXPECT_LT((a * x - Eigen::VectorXd::Ones(size)).norm(), 1e-11 * a.norm() * x.norm()) << size;
        EXPECT_GE(PositiveSystem::bytes(size), size * size * sizeof(double));
    }
}

TEST(PositiveSystem, HasTheSameBitsWhateverWasSolvedBefore) {
    const Matrix a = positive(21, 1e-3, 1);
    PositiveSystem fresh(21);
    fill(a, fresh);
    const auto first = fresh.solve_ones(1e-12);
    const std::vector<double> expected(first.begin(), first.end());
    PositiveSystem used(21);
    for (std::uint64_t seed = 2; seed < 40; ++seed) {
        fill(1e30 * positive(21, 1e-6, seed), used);
        (void)used.solve_ones(1e-12);
    }
    fill(a, used);
    const auto again = used.solve_ones(1e-12);
    EXPECT_EQ(std::vector<double>(again.begin(), again.end()), expected);
}

// Rank one and a ridge below rounding: the solution is finite, and alike for equals.
TEST(PositiveSystem, StaysFiniteWherePivotsVanish) {
    constexpr Index size = 30;
    PositiveSystem system(size);
    fill(Matrix::Constant(size, size, 1.0), system);
    for (const double x : system.solve_ones(1e-10)) {
        EXPECT_TRUE(std::isfinite(x));
    }
    fill(Matrix::Zero(size, size), system);
    for (const double x : system.solve_ones(0.25)) {
        EXPECT_EQ(x, 4.0);
    }
}

}  // namespace
}  // namespace isogon::positive_system_test
