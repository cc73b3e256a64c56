#include "semidefinite/dsdp_host.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "support/spectral_problems.hpp"

namespace isogon::dsdp_arithmetic_test {
namespace {

using support::Matrix;
using Vector = Eigen::VectorXd;

constexpr int size = 61;
constexpr int stride = 64;
constexpr int one = 1;
constexpr double nothing = 0.0;

class DsdpArithmetic : public testing::Test {
protected:
    /// A matrix in DSDP's form: columns a little longer than they need be.
    static Matrix stored(const Matrix& matrix) {
        Matrix result = Matrix::Constant(stride, size, 1e9);
        result.topRows(size) = matrix;
        return result;
    }
    /// The upper triangle is what counts.
    static Matrix upper(const Matrix& matrix) {
        Matrix result = matrix;
        result.triangularView<Eigen::StrictlyLower>().setConstant(1e9);
        return stored(result);
    }

    DsdpHost host_;
    Matrix a_ = support::random_definite(size, 0.1, 1);
    Vector x_ = support::random_matrix(size, 1, 2);
    Vector y_ = support::random_matrix(size, 1, 3);
};

TEST_F(DsdpArithmetic, SumsOfVectors) {
    EXPECT_NEAR(isogon_dsdp_ddot(&size, x_.data(), &one, y_.data(), &one), x_.dot(y_), 1e-12);
    EXPECT_NEAR(isogon_dsdp_dnrm2(&size, x_.data(), &one), x_.norm(), 1e-12);
    EXPECT_NEAR(isogon_dsdp_dasum(&size, x_.data(), &one), x_.cwiseAbs().sum(), 1e-12);
}

TEST_F(DsdpArithmetic, MultiplesOfVectors) {
    const double factor = -2.5;
    Vector scaled = x_;
    isogon_dsdp_dscal(&size, &factor, scaled.data(), &one);
    EXPECT_EQ(scaled, -2.5 * x_);
    Vector sum = y_;
    isogon_dsdp_daxpy(&size, &factor, x_.data(), &one, sum.data(), &one);
    EXPECT_LT((sum - (y_ - 2.5 * x_)).norm(), 1e-13);
    Matrix rows = Matrix::Zero(3, size);
    const int three = 3;
    isogon_dsdp_daxpy(&size, &factor, x_.data(), &one, rows.data() + 1, &three);
    EXPECT_EQ(rows.row(1).transpose(), -2.5 * x_);
    EXPECT_EQ(rows.row(0).norm() + rows.row(2).norm(), 0.0);
}

TEST_F(DsdpArithmetic, ProductsOfMatrices) {
    const double factor = 0.5;
    const Matrix general = support::random_matrix(size, size, 4);
    Vector product(size);
    isogon_dsdp_dgemv("N", &size, &size, &factor, stored(general).data(), &stride, x_.data(), &one, &nothing,
                      product.data(), &one);
    EXPECT_LT((product - 0.5 * general * x_).norm(), 1e-12);
    isogon_dsdp_dsymv("U", &size, &factor, upper(a_).data(), &stride, x_.data(), &one, &nothing, product.data(), &one);
    EXPECT_LT((product - 0.5 * a_ * x_).norm(), 1e-12);

    Matrix sum = upper(a_);
    isogon_dsdp_dsyr("U", &size, &factor, x_.data(), &one, sum.data(), &stride);
    EXPECT_LT((sum - upper(a_ + 0.5 * x_ * x_.transpose())).norm(), 1e-11);
}

TEST_F(DsdpArithmetic, ProductsAndSolutionsOfTriangles) {
    Matrix lower = a_.triangularView<Eigen::StrictlyLower>();
    lower.diagonal().setOnes();
    for (const bool transposed : {false, true}) {
        const char* word = transposed ? "T" : "N";
        Vector product = x_;
        isogon_dsdp_dtrmv("L", word, "U", &size, stored(a_).data(), &stride, product.data(), &one);
        EXPECT_LT((product - (transposed ? Matrix(lower.transpose()) : lower) * x_).norm(), 1e-12);
        const Matrix triangle = a_.triangularView<Eigen::Upper>();
        Vector solution = x_;
        isogon_dsdp_dtrsv("U", word, "N", &size, upper(a_).data(), &stride, solution.data(), &one);
        EXPECT_LT(((transposed ? Matrix(triangle.transpose()) : triangle) * solution - x_).norm(), 1e-9);
    }
}

TEST_F(DsdpArithmetic, FactorsAndInverses) {
    int info = 7;
    Matrix factor = upper(a_);
    isogon_dsdp_dpotrf("U", &size, factor.data(), &stride, &info);
    EXPECT_EQ(info, 0);
    const Matrix u = factor.topRows(size).triangularView<Eigen::Upper>();
    EXPECT_LT((u.transpose() * u - a_).norm(), 1e-12 * a_.norm());
    isogon_dsdp_dpotri("U", &size, factor.data(), &stride, &info);
    EXPECT_EQ(info, 0);
    const Matrix inverse = factor.topRows(size).selfadjointView<Eigen::Upper>();
    EXPECT_LT((inverse * a_ - Matrix::Identity(size, size)).norm(), 1e-9);

    Matrix indefinite = upper(a_ - 100.0 * Matrix::Identity(size, size));
    isogon_dsdp_dpotrf("U", &size, indefinite.data(), &stride, &info);
    EXPECT_GT(info, 0);
}

TEST_F(DsdpArithmetic, EigenvectorsOfMatrices) {
    int info = 7;
    int found = 0;
    Matrix vectors = upper(a_);
    Vector values(size);
    isogon_dsdp_dsyev("V", "U", &size, vectors.data(), &stride, values.data(), nullptr, nullptr, &info);
    EXPECT_EQ(info, 0);
    const Matrix v = vectors.topRows(size);
    EXPECT_LT((a_ * v - v * values.asDiagonal()).norm(), 1e-10 * a_.norm());
    EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));

