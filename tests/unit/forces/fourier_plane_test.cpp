#include "forces/fourier_plane.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <numbers>

#include "isogon/core/random.hpp"
#include "reference/point_sets.hpp"

namespace isogon::fourier_plane_test {
namespace {

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
}  // namespace isogon::fourier_plane_test
