#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "io/byte_stream.hpp"
#include "isogon/core/types.hpp"

namespace isogon {

/// The first line of a file of word vectors: "8000 300".
struct WordHeader {
    std::uint64_t words = 0;
    std::uint64_t dimension = 0;
};

/// Empty unless `line` is two whole numbers (one space between, one allowed after).
[[nodiscard]] std::optional<WordHeader> parse_word_header(std::string_view line);

/// Throws InputError unless both numbers are positive and countable, and words of at least `bytes_per_number` bytes a
/// number and `bytes_per_word` besides fit into what is left of the stream.
void check_word_header(const ByteStream& stream, const WordHeader& header, std::uint64_t bytes_per_number,
                       std::uint64_t bytes_per_word);

}  // namespace isogon
