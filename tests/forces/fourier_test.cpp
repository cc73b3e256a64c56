#include "forces/grid_repulsion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "core/random.hpp"
#include "reference/point_sets.hpp"

namespace isogon::fourier_test {

namespace {

constexpr std::size_t lanes = FourierLines::lanes;

FourierLines::Workspace random_lines(std::size_t length) {
    FourierLines::Workspace work(length);
    Random random(1, RandomStream::Test, length);
    for (double& value : work.values) {
        value = random.normal();
    }
    return work;
}

TEST(FourierLines, IsTheSumOfTheDefinition) {
    for (const std::size_t length : {1, 2, 3, 4, 6, 8, 12, 16, 24, 48, 64, 96, 128}) {
        FourierLines::Workspace before = random_lines(length);
        FourierLines::Workspace work = before;
        FourierLines(length).transform(work);
        for (std::size_t k = 0; k < length; ++k) {
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                std::complex<double> sum = 0.0;
                for (std::size_t t = 0; t < length; ++t) {
                    const double angle = -2.0 * std::numbers::pi * static_cast<double>(t * k) / double(length);
                    sum += std::complex(before.real(t)[lane], before.imaginary(t)[lane]) * std::polar(1.0, angle);
                }
                ASSERT_NEAR(work.real(k)[lane], sum.real(), 1e-11) << length << " at " << k;
                ASSERT_NEAR(work.imaginary(k)[lane], sum.imag(), 1e-11);
            }
        }
    }
}

TEST(FourierLines, ThereAndBackIsTheLength) {
    for (const std::size_t length : {256, 384, 1024}) {
        FourierLines::Workspace before = random_lines(length);
        FourierLines::Workspace work = before;
        const FourierLines lines(length);
        const auto exchange = [&] {
            for (std::size_t t = 0; t < length; ++t) {
                std::swap_ranges(work.real(t), work.real(t) + lanes, work.imaginary(t));
            }
        };
        lines.transform(work);
        exchange();
        lines.transform(work);
        exchange();
        for (std::size_t k = 0; k < before.values.size(); ++k) {
            ASSERT_NEAR(work.values[k], before.values[k] * double(length), 1e-9);
        }
    }
}

TEST(FourierLines, LengthsAreTheNextOfTheirKind) {
    EXPECT_EQ(FourierLines::length_for(1), 1U);
    EXPECT_EQ(FourierLines::length_for(3), 3U);
    EXPECT_EQ(FourierLines::length_for(5), 6U);
    EXPECT_EQ(FourierLines::length_for(64), 64U);
    EXPECT_EQ(FourierLines::length_for(65), 96U);
    EXPECT_EQ(FourierLines::length_for(97), 128U);
    EXPECT_EQ(FourierLines::length_for(129), 192U);
}

FourierPlane random_plane(std::size_t rows, std::size_t columns, std::size_t used_rows) {
    FourierPlane plane(rows, columns);
    Random random(2, RandomStream::Test, rows * columns);
    for (std::size_t i = 0; i < used_rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            plane.real[plane.place(i, j)] = random.normal();
            plane.imaginary[plane.place(i, j)] = random.normal();
        }
    }
    return plane;
}

TEST(FourierPlane, IsTheSumOfTheDefinition) {
    for (const auto& [rows, columns, used] : {std::array{12, 8, 12}, std::array{8, 6, 5}, std::array{16, 1, 9}}) {
        const FourierPlane before = random_plane(rows, columns, used);
        FourierPlane plane = before;
        PlaneTransform(plane.rows, plane.columns).forward(plane, used, {});
        for (std::size_t k = 0; k < plane.rows; ++k) {
            for (std::size_t l = 0; l < plane.columns; ++l) {
                std::complex<double> sum = 0.0;
                for (std::size_t i = 0; i < plane.rows; ++i) {
                    for (std::size_t j = 0; j < plane.columns; ++j) {
                        const double turns = double(i * k) / rows + double(j * l) / columns;
                        const std::size_t at = before.place(i, j);
                        sum += std::complex(before.real[at], before.imaginary[at]) *
                               std::polar(1.0, -2.0 * std::numbers::pi * turns);
                    }
                }
                ASSERT_NEAR(plane.real[plane.place(k, l)], sum.real(), 1e-11);
                ASSERT_NEAR(plane.imaginary[plane.place(k, l)], sum.imag(), 1e-11);
            }
        }
    }
}

TEST(FourierPlane, ThereAndBackIsTheNumberOfPlacesOnAnyNumberOfThreads) {
    const FourierPlane before = random_plane(96, 64, 40);
    const PlaneTransform transform(96, 64);
    FourierPlane one = before;
    FourierPlane three = before;
    for (auto* plane : {&one, &three}) {
        const RunContext context = reference::on_threads(plane == &one ? 1 : 3);
        transform.forward(*plane, 40, context);
        transform.inverse(*plane, 40, context);
    }
    for (std::size_t i = 0; i < 40; ++i) {
        for (std::size_t j = 0; j < 64; ++j) {
            const std::size_t at = before.place(i, j);
            ASSERT_NEAR(one.real[at], before.real[at] * 96.0 * 64.0, 1e-9);
            ASSERT_NEAR(one.imaginary[at], before.imaginary[at] * 96.0 * 64.0, 1e-9);
            ASSERT_EQ(one.real[at], three.real[at]);
            ASSERT_EQ(one.imaginary[at], three.imaginary[at]);
        }
    }
}

}  // namespace

}  // namespace isogon::fourier_test
