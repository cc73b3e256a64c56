#include "forces/fourier_lines.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "isogon/core/random.hpp"

namespace isogon::fourier_lines_test {
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

}  // namespace
}  // namespace isogon::fourier_lines_test
