#include "transform/newton_kernel.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "support/dense_matrices.hpp"

namespace isogon::newton_kernel_test {
namespace {

using support::Matrix;
using Vector = Eigen::VectorXd;

constexpr double infinity = std::numeric_limits<double>::infinity();

AlignedArray<double> padded(const Vector& values, std::size_t size, double beyond = 0.0) {
    AlignedArray<double> array(size);
    std::fill_n(array.data(), size, beyond);
    std::copy(values.begin(), values.end(), array.data());
    return array;
}

/// Members, of which the first third have targets.
struct Members {
    explicit Members(Index count)
        : size((count + newton_lanes - 1) / newton_lanes * newton_lanes),
          products(support::random_matrix(count, 1, 1)),
          changes(support::random_matrix(count, 1, 2).cast<float>().cast<double>()),
          bounds(support::random_matrix(count, 1, 3)),
          floors(Vector::Zero(count)),
          padded_products(padded(products, size)),
          padded_changes(size),
          of{padded(bounds, size, infinity), {}} {
        floors.head(count / 3).setConstant(-infinity);
        of.floors = padded(floors, size);
        for (Index k = 0; k < count; ++k) {
            padded_changes.data()[k] = static_cast<float>(changes[k]);
        }
    }

    [[nodiscard]] Vector residuals(const Vector& at) const { return (at - bounds).cwiseMax(floors); }

    std::size_t size;
    Vector products;
    Vector changes;
    Vector bounds;
    Vector floors;
    AlignedArray<double> padded_products;
    AlignedArray<float> padded_changes;
    ResidualBounds of;
};

class NewtonKernel : public testing::TestWithParam<Index> {};
INSTANTIATE_TEST_SUITE_P(Counts, NewtonKernel, testing::Values(1, 2, 15, 16, 17, 48, 100));

TEST_P(NewtonKernel, ResidualsAreThoseOfTargetsAndBounds) {
    const Members members(GetParam());
    AlignedArray<double> residuals(members.size);
    const double squares = write_residuals(members.padded_products.data(), members.of, members.size, residuals.data());
    const Vector expected = members.residuals(members.products);
    EXPECT_NEAR(squares, expected.squaredNorm(), 1e-12 * (1.0 + expected.squaredNorm()));
    for (Index k = 0; k < members.size; ++k) {
        EXPECT_EQ(residuals.data()[k], k < GetParam() ? expected[k] : 0.0);
    }
}

TEST_P(NewtonKernel, SumsAlongAnArcAreTheRiseAndItsSlope) {
    Members members(GetParam());
    const auto products_at = [&](double angle) -> Vector {
        return std::cos(angle) * members.products + std::sin(angle) * members.changes;
    };
    const auto half_squares = [&](double angle) { return 0.5 * members.residuals(products_at(angle)).squaredNorm(); };
    for (const double angle : {0.0, 0.01, 0.4, 1.5}) {
        const ArcPoint at{std::sin(angle), std::cos(angle), std::cos(angle) - 1.0};
        const ArcSums sums =
            sums_along_arc(members.padded_products.data(), members.padded_changes.data(), members.of, members.size, at);
        const double scale = 1.0 + half_squares(angle);
        EXPECT_NEAR(sums.rise, 2.0 * (half_squares(angle) - half_squares(0.0)), 1e-12 * scale);
        constexpr double h = 1e-6;
        EXPECT_NEAR(sums.slope, (half_squares(angle + h) - half_squares(angle - h)) / (2 * h), 1e-5 * scale);
    }
    move_along_arc(members.padded_products.data(), members.padded_changes.data(), members.size,
                   {std::sin(0.4), std::cos(0.4), std::cos(0.4) - 1.0});
    for (Index k = 0; k < GetParam(); ++k) {
        EXPECT_NEAR(members.padded_products.data()[k], products_at(0.4)[k], 1e-15);
    }
}

TEST_P(NewtonKernel, SubtractsARow) {
    const std::size_t size = (GetParam() + newton_lanes - 1) / newton_lanes * newton_lanes;
    const Vector vector = support::random_matrix(GetParam(), 1, 1);
    const Vector row = support::random_matrix(GetParam(), 1, 2).cast<float>().cast<double>();
    AlignedArray<float> numbers(size);
    std::transform(row.begin(), row.end(), numbers.data(), [](double value) { return static_cast<float>(value); });
    AlignedArray<double> difference(size);
    const double square = subtract_row(padded(vector, size).data(), numbers.data(), difference.data(), size);
    EXPECT_NEAR(square, (vector - row).squaredNorm(), 1e-12 * (1.0 + square));
    for (Index k = 0; k < GetParam(); ++k) {
        EXPECT_EQ(difference.data()[k], vector[k] - row[k]);
    }
}

TEST_P(NewtonKernel, ProductsOfColumnsAreThoseOfEveryRow) {
    const MultiVector<float> rows = support::random_block(37, GetParam(), 4);
    const std::size_t stride = rows.stride();
    AlignedArray<double> matrix(stride * stride);
    for (int twice = 0; twice < 2; ++twice) {
        add_products_of_columns(rows.row(0), rows.rows(), rows.columns(), stride, matrix.data());
    }
    const Matrix a = support::to_matrix(rows);
    const Matrix expected = 2.0 * a.transpose() * a;
    for (Index i = 0; i < GetParam(); ++i) {
        for (Index j = i; j < GetParam(); ++j) {
            EXPECT_NEAR(matrix.data()[i * stride + j], expected(i, j), 1e-5 * expected.norm());
        }
    }
    AlignedArray<double> added(stride);
    add_row(0.5, rows.row(3), added.data(), stride);
    for (Index k = 0; k < GetParam(); ++k) {
        EXPECT_EQ(added.data()[k], 0.5 * double{rows.at(3, k)});
    }
}

/// The system of a tangent step at a random u, of a matrix with these eigenvalues' signs: the projection takes
/// v u^T + u v^T away, but leaves `along` in the direction u.
struct System {
    System(Index d, double smallest)
        : stride((d + newton_lanes - 1) / newton_lanes * newton_lanes),
          u(support::random_matrix(d, 1, 5).normalized()),
          b(support::random_matrix(d, 1, 6)) {
        const Matrix a = support::random_matrix(d + 3, d, 7);
        n = a.transpose() * a + smallest * Matrix::Identity(d, d);
        b -= b.dot(u) * u;
        upper = AlignedArray<double>(stride * stride);
        for (Index i = 0; i < d; ++i) {
            for (Index j = i; j < d; ++j) {
                upper.data()[i * stride + j] = n(i, j);
            }
        }
        padded_u = padded(u, stride);
        padded_b = padded(b, stride);
    }

