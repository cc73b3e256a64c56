#include "core/sha256_blocks.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "isogon/core/random.hpp"

namespace isogon::sha256_blocks_test {
namespace {

std::vector<std::byte> noise(std::size_t bytes, std::uint64_t seed) {
    std::vector<std::byte> values;
    values.reserve(bytes);
    for (std::size_t i = 0; i < bytes; ++i) {
        values.push_back(static_cast<std::byte>(Random(seed, RandomStream::Test, i).bits() & 0xffU));
    }
    return values;
}

/// sha256_test.cpp holds the standard's own examples.
TEST(Sha256Blocks, AnyProcessorMixesAsTheStandardWrites) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const std::size_t count = seed % 5 + 1;
        const auto blocks = noise(count * sha256_block_bytes, seed);
        Sha256State expected{};
        for (std::size_t i = 0; i < expected.size(); ++i) {
            expected[i] = static_cast<std::uint32_t>(Random(seed, RandomStream::Test, 1000 + i).bits());
        }
        Sha256State state = expected;
        mix_sha256_blocks_plainly(expected, blocks.data(), count);
        mix_sha256_blocks(state, blocks.data(), count);
        EXPECT_EQ(state, expected) << seed;
    }
}

TEST(Sha256Blocks, BlocksAreMixedOneAfterTheOther) {
    const auto blocks = noise(3 * sha256_block_bytes, 1);
    Sha256State together{1, 2, 3, 4, 5, 6, 7, 8};
    Sha256State apart = together;
    mix_sha256_blocks(together, blocks.data(), 3);
    for (std::size_t i = 0; i < 3; ++i) {
        mix_sha256_blocks(apart, blocks.data() + i * sha256_block_bytes, 1);
    }
    EXPECT_EQ(together, apart);
    mix_sha256_blocks(together, blocks.data(), 0);
    EXPECT_EQ(together, apart);
}

}  // namespace
}  // namespace isogon::sha256_blocks_test
