#include "core/fused.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "core/random.hpp"

namespace isogon::fused_test {
namespace {

bool same(float a, float b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) || (std::isnan(a) && std::isnan(b));
}

/// Any float32; in three of four cases of a size near 1, and often with few digits, so that sums are near halfway.
float draw(Random& random) {
    std::uint32_t bits = random.bits();
    const std::uint32_t kind = random.bits() % 4;
    if (kind > 0) {
        bits = (bits & 0x807FFFFFU) | (117U + (bits >> 23U) % 20U) << 23U;
    }
    return std::bit_cast<float>(kind > 1 ? bits & 0xFFFFF000U : bits);
}

TEST(FusedMultiplyAdd, IsThatOfTheProcessorOrTheCLibrary) {
    Random random(3, RandomStream::Test, 0);
    for (int i = 0; i < 2'000'000; ++i) {
        const float a = draw(random);
        const float b = draw(random);
        const float c = i % 3 == 0 ? -a * b * (1.0F + 1e-7F * static_cast<float>(i % 5 - 2)) : draw(random);
        ASSERT_TRUE(same(fused_multiply_add(a, b, c), std::fma(a, b, c))) << a << " " << b << " " << c;
    }
}

TEST(FusedMultiplyAdd, OfAwkwardNumbers) {
    using Limits = std::numeric_limits<float>;
    constexpr std::array numbers{0.0F,
                                 -0.0F,
                                 1.0F,
                                 -1.0F,
                                 Limits::min(),
                                 Limits::denorm_min(),
                                 Limits::max(),
                                 Limits::lowest(),
                                 Limits::infinity(),
                                 -Limits::infinity(),
                                 Limits::quiet_NaN(),
                                 1.0F + Limits::epsilon(),
                                 0x1p-75F};
    for (const float a : numbers) {
        for (const float b : numbers) {
            for (const float c : numbers) {
                EXPECT_TRUE(same(fused_multiply_add(a, b, c), std::fma(a, b, c))) << a << " " << b << " " << c;
            }
        }
    }
}

TEST(FusedMultiplyAdd, RoundsOnce) {
    // The product's last digits decide, which two roundings lose.
    constexpr float a = 1.0F + 0x1p-12F;
    EXPECT_EQ(fused_multiply_add(a, a, -1.0F - 0x1p-11F), 0x1p-24F);
    EXPECT_EQ(fused_multiply_add(1.0 + 0x1p-30, 1.0 + 0x1p-30, -1.0 - 0x1p-29), 0x1p-60);
}

}  // namespace
}  // namespace isogon::fused_test
