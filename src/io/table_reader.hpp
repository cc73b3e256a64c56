#pragma once
#include <cstdint>
#include <vector>

#include "io/byte_stream.hpp"
#include "isogon/io/dataset.hpp"
#include "isogon/io/integer_table.hpp"

namespace isogon {

/// Reads a csv (Format::Csv) or tsv (Format::Tsv) file, one point a record. Throws InputError naming line and column
/// for a ragged record or text where a number belongs.
[[nodiscard]] Dataset read_table(ByteStream& stream, Format format, const ReadOptions& options);

/// Shape and header; reads the file to its end.
[[nodiscard]] FileInfo describe_table(ByteStream& stream, Format format, const ReadOptions& options);

/// Reads one whole number a line; a first line that is no number is taken for a header.
[[nodiscard]] std::vector<std::int64_t> read_text_labels(ByteStream& stream);

/// Reads rows of whole numbers, as many in each, without a header.
[[nodiscard]] IntegerTable read_text_integers(ByteStream& stream, char delimiter);

}  // namespace isogon