    Matrix others(size, size);
    Vector again(size);
    isogon_dsdp_dsyevr("V", "A", "U", &size, upper(a_).data(), &stride, nullptr, nullptr, nullptr, nullptr, nullptr,
                       &found, again.data(), others.data(), &size, nullptr, nullptr, nullptr, nullptr, nullptr, &info);
    EXPECT_EQ(info, 0);
    EXPECT_EQ(found, size);
    EXPECT_EQ(again, values);
    EXPECT_EQ(others, v);
}

/// The second difference has the eigenvalues 2 - 2 cos(pi k / (n + 1)).
TEST_F(DsdpArithmetic, EigenvaluesOfThreeDiagonals) {
    int info = 7;
    int found = 0;
    const int first = size - 1;
    Vector diagonal = Vector::Constant(size, 2.0);
    Vector beside = Vector::Constant(size, -1.0);
    Vector two(2);
    isogon_dsdp_dstevr("N", "I", &size, Vector(diagonal).data(), Vector(beside).data(), nullptr, nullptr, &first, &size,
                       nullptr, &found, two.data(), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                       &info);
    EXPECT_EQ(found, 2);
    isogon_dsdp_dstev("N", &size, diagonal.data(), beside.data(), nullptr, nullptr, nullptr, &info);
    EXPECT_EQ(info, 0);
    for (int k = 0; k < size; ++k) {
        EXPECT_NEAR(diagonal[k], 2.0 - 2.0 * std::cos(std::numbers::pi * (k + 1) / (size + 1)), 1e-12);
    }
    EXPECT_EQ(two, diagonal.tail(2));
}

/// The solver's matrices have any size: one with entries of some hundred did not converge, and sde stopped there.
TEST_F(DsdpArithmetic, EigenvaluesOfThreeDiagonalsAtAnyScale) {
    const int n = 20;
    const Vector diagonal = support::random_matrix(n, 1, 5);
    const Vector beside = support::random_matrix(n - 1, 1, 6);
    const auto eigenvalues = [&](int exponent) {
        int info = 7;
        Vector values = diagonal * std::ldexp(1.0, exponent);
        Vector scaled = beside * std::ldexp(1.0, exponent);
        isogon_dsdp_dstev("N", &n, values.data(), scaled.data(), nullptr, nullptr, nullptr, &info);
        EXPECT_EQ(info, 0) << exponent;
        return values;
    };
    const Vector unscaled = eigenvalues(0);
    EXPECT_NEAR(unscaled.sum(), diagonal.sum(), 1e-13);
    EXPECT_NEAR(unscaled.squaredNorm(), diagonal.squaredNorm() + 2.0 * beside.squaredNorm(), 1e-12);
    for (const int exponent : {-900, -40, 5, 8, 10, 40, 900}) {
        EXPECT_EQ(eigenvalues(exponent), unscaled * std::ldexp(1.0, exponent)) << exponent;
    }
}

TEST_F(DsdpArithmetic, OtherWaysAreRefused) {
    int info = 0;
    const int two = 2;
    EXPECT_THROW(isogon_dsdp_dpotrf("L", &size, a_.data(), &size, &info), std::logic_error);
    EXPECT_THROW(static_cast<void>(isogon_dsdp_ddot(&size, x_.data(), &two, y_.data(), &one)), std::logic_error);
    EXPECT_THROW(isogon_dsdp_dstev("V", &size, x_.data(), y_.data(), nullptr, nullptr, nullptr, &info),
                 std::logic_error);
}

/// Whatever DSDP loops over, it calls one of these.
TEST_F(DsdpArithmetic, EveryRoutineEndsARunThatHasToEnd) {
    RunContext context;
    context.limit_seconds(0.0);
    host_.set_context(context);
    const auto for_ever = [](const auto& step) {
        while (true) {
            step();
        }
    };
    const double factor = 1e-9;
    EXPECT_THROW(for_ever([&] { isogon_dsdp_daxpy(&size, &factor, x_.data(), &one, y_.data(), &one); }), Interruption);
    EXPECT_THROW(for_ever([&] { static_cast<void>(isogon_dsdp_ddot(&size, x_.data(), &one, y_.data(), &one)); }),
                 Interruption);
    EXPECT_THROW(for_ever([&] {
                     int info = 0;
                     isogon_dsdp_dpotrf("U", &size, Matrix(upper(a_)).data(), &stride, &info);
                 }),
                 Interruption);
}

}  // namespace
}  // namespace isogon::dsdp_arithmetic_test
