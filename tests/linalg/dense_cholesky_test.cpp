#include "linalg/dense_cholesky.hpp"

#include <gtest/gtest.h>

#include "support/spectral_problems.hpp"

namespace isogon::dense_cholesky_test {
namespace {

using support::Matrix;

/// Rows that are a little longer than the matrix, with a number in between that must stay.
struct Rows {
    explicit Rows(const Matrix& a) : size(static_cast<std::size_t>(a.rows())), values(size * (size + 3), untouched) {
        for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t j = 0; j <= i; ++j) {
                values[i * (size + 3) + j] = a(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
            }
        }
    }
    LowerTriangle triangle() { return {values.data(), size, size + 3}; }
    [[nodiscard]] Matrix lower() const {
        Matrix result = Matrix::Zero(static_cast<Eigen::Index>(size), static_cast<Eigen::Index>(size));
        for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t j = 0; j < size + 3; ++j) {
                const double value = values[i * (size + 3) + j];
                if (j <= i) {
                    result(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = value;
                } else {
                    EXPECT_EQ(value, untouched);
                }
            }
        }
        return result;
    }

    static constexpr double untouched = 7.0;
    std::size_t size;
    std::vector<double> values;
};

TEST(DenseCholesky, FactorsAndInvertsAtEverySize) {
    for (const Index size : {1, 2, 47, 48, 49, 96, 97, 300}) {
        const Matrix a = support::random_definite(size, 0.1, size);
        Rows rows(a);
        ASSERT_TRUE(factor_cholesky(rows.triangle(), {.threads = 3})) << size;
        const Matrix l = rows.lower();
        EXPECT_LT((l * l.transpose() - a).norm(), 1e-12 * a.norm()) << size;
        invert_from_cholesky(rows.triangle(), {.threads = 3});
        const Matrix inverse = rows.lower().selfadjointView<Eigen::Lower>();
        EXPECT_LT((inverse * a - Matrix::Identity(size, size)).norm(), 1e-9 * size) << size;
    }
}

TEST(DenseCholesky, HasTheSameBitsOnAnyNumberOfThreads) {
    const Matrix a = support::random_definite(260, 0.01, 1);
    Rows one(a);
    Rows three(a);
    ASSERT_TRUE(factor_cholesky(one.triangle(), {.threads = 1}));
    ASSERT_TRUE(factor_cholesky(three.triangle(), {.threads = 3}));
    EXPECT_EQ(one.values, three.values);
    invert_from_cholesky(one.triangle(), {.threads = 1});
    invert_from_cholesky(three.triangle(), {.threads = 3});
    EXPECT_EQ(one.values, three.values);
}

TEST(DenseCholesky, LeavesAMatrixThatIsNotPositiveDefinite) {
    Matrix a = support::random_definite(150, 0.1, 3);
    a(140, 140) = -1.0;
    Rows rows(a);
    const std::vector<double> before = rows.values;
    EXPECT_FALSE(factor_cholesky(rows.triangle(), {}));
    EXPECT_EQ(rows.values, before);
}

TEST(DenseCholesky, CanBeCancelled) {
    Rows rows(support::random_definite(100, 0.1, 4));
    const std::vector<double> before = rows.values;
    RunContext context;
    context.limit_seconds(0.0);
    EXPECT_THROW(static_cast<void>(factor_cholesky(rows.triangle(), context)), Interruption);
    EXPECT_EQ(rows.values, before);
    EXPECT_THROW(invert_from_cholesky(rows.triangle(), context), Interruption);
}

TEST(DenseCholesky, TakesAMatrixWithoutRows) {
    Rows rows(Matrix(0, 0));
    EXPECT_TRUE(factor_cholesky(rows.triangle(), {}));
    invert_from_cholesky(rows.triangle(), {});
}

/// The lower triangle of a dense matrix; `last` on the diagonal past its size, nonsense above the diagonal.
PanelMatrix to_panels(const Matrix& matrix, float last = 1.0F) {
    PanelMatrix panels(static_cast<Index>(matrix.rows()));
    const auto padded = static_cast<Index>(panels.panels() * panel_width);
    for (Index i = 0; i < padded; ++i) {
        for (Index j = 0; j <= i; ++j) {
            panels.at(i, j) = i < panels.size() ? static_cast<float>(matrix(i, j)) : (i == j ? last : 0.0F);
        }
        for (Index j = i + 1; j < padded && j / panel_width == i / panel_width; ++j) {
            panels.at(i, j) = 99.0F;
        }
    }
    return panels;
}

