#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "io/byte_stream.hpp"
#include "isogon/io/dataset.hpp"

namespace isogon {

/// Word vectors. Text: a line "n dimension" (word2vec, fastText; GloVe has none), then a line a word: the word, which
/// may be any bytes but space and line end, and its numbers, each after one space; one space may end a line.
/// Binary (word2vec): the line "n dimension", then each word, a space, and its little-endian float32 numbers, with or
/// without a line end between words.

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

[[nodiscard]] Dataset read_word_text(ByteStream& stream);
[[nodiscard]] Dataset read_word_binary(ByteStream& stream);

/// From the first line; a text without one is read to its end.
[[nodiscard]] FileInfo describe_word_text(ByteStream& stream);
[[nodiscard]] FileInfo describe_word_binary(ByteStream& stream);

}  // namespace isogon
