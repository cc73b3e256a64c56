#include "linalg/block_eigensolver.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tuple>

#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::block_eigensolver_test {
namespace {

using reference::on_threads;
using support::Matrix;
using support::MatrixOperator;
using support::to_matrix;

/// Eigenvalues of both signs that fall off like those of a Z: some large ones, then a tail.
std::vector<double> falling_spectrum(Index size) {
    std::vector<double> values(size);
    for (Index k = 0; k < size; ++k) {
        values[k] = (k % 3 == 1 ? -1.0 : 1.0) * 10.0 / (1.0 + k);
    }
    return values;
}

double largest_magnitude(const std::vector<double>& values) {
    return std::abs(support::by_magnitude(values).front());
}

/// Orthonormal, with the residuals that it reports.
void expect_consistent(const MatrixOperator& matrix, const BlockEigenpairs& pairs, double scale) {
    const Matrix q = to_matrix(pairs.vectors);
    ASSERT_EQ(pairs.values.size(), static_cast<std::size_t>(q.cols()));
    ASSERT_EQ(pairs.residuals.size(), pairs.values.size());
    EXPECT_LT(support::orthonormality_error(q), 1e-5);
    for (std::size_t k = 0; k < pairs.values.size(); ++k) {
        const auto column = static_cast<Eigen::Index>(k);
        const double residual = (matrix.matrix() * q.col(column) - pairs.values[k] * q.col(column)).norm();
        EXPECT_NEAR(residual, pairs.residuals[k], 3e-6 * scale) << "pair " << k;
    }
}

class EigensolverOf : public testing::TestWithParam<std::tuple<Index, Index>> {};

INSTANTIATE_TEST_SUITE_P(Sizes, EigensolverOf,
                         testing::Combine(testing::Values(1, 2, 5, 47, 48, 60, 300), testing::Values(1, 2, 5, 16, 60)));

TEST_P(EigensolverOf, FindsTheLargestEigenvaluesOfEitherSign) {
    const auto [size, wanted] = GetParam();
    const Index rank = std::min(size, wanted);
    const std::vector<double> spectrum = falling_spectrum(size);
    const MatrixOperator matrix(support::matrix_with_spectrum(size, spectrum, 1));
    const BlockEigenpairs pairs = block_eigensolve(matrix, {.rank = rank}, nullptr, on_threads(2));
    EXPECT_TRUE(pairs.converged);
    EXPECT_EQ(pairs.values.size(), std::min(rank + 8, size));
    expect_consistent(matrix, pairs, 10.0);
    for (Index k = 0; k < rank; ++k) {
        EXPECT_LE(pairs.residuals[k], 1e-5 * 10.0);
        EXPECT_NEAR(pairs.values[k], spectrum[k], 1e-4);
    }
}

TEST_P(EigensolverOf, FindsTheLargestEigenvaluesByValue) {
    const auto [size, wanted] = GetParam();
    const Index rank = std::min(size, wanted);
    std::vector<double> spectrum = falling_spectrum(size);
    const MatrixOperator matrix(support::matrix_with_spectrum(size, spectrum, 2));
    const BlockEigenpairs pairs =
        block_eigensolve(matrix, {.rank = rank, .max_products = 2000, .order = SpectrumOrder::Largest}, nullptr, {});
    std::sort(spectrum.rbegin(), spectrum.rend());
    expect_consistent(matrix, pairs, 10.0);
    EXPECT_TRUE(pairs.converged);
    for (Index k = 0; k < rank; ++k) {
        EXPECT_NEAR(pairs.values[k], spectrum[k], 2e-4);
    }
}

TEST_P(EigensolverOf, IsTheSameBitsForAnyNumberOfThreads) {
    const auto [size, wanted] = GetParam();
    const Index rank = std::min(size, wanted);
    const MatrixOperator matrix(support::matrix_with_spectrum(size, falling_spectrum(size), 3));
    const auto solve = [&](int threads) {
        const BlockEigenpairs pairs = block_eigensolve(matrix, {.rank = rank}, nullptr, on_threads(threads));
        return std::tuple(Matrix(to_matrix(pairs.vectors)), pairs.values, pairs.residuals, pairs.products);
    };
    const auto one = solve(1);
    EXPECT_EQ(one, solve(2));
    EXPECT_EQ(one, solve(3));
}

struct Spectrum {
    std::string name;
    std::vector<double> values;
};

class EigensolverFor : public testing::TestWithParam<Spectrum> {};

INSTANTIATE_TEST_SUITE_P(
    Spectra, EigensolverFor,
    testing::Values(Spectrum{"Clustered", {1.0, 0.999, -0.998, 0.997, 0.996, -0.995, 0.3, 0.2, 0.1}},
                    Spectrum{"Multiple", {2.0, 2.0, 2.0, -2.0, -2.0, 1.0, 1.0, 0.5}},
                    Spectrum{"MoreCopiesThanTheBlockHolds", std::vector<double>(40, -3.0)},
                    Spectrum{"OfLowRank", {5.0, -4.0}}, Spectrum{"OfRankOne", {-1.0}},
                    Spectrum{"Huge", {3e12, -2e12, 1e12, 1e11}}, Spectrum{"Tiny", {3e-12, -2e-12, 1e-12, 1e-13}},
                    Spectrum{"Steep", {1e6, -1e3, 1.0, -1e-3}}),
    [](const auto& test) { return test.param.name; });

TEST_P(EigensolverFor, FindsIt) {
    constexpr Index rank = 6;
    const std::vector<double>& spectrum = GetParam().values;
    const double scale = largest_magnitude(spectrum);
    const MatrixOperator matrix(support::matrix_with_spectrum(150, spectrum, 4));
    const BlockEigenpairs pairs = block_eigensolve(matrix, {.rank = rank}, nullptr, on_threads(2));
    expect_consistent(matrix, pairs, scale);
    EXPECT_TRUE(pairs.converged);
    for (Index k = 0; k < rank; ++k) {
        const double expected = k < spectrum.size() ? spectrum[k] : 0.0;
        EXPECT_NEAR(std::abs(pairs.values[k]), std::abs(expected), 1e-5 * scale);
    }
}

TEST(BlockEigensolver, OfZeroConvergesOnZeros) {
    const MatrixOperator matrix(Matrix::Zero(40, 40));
    const BlockEigenpairs pairs = block_eigensolve(matrix, {.rank = 3}, nullptr, {});
    EXPECT_TRUE(pairs.converged);
    EXPECT_EQ(pairs.values[0], 0.0);
    EXPECT_LT(support::orthonormality_error(to_matrix(pairs.vectors)), 1e-5);
}

TEST(BlockEigensolver, CountsItsProductsAndNeverMakesMoreThanAllowed) {
    for (const int most : {1, 2, 3, 4, 5, 17, 26}) {
        const MatrixOperator matrix(support::matrix_with_spectrum(300, falling_spectrum(300), 5));
        const BlockEigenpairs pairs =
            block_eigensolve(matrix, {.rank = 10, .tolerance = 0.0, .max_products = most}, nullptr, {});
        EXPECT_EQ(pairs.products, matrix.products());
        EXPECT_LE(pairs.products, most);
        EXPECT_FALSE(pairs.converged);
        expect_consistent(matrix, pairs, 10.0);
    }
}

TEST(BlockEigensolver, NeedsFewerProductsFromAWarmStart) {
    const Matrix a = support::matrix_with_spectrum(300, falling_spectrum(300), 6);
    const BlockEigenpairs cold = block_eigensolve(MatrixOperator(a), {.rank = 8}, nullptr, {});
    const Matrix near = a + 1e-3 * support::matrix_with_spectrum(300, falling_spectrum(300), 7);
    const BlockEigenpairs again = block_eigensolve(MatrixOperator(near), {.rank = 8}, nullptr, {});
    const BlockEigenpairs warm = block_eigensolve(MatrixOperator(near), {.rank = 8}, &cold.vectors, {});
    EXPECT_TRUE(warm.converged);
    EXPECT_LT(warm.products, again.products);
    for (std::size_t k = 0; k < 8; ++k) {
        EXPECT_NEAR(warm.values[k], again.values[k], 1e-4);
    }
}

TEST(BlockEigensolver, TakesStartsOfAnyWidth) {
    const std::vector<double> spectrum = falling_spectrum(90);
    const MatrixOperator matrix(support::matrix_with_spectrum(90, spectrum, 8));
    for (const Index columns : {0, 1, 7, 12, 40, 90}) {
        const MultiVector<float> start = support::random_block(90, columns, 9);
        const BlockEigenpairs pairs = block_eigensolve(matrix, {.rank = 4}, &start, {});
        EXPECT_TRUE(pairs.converged);
        EXPECT_EQ(pairs.values.size(), 12U);
        EXPECT_NEAR(pairs.values[3], spectrum[3], 1e-4);
    }
}

TEST(BlockEigensolver, TakesStartsWithoutDirections) {
    const std::vector<double> spectrum = falling_spectrum(90);
    const MatrixOperator matrix(support::matrix_with_spectrum(90, spectrum, 10));
    const MultiVector<float> zero(90, 12);
    const MultiVector<float> same = support::to_block(support::random_matrix(90, 1, 11).replicate(1, 12));
    for (const MultiVector<float>* start : {&zero, &same}) {
        const BlockEigenpairs pairs = block_eigensolve(matrix, {.rank = 4}, start, {});
        expect_consistent(matrix, pairs, 10.0);
        EXPECT_TRUE(pairs.converged);
        ASSERT_GE(pairs.values.size(), 4U);
        EXPECT_NEAR(pairs.values[3], spectrum[3], 1e-4);
    }
}

TEST(BlockEigensolver, RowsThatAreEqualInTheStartAreFilledUpAlike) {
    // A matrix of 5 different rows, each 8 times, and of rank 2: among 10 vectors there are 5 at most with equal rows.
    const Matrix rows = support::random_matrix(5, 2, 9).replicate(8, 1);
    const MatrixOperator matrix(rows * rows.transpose());
    const MultiVector<float> start = support::to_block(rows);
    const Matrix vectors = to_matrix(block_eigensolve(matrix, {.rank = 2, .max_products = 1}, &start, {}).vectors);
    ASSERT_EQ(vectors.cols(), 10);
    EXPECT_LT(support::orthonormality_error(vectors), 1e-5);
    Matrix alike = Matrix::Zero(40, 40);  // the projection on vectors with equal rows
    for (Eigen::Index i = 0; i < 40; ++i) {
        for (Eigen::Index j = i % 5; j < 40; j += 5) {
            alike(i, j) = 1.0 / 8.0;
        }
    }
    EXPECT_NEAR((alike * vectors).squaredNorm(), 5.0, 1e-4);
}

TEST(BlockEigensolver, DependsOnTheSeedOnlyInRounding) {
    const MatrixOperator matrix(support::matrix_with_spectrum(90, falling_spectrum(90), 12));
    const BlockEigenpairs a = block_eigensolve(matrix, {.rank = 4, .seed = 1}, nullptr, {});
    const BlockEigenpairs b = block_eigensolve(matrix, {.rank = 4, .seed = 2}, nullptr, {});
    EXPECT_NE(to_matrix(a.vectors), to_matrix(b.vectors));
    for (Index k = 0; k < 4; ++k) {
        EXPECT_NEAR(a.values[k], b.values[k], 1e-5);
        EXPECT_NEAR(std::abs(to_matrix(a.vectors).col(k).dot(to_matrix(b.vectors).col(k))), 1.0, 1e-5);
    }
}

TEST(BlockEigensolver, RefusesRanksThatThereAreNot) {
    const MatrixOperator matrix(Matrix::Identity(5, 5));
    for (const Index rank : {Index{0}, Index{6}}) {
        try {
            static_cast<void>(block_eigensolve(matrix, {.rank = rank}, nullptr, {}));
            ADD_FAILURE() << "rank " << rank << " was taken";
        } catch (const InvalidArgument& error) {
            EXPECT_EQ(error.field(), "rank");
            EXPECT_NE(std::string(error.what()).find("at most 5"), std::string::npos);
        }
    }
}

TEST(BlockEigensolver, CanBeCancelled) {
    RunContext context;
    context.limit_seconds(0.0);
    const MatrixOperator matrix(Matrix::Identity(50, 50));
    EXPECT_THROW(static_cast<void>(block_eigensolve(matrix, {.rank = 2}, nullptr, context)), Interruption);
}

/// A Q, with Q taken as float32 holds it.
MultiVector<float> product(const Matrix& a, const MultiVector<float>& q) {
    return support::to_block(a * to_matrix(q));
}

TEST(TangentEigenpairs, AreExactOnAnInvariantSubspace) {
    const std::vector<double> spectrum{4.0, -3.0, 2.0, 1.0, 0.5};
    const Matrix a = support::matrix_with_spectrum(120, spectrum, 13);
    const Matrix invariant = support::random_orthonormal(120, 5, 13) * support::random_orthonormal(5, 5, 14);
    const MultiVector<float> q = support::to_block(invariant);
    const BlockEigenpairs pairs =
        tangent_eigenpairs(q, product(a, q), 5, SpectrumOrder::LargestMagnitude, on_threads(2));
    for (std::size_t k = 0; k < 5; ++k) {
        EXPECT_NEAR(pairs.values[k], spectrum[k], 1e-5);
        EXPECT_LT(pairs.residuals[k], 1e-5);
    }
    expect_consistent(MatrixOperator(a), {pairs.vectors, pairs.values, std::vector<double>(5, 0.0), 1, true}, 4.0);
}

/// The projection on the tangent space, as its definition has it.
Matrix tangent_projection(const Matrix& a, const Matrix& q) {
    const Matrix onto = q * q.transpose();
    return onto * a + a * onto - onto * a * onto;
}

TEST(TangentEigenpairs, AreThoseOfTheProjectionOnTheTangentSpace) {
    for (const Index keep : {1, 6, 12}) {
        const Matrix a = support::matrix_with_spectrum(80, falling_spectrum(80), 15);
        const MultiVector<float> q = support::to_block(support::random_orthonormal(80, 6, 16));
        const BlockEigenpairs pairs =
            tangent_eigenpairs(q, product(a, q), keep, SpectrumOrder::LargestMagnitude, on_threads(2));
        ASSERT_EQ(pairs.values.size(), keep);
        const Matrix v = to_matrix(pairs.vectors);
        const Eigen::Map<const Eigen::VectorXd> values(pairs.values.data(), keep);
        EXPECT_LT(support::difference(v * values.asDiagonal() * v.transpose(),
                                      support::truncated(tangent_projection(a, to_matrix(q)), keep)),
                  1e-5);
        EXPECT_LT(support::orthonormality_error(v), 1e-5);
        for (std::size_t k = 0; k < 6; ++k) {
            const Matrix w = a * to_matrix(q);
            const Matrix rest = w - to_matrix(q) * (to_matrix(q).transpose() * w);
            EXPECT_NEAR(pairs.residuals[k], rest.col(static_cast<Eigen::Index>(k)).norm(), 1e-5);
        }
    }
}

TEST(TangentEigenpairs, ComeNearerByTheRatioOfEigenvaluesAsAPowerStepDoes) {
    constexpr double ratio = 0.25;  // fourth eigenvalue over the third
    const std::vector<double> spectrum{4.0, -3.0, 2.0, 2.0 * ratio, -0.4, 0.3};
    const Matrix a = support::matrix_with_spectrum(120, spectrum, 17);
    const Matrix exact = support::random_orthonormal(120, 6, 17).leftCols(3);
    const auto distance = [&](const Matrix& q) { return (q - exact * (exact.transpose() * q)).norm(); };
    MultiVector<float> q = support::to_block(
        Eigen::HouseholderQR<Matrix>(exact + 0.02 * support::random_matrix(120, 3, 18)).householderQ() *
        Matrix::Identity(120, 3));
    for (int step = 0; step < 4; ++step) {
        const double before = distance(to_matrix(q));
        q = tangent_eigenpairs(q, product(a, q), 3, SpectrumOrder::LargestMagnitude, {}).vectors;
        EXPECT_LT(distance(to_matrix(q)), 1.1 * ratio * before) << "step " << step;
    }
}

TEST(TangentEigenpairs, OfTheWholeSpaceAreItsSpectrumInEveryUnit) {
    // Beside the whole space there is nothing but rounding, whose squares float32 does not hold in small units.
    const std::vector<double> spectrum = falling_spectrum(12);
    const Matrix a = support::matrix_with_spectrum(12, spectrum, 19);
    const MultiVector<float> q = support::to_block(support::random_orthonormal(12, 12, 20));
    const auto pairs_of = [&](double unit) {
        return tangent_eigenpairs(q, product(a * unit, q), 12, SpectrumOrder::LargestMagnitude, {});
    };
    const BlockEigenpairs pairs = pairs_of(1.0);
    for (std::size_t k = 0; k < 12; ++k) {
        EXPECT_NEAR(pairs.values[k], spectrum[k], 1e-5);
    }
    for (const double unit : {0x1p-24, 0x1p-12, 0x1p40}) {
        const BlockEigenpairs scaled = pairs_of(unit);
        EXPECT_EQ(to_matrix(scaled.vectors), to_matrix(pairs.vectors)) << unit;
        EXPECT_EQ(scaled.values[0], pairs.values[0] * unit);
    }
}

TEST(TangentEigenpairs, OfZeroAreZero) {
    const MultiVector<float> q = support::to_block(support::random_orthonormal(30, 4, 21));
    const BlockEigenpairs pairs =
        tangent_eigenpairs(q, MultiVector<float>(30, 4), 4, SpectrumOrder::LargestMagnitude, on_threads(1));
    EXPECT_EQ(pairs.values, std::vector<double>(4, 0.0));
    EXPECT_LT(support::orthonormality_error(to_matrix(pairs.vectors)), 1e-5);
}

class TangentDrift : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(Decades, TangentDrift, testing::Values(0, 1, 3, 5, 7));

/// Nothing but the step itself keeps the basis orthonormal. Where the subspace is nearly invariant, A Q - Q (Q^T A Q)
/// is mostly rounding, and none of that may enter the basis.
TEST_P(TangentDrift, KeepsTheBasisOrthonormalOverAThousandSteps) {
    constexpr Index size = 60;
    std::vector<double> spectrum = falling_spectrum(size);
    for (std::size_t k = 2; k < size; ++k) {
        spectrum[k] *= std::pow(10.0, -GetParam());
    }
    const Matrix a = support::matrix_with_spectrum(size, spectrum, 22);
    MultiVector<float> q = support::to_block(support::random_orthonormal(size, 12, 23));
    for (int step = 0; step < 1000; ++step) {
        q = tangent_eigenpairs(q, product(a, q), 12, SpectrumOrder::LargestMagnitude, on_threads(1)).vectors;
        ASSERT_LT(support::orthonormality_error(to_matrix(q)), 1e-6) << "step " << step;
    }
}

}  // namespace
}  // namespace isogon::block_eigensolver_test