Matrix lower(const PanelMatrix& panels) {
    Matrix result = Matrix::Zero(panels.size(), panels.size());
    for (Index i = 0; i < panels.size(); ++i) {
        for (Index j = 0; j <= i; ++j) {
            result(i, j) = double{panels.at(i, j)};
        }
    }
    return result;
}

Matrix positive_definite(Index size, double ridge) {
    const Matrix a = support::random_matrix(size, size + 3, size);
    Matrix product = a * a.transpose() / size;
    product.diagonal().array() += ridge;
    return product;
}

class PanelCholesky : public testing::TestWithParam<Index> {};

TEST_P(PanelCholesky, FactorsWhateverIsAboveTheDiagonalAndSolves) {
    const Index size = GetParam();
    const Matrix a = positive_definite(size, 0.1);
    PanelMatrix factor(size);
    ASSERT_TRUE(factor_cholesky(to_panels(a), factor));
    const Matrix l = lower(factor);
    EXPECT_LT(support::difference(l * l.transpose(), a), 1e-5);
    const Matrix b = support::random_matrix(size, 1, 5);
    std::vector<float> x(factor.panels() * panel_width);
    for (Index i = 0; i < size; ++i) {
        x[i] = static_cast<float>(b(i, 0));
    }
    solve_cholesky(factor, x);
    Matrix solution(size, 1);
    for (Index i = 0; i < size; ++i) {
        solution(i, 0) = double{x[i]};
    }
    EXPECT_LT((a * solution - b).norm(), 1e-4 * b.norm());
    EXPECT_TRUE(std::all_of(x.begin() + size, x.end(), [](float value) { return value == 0.0F; }));
}

INSTANTIATE_TEST_SUITE_P(Sizes, PanelCholesky, testing::Values(1, 2, 47, 48, 49, 96, 130, 200));

TEST(PanelMatrix, OfAHundredThousandRowsIsCountedInFull) {
    EXPECT_GE(PanelMatrix::bytes(100000), std::uint64_t{20000000000});
}

TEST(PanelCholesky, RefusesWhatIsNotPositiveDefinite) {
    Matrix a = positive_definite(100, 0.1);
    a(70, 70) = -1.0;
    PanelMatrix factor(100);
    EXPECT_FALSE(factor_cholesky(to_panels(a), factor));
    EXPECT_FALSE(factor_cholesky(to_panels(Matrix::Zero(3, 3)), factor));
    EXPECT_FALSE(factor_cholesky(to_panels(Matrix::Constant(2, 2, NAN)), factor));
}

TEST(DenseFactor, SolvesAtEverySize) {
    for (const Index size : {1, 2, 47, 48, 49, 96, 385, 700}) {
        const Matrix a = support::random_definite(size, 0.1, size);
        const auto factor = DenseFactor::make(to_panels(a, 0.0F), {.threads = 3});
        ASSERT_TRUE(factor) << size;
        for (const Index columns : {1, 50}) {
            const Matrix x = support::random_matrix(size, columns, 5);
            MultiVector<double> solution = support::to_multi_vector(a * x);
            factor->solve(solution, {.threads = 3});
            EXPECT_LT(support::difference(support::to_matrix(solution), x), 2e-4) << size;
        }
    }
}

TEST(DenseFactor, HasTheSameBitsOnAnyNumberOfThreads) {
    const Matrix a = support::random_definite(500, 0.01, 1);
    MultiVector<double> one = support::to_multi_vector(support::random_matrix(500, 7, 2));
    MultiVector<double> three = one;
    DenseFactor::make(to_panels(a, 0.0F), {.threads = 1})->solve(one, {.threads = 1});
    DenseFactor::make(to_panels(a, 0.0F), {.threads = 3})->solve(three, {.threads = 3});
    EXPECT_EQ(one.values(), three.values());
}

TEST(DenseFactor, SaysWhereAMatrixIsNotPositiveDefinite) {
    Matrix a = support::random_definite(450, 0.1, 3);
    a(440, 440) = -1.0;
    EXPECT_FALSE(DenseFactor::make(to_panels(a, 0.0F), {}));
}

}  // namespace
}  // namespace isogon::dense_cholesky_test
