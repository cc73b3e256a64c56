#include "core/sha256.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/random.hpp"

namespace isogon::sha256_test {
namespace {

std::vector<std::byte> noise(std::size_t bytes, std::uint64_t seed) {
    std::vector<std::byte> values;
    values.reserve(bytes);
    for (std::size_t i = 0; i < bytes; ++i) {
        values.push_back(static_cast<std::byte>(Random(seed, RandomStream::Test, i).bits() & 0xffU));
    }
    return values;
}

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

std::string digest_of(std::string_view text) {
    Sha256 digest;
    digest.add(text);
    return digest.hex();
}

/// The examples of FIPS 180-4 (NIST, "Example Values", SHA-256) and of its empty message.
TEST(Sha256, IsThatOfTheStandardsExamples) {
    EXPECT_EQ(digest_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(digest_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(digest_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(digest_of(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnHowThePiecesAreCut) {
    std::string text;
    for (int i = 0; i < 300; ++i) {
        text += static_cast<char>(i * 7);
    }
    const std::string whole = digest_of(text);
    for (const std::size_t piece : {1U, 7U, 63U, 64U, 65U, 200U}) {
        Sha256 digest;
        for (std::size_t begin = 0; begin < text.size(); begin += piece) {
            digest.add(std::string_view(text).substr(begin, piece));
        }
        EXPECT_EQ(digest.hex(), whole) << piece;
    }
}

TEST(Sha256, ADigestDoesNotEndIt) {
    Sha256 digest;
    digest.add("ab");
    static_cast<void>(digest.hex());
    digest.add("c");
    EXPECT_EQ(digest.hex(), digest_of("abc"));
}

TEST(Sha256, NumbersAreEightBytesLowestFirst) {
    Sha256 digest;
    digest.add(std::uint64_t{0x0807060504030201});
    EXPECT_EQ(digest.hex(), digest_of("\x01\x02\x03\x04\x05\x06\x07\x08"));
}

}  // namespace
}  // namespace isogon::sha256_test
