#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace isogon {

using Sha256State = std::array<std::uint32_t, 8>;
inline constexpr std::size_t sha256_block_bytes = 64;

/// SHA-256 (FIPS 180-4) of bytes that arrive in pieces. Contents are compared by their digests, and cached runs are
/// identified by them. Implemented here to avoid a dependency; not hardened for use with secrets. O(bytes): 44 MB,
/// 14,000 images of 784 floats, need a fifth of a second without SHA instructions, and less with them.
class Sha256 {
public:
    void add(std::span<const std::byte> bytes);
    void add(std::string_view text);
    /// Adds a number as eight bytes, lowest first, on any machine.
    void add(std::uint64_t number);

    /// The digest of all that was added so far: 64 characters of 0-9 a-f.
    [[nodiscard]] std::string hex() const;

private:
    Sha256State state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<std::byte, sha256_block_bytes> rest_{};  ///< bytes that do not fill a block yet
    std::uint64_t bytes_ = 0;
};

/// Updates the state by `count` blocks of 64 bytes (FIPS 180-4, section 6.2.2), with the processor's SHA instructions
/// if it has them: several times as fast, with the same bits.
void mix_sha256_blocks(Sha256State& state, const std::byte* blocks, std::size_t count);

/// The portable version, as in the standard: for processors without SHA instructions, and the reference of the tests.
void mix_sha256_blocks_plainly(Sha256State& state, const std::byte* blocks, std::size_t count);

}  // namespace isogon
