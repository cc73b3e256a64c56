#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace isogon {

using Sha256State = std::array<std::uint32_t, 8>;
constexpr std::size_t sha256_block_bytes = 64;

/// Mixes `count` blocks of 64 bytes into the state (FIPS 180-4, section 6.2.2): by the processor's own instructions
/// where it has them, which is several times as fast. The same bits either way.
void mix_sha256_blocks(Sha256State& state, const std::byte* blocks, std::size_t count);

/// The same as the standard writes it: for other processors, and what the tests compare with.
void mix_sha256_blocks_plainly(Sha256State& state, const std::byte* blocks, std::size_t count);

}  // namespace isogon
