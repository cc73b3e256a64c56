#pragma once
#include "io/byte_stream.hpp"
#include "isogon/io/dataset.hpp"

namespace isogon {

/// Word vectors. Text: a line "n dimension" (word2vec, fastText; GloVe has none), then a line a word: the word, which
/// may be any bytes but space and line end, and its numbers, each after one space; one space may end a line.
/// Binary (word2vec): the line "n dimension", then each word, a space, and its little-endian float32 numbers, with or
/// without a line end between words.

[[nodiscard]] Dataset read_word_text(ByteStream& stream);
[[nodiscard]] Dataset read_word_binary(ByteStream& stream);

/// From the first line; a text without one is read to its end.
[[nodiscard]] FileInfo describe_word_text(ByteStream& stream);
[[nodiscard]] FileInfo describe_word_binary(ByteStream& stream);

}  // namespace isogon
