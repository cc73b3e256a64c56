#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace isogon {

using Sha256State = std::array<std::uint32_t, 8>;
constexpr std::size_t sha256_block_bytes = 64;

/// Updates the state by `count` blocks of 64 bytes (FIPS 180-4, section 6.2.2), with the processor's SHA instructions
/// if it has them: several times as fast, with the same bits.
void mix_sha256_blocks(Sha256State& state, const std::byte* blocks, std::size_t count);

/// The portable version, as in the standard: for processors without SHA instructions, and the reference of the tests.
void mix_sha256_blocks_plainly(Sha256State& state, const std::byte* blocks, std::size_t count);

}  // namespace isogon
