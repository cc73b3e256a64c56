#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_stream.hpp"
#include "io/line_reader.hpp"
#include "isogon/io/dataset.hpp"
#include "isogon/io/integer_table.hpp"

namespace isogon {

/// What the columns of a csv or tsv file are for.
struct TableColumns {
    bool header = false;  ///< the first record names the columns
    std::size_t count = 0;
    std::optional<std::size_t> label;
    std::optional<std::size_t> word;
    std::vector<std::string> names;  ///< of the columns that are coordinates; empty without a header

    [[nodiscard]] bool is_coordinate(std::size_t column) const { return column != label && column != word; }
    [[nodiscard]] std::size_t dimension() const { return count - (label ? 1 : 0) - (word ? 1 : 0); }
};

/// From the first record and what the caller said. Header::Detect takes the record for a header if none of its fields
/// is a number (chosen label and word columns aside), for data if all are, and throws InputError if it is mixed: a slip
/// in the data must not pass for a header. Throws InvalidArgument for a chosen column that is not there, or both the
/// same, and InputError when no coordinates remain.
[[nodiscard]] TableColumns find_columns(const RecordReader& reader, const std::vector<std::string_view>& first,
                                        const ReadOptions& options);

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