    [[nodiscard]] bool solve(double along, double shift, AlignedArray<double>& x) const {
        const Vector v = n * u - 0.5 * (u.dot(n * u) + along - shift) * u;
        const AlignedArray<double> padded_v = padded(v, stride);
        AlignedArray<double> scratch(2 * stride);
        AlignedArray<double> factor(2 * stride * stride);
        // Whatever a system before left there.
        constexpr double nan = std::numeric_limits<double>::quiet_NaN();
        std::fill_n(scratch.data(), 2 * stride, nan);
        std::fill_n(factor.data(), 2 * stride * stride, nan);
        return solve_updated_system({upper.data(), padded_u.data(), padded_v.data(), padded_b.data(), shift,
                                     static_cast<std::size_t>(u.size()), stride},
                                    scratch.data(), factor.data(), x.data());
    }

    std::size_t stride;
    Vector u;
    Vector b;
    Matrix n;
    AlignedArray<double> upper;
    AlignedArray<double> padded_u;
    AlignedArray<double> padded_b;
};

TEST_P(NewtonKernel, SolvesTheProjectedSystem) {
    const System system(GetParam(), 0.1);
    AlignedArray<double> x(system.stride);
    ASSERT_TRUE(system.solve(2.0, 0.3, x));
    const Matrix p = Matrix::Identity(GetParam(), GetParam()) - system.u * system.u.transpose();
    const Matrix projected = p * system.n * p + 0.3 * p;
    const Vector found = Eigen::Map<const Vector>(x.data(), GetParam());
    EXPECT_LT((projected * found - system.b).norm(), 1e-9 * (1.0 + system.b.norm()));
    EXPECT_NEAR(found.dot(system.u), 0.0, 1e-9 * (1.0 + found.norm()));
    for (std::size_t k = GetParam(); k < system.stride; ++k) {
        EXPECT_EQ(x.data()[k], 0.0);
    }
}

TEST_P(NewtonKernel, RefusesWhatIsNotPositiveDefinite) {
    const System system(GetParam(), 0.1);
    AlignedArray<double> x(system.stride);
    EXPECT_FALSE(system.solve(-1.0, 0.3, x));
    EXPECT_EQ(system.solve(1.0, -1e4, x), GetParam() == 1);  // of one number nothing but u is left
}

}  // namespace
}  // namespace isogon::newton_kernel_test
