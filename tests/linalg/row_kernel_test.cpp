#include "linalg/row_kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "support/dense_matrices.hpp"

namespace isogon::row_kernel_test {
namespace {

struct Shape {
    Index rows;
    Index columns;
};

class RowKernel : public testing::TestWithParam<Shape> {
protected:
    static MultiVector<float> block(int seed) {
        return support::random_block(GetParam().rows, GetParam().columns, seed);
    }
};

/// Sixteen sums, of which the upper half is added to the lower one until one is left.
double in_lanes(const float* a, const float* b, std::size_t size) {
    std::array<double, 16> sums{};
    for (std::size_t k = 0; k < size; ++k) {
        sums.at(k % sums.size()) += double{a[k]} * double{b[k]};
    }
    for (std::size_t half = sums.size() / 2; half > 0; half /= 2) {
        for (std::size_t i = 0; i < half; ++i) {
            sums.at(i) += sums.at(i + half);
        }
    }
    return sums[0];
}

double dot_of(const float* a, const float* b, std::size_t size) {
    double sum = 0.0;
    for (std::size_t k = 0; k < size; ++k) {
        sum += double{a[k]} * double{b[k]};
    }
    return sum;
}

TEST_P(RowKernel, DotsAreSumsOverSixteenLanes) {
    const MultiVector<float> a = block(1);
    const MultiVector<float> b = block(2);
    EXPECT_EQ(dot_of_rows(numbers_of(a, {0, a.rows()}), b.row(0)), in_lanes(a.row(0), b.row(0), a.rows() * a.stride()));
}

TEST_P(RowKernel, AxpyThenDotIsBothInTurn) {
    const MultiVector<float> a = block(1);
    MultiVector<float> b = block(2);
    const MultiVector<float> c = block(3);
    MultiVector<float> moved = b;
    const Range all{0, a.rows()};
    axpy_of_rows(0.3F, a.row(0), numbers_of(moved, all));
    const double product = axpy_dot_of_rows(0.3F, a.row(0), numbers_of(b, all), c.row(0));
    for (Index i = 0; i < a.rows(); ++i) {
        for (Index k = 0; k < a.columns(); ++k) {
            EXPECT_EQ(b.at(i, k), moved.at(i, k));
            EXPECT_EQ(b.at(i, k), block(2).at(i, k) + 0.3F * a.at(i, k));
        }
    }
    EXPECT_EQ(product, dot_of_rows(numbers_of(b, all), c.row(0)));
}

TEST_P(RowKernel, XpayReplacesTheMultipliedRows) {
    const MultiVector<float> a = block(1);
    MultiVector<float> b = block(2);
    xpay_of_rows(a.row(0), 0.3F, numbers_of(b, {0, b.rows()}));
    for (Index i = 0; i < a.rows(); ++i) {
        for (Index k = 0; k < a.columns(); ++k) {
            EXPECT_EQ(b.at(i, k), a.at(i, k) + 0.3F * block(2).at(i, k));
        }
    }
}

TEST_P(RowKernel, ProjectionLeavesWhatIsPerpendicular) {
    MultiVector<float> w = block(1);
    if (w.rows() > 1) {
        std::fill_n(w.row(1), w.columns(), 0.0F);
    }
    MultiVector<float> v = block(2);
    project_rows(w.row(0), -2.0F, v.row(0), w.stride(), w.rows());
    for (Index i = 0; i < w.rows(); ++i) {
        const double square = dot_of(w.row(i), w.row(i), w.columns());
        const double share = square > 0.0 ? dot_of(block(2).row(i), w.row(i), w.columns()) / square : 0.0;
        for (Index k = 0; k < w.columns(); ++k) {
            EXPECT_NEAR(v.at(i, k), -2.0 * (double{block(2).at(i, k)} - share * double{w.at(i, k)}), 2e-6);
        }
    }
}

TEST_P(RowKernel, RowsGetTheirLengthsAndZeroStays) {
    MultiVector<float> v = block(1);
    if (v.rows() > 1) {
        std::fill_n(v.row(1), v.columns(), 0.0F);
    }
    std::vector<float> lengths;
    for (Index i = 0; i < v.rows(); ++i) {
        lengths.push_back(static_cast<float>(i) * 0.7F);
    }
    set_row_lengths(lengths, v.row(0), v.stride());
    for (Index i = 0; i < v.rows(); ++i) {
        const double expected = i == 1 ? 0.0 : double{lengths[i]};
        EXPECT_NEAR(std::sqrt(dot_of(v.row(i), v.row(i), v.columns())), expected, 1e-6 * (1.0 + expected));
    }
}

TEST_P(RowKernel, DistancesAreThoseOfRows) {
    const MultiVector<float> a = block(1);
    MultiVector<float> b = block(2);
    std::copy_n(a.row(0), a.columns(), b.row(0));
    std::vector<float> distances(a.rows(), -1.0F);
    row_distances(a.row(0), b.row(0), a.stride(), distances);
    EXPECT_EQ(distances[0], 0.0F);
    for (Index i = 0; i < a.rows(); ++i) {
        double square = 0.0;
        for (Index k = 0; k < a.columns(); ++k) {
            const double difference = double{a.at(i, k)} - double{b.at(i, k)};
            square += difference * difference;
        }
        EXPECT_NEAR(distances[i], std::sqrt(square), 1e-6 * (1.0 + std::sqrt(square)));
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, RowKernel,
                         testing::Values(Shape{1, 1}, Shape{3, 16}, Shape{7, 17}, Shape{130, 33}, Shape{5, 128}),
                         [](const auto& shape) {
                             return std::to_string(shape.param.rows) + "x" + std::to_string(shape.param.columns);
                         });

}  // namespace
}  // namespace isogon::row_kernel_test
