#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/array_reader.hpp"

namespace isogon {

/// IDX, the format of the MNIST files (Y. LeCun): two zero bytes, a type byte, the rank, and as many 32-bit sizes, then
/// the numbers in C order; all big-endian. Types: 8 ubyte, 9 byte, 0xB short, 0xC int, 0xD float, 0xE double.

/// True if a file that begins so can be IDX.
[[nodiscard]] bool is_idx(std::string_view first_bytes);

/// Reads the header; the stream is then at the first number. Throws InputError for a wrong magic or type, or rank 0.
[[nodiscard]] ArrayLayout read_idx_header(ByteStream& stream);

/// The header's bytes. `scalar` must be one of IDX's types; sizes as many as the rank, at most 255.
[[nodiscard]] std::string idx_header(ScalarType scalar, const std::vector<std::uint32_t>& shape);

}  // namespace isogon
