#include "core/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

namespace isogon::random_test {
namespace {

using Counter = std::array<std::uint32_t, 4>;
using Key = std::array<std::uint32_t, 2>;

constexpr int draws = 20000;

Random stream(std::uint64_t seed, std::uint64_t index = 0) {
    return {seed, RandomStream::Test, index};
}

// The known answers published with Random123 (Salmon et al., SC 2011): kat_vectors, philox4x32, 10 rounds.
TEST(Philox, AnswersAsPublished) {
    EXPECT_EQ(Random::philox(Counter{}, Key{}), (Counter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    constexpr std::uint32_t ones = 0xffffffff;
    EXPECT_EQ(Random::philox(Counter{ones, ones, ones, ones}, Key{ones, ones}),
              (Counter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    EXPECT_EQ(Random::philox(Counter{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, Key{0xa4093822, 0x299f31d0}),
              (Counter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, IsAFunctionOfSeedPurposeAndIndex) {
    auto first = stream(7, 3);
    auto again = stream(7, 3);
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(first.bits(), again.bits());
    }
}

TEST(Random, StreamsThatDifferInOnePartShareNoStart) {
    const std::uint64_t high = std::uint64_t{1} << 32U;
    std::vector<Random> streams{stream(1, 1),        stream(2, 1),        stream(1, 2),
                                stream(1 + high, 1), stream(1, 1 + high), Random(1, RandomStream::Blobs, 1)};
    std::set<std::array<std::uint32_t, 2>> starts;
    for (auto& random : streams) {
        starts.insert({random.bits(), random.bits()});
    }
    EXPECT_EQ(starts.size(), streams.size());
}

TEST(Random, UniformStaysBelowOneAndHasTheMomentsOfTheUniformLaw) {
    auto random = stream(11);
    double sum = 0.0;
    double squares = 0.0;
    for (int i = 0; i < draws; ++i) {
        const double value = random.uniform();
        ASSERT_GE(value, 0.0);
        ASSERT_LT(value, 1.0);
        sum += value;
        squares += value * value;
    }
    // Five standard errors of the mean, sqrt(1/12/n), and of the mean square, sqrt(4/45/n).
    EXPECT_NEAR(sum / draws, 1.0 / 2.0, 5.0 * std::sqrt(1.0 / 12.0 / draws));
    EXPECT_NEAR(squares / draws, 1.0 / 3.0, 5.0 * std::sqrt(4.0 / 45.0 / draws));
}

TEST(Random, UniformBetweenBoundsKeepsThem) {
    auto random = stream(12);
    double least = 5.0;
    double greatest = -2.0;
    for (int i = 0; i < draws; ++i) {
        const double value = random.uniform(-2.0, 5.0);
        least = std::min(least, value);
        greatest = std::max(greatest, value);
    }
    EXPECT_GE(least, -2.0);
    EXPECT_LT(greatest, 5.0);
    EXPECT_LT(least, -1.9);
    EXPECT_GT(greatest, 4.9);
}

TEST(Random, BelowGivesEveryNumberEquallyOften) {
    auto random = stream(13);
    constexpr std::uint32_t bound = 6;
    std::array<int, bound> counts{};
    for (int i = 0; i < draws; ++i) {
        ++counts.at(random.below(bound));
    }
    double chi_square = 0.0;
    for (const int count : counts) {
        const double expected = static_cast<double>(draws) / bound;
        chi_square += (count - expected) * (count - expected) / expected;
    }
    EXPECT_LT(chi_square, 25.7);  // 5 degrees of freedom, one in ten thousand; the stream is fixed
}

TEST(Random, BelowServesTheSmallestAndTheLargestBound) {
    auto random = stream(14);
    EXPECT_EQ(random.below(1), 0U);
    // Just over half of 2^32: nearly every second draw must be rejected, and none may reach the bound.
    constexpr std::uint32_t bound = 0x80000001U;
    for (int i = 0; i < 1000; ++i) {
        ASSERT_LT(random.below(bound), bound);
    }
}

TEST(Random, NormalHasTheMomentsOfTheNormalLaw) {
    auto random = stream(15);
    double sum = 0.0;
    double squares = 0.0;
    double fourth = 0.0;
    for (int i = 0; i < draws; ++i) {
        const double value = random.normal();
        ASSERT_TRUE(std::isfinite(value));
        sum += value;
        squares += value * value;
        fourth += value * value * value * value;
    }
    // Five standard errors: the variances of z, z^2 and z^4 are 1, 2 and 96.
    EXPECT_NEAR(sum / draws, 0.0, 5.0 * std::sqrt(1.0 / draws));
    EXPECT_NEAR(squares / draws, 1.0, 5.0 * std::sqrt(2.0 / draws));
    EXPECT_NEAR(fourth / draws, 3.0, 5.0 * std::sqrt(96.0 / draws));
}

TEST(Random, BothNormalsOfAPairAreUsedAndUncorrelated) {
    auto random = stream(16);
    double product = 0.0;
    for (int i = 0; i < draws; ++i) {
        const double first = random.normal();
        product += first * random.normal();
    }
    EXPECT_NEAR(product / draws, 0.0, 5.0 * std::sqrt(1.0 / draws));
}

}  // namespace
}  // namespace isogon::random_test
