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

/// The roles of the columns of a csv or tsv file.
struct TableColumns {
    bool header = false;  ///< the first record names the columns
    std::size_t count = 0;
    std::optional<std::size_t> label;
    std::optional<std::size_t> word;
    std::vector<std::string> names;  ///< of the columns that are coordinates; empty without a header

    [[nodiscard]] bool is_coordinate(std::size_t column) const { return column != label && column != word; }
    [[nodiscard]] std::size_t dimension() const { return count - (label ? 1 : 0) - (word ? 1 : 0); }
};

/// Determines the columns from the first record and the options. With Header::Detect the record is a header if none of
/// its fields is a number (label and word columns aside), and data if all are; a mixed record is an InputError, since
/// an error in the data must not be read as a header. Throws InvalidArgument if the label or word column does not exist
/// or both are the same, and InputError if no coordinates remain.
[[nodiscard]] TableColumns find_columns(const RecordReader& reader, const std::vector<std::string_view>& first,
                                        const ReadOptions& options);

/// Reads a csv (Format::Csv) or tsv (Format::Tsv) file, one point a record. Throws InputError naming line and column
/// for a ragged record or text in place of a number.
[[nodiscard]] Dataset read_table(ByteStream& stream, Format format, const ReadOptions& options);

/// Shape and header; reads the file to its end.
[[nodiscard]] FileInfo describe_table(ByteStream& stream, Format format, const ReadOptions& options);

/// Reads one whole number a line; a first line that is not a number is a header.
[[nodiscard]] std::vector<std::int64_t> read_text_labels(ByteStream& stream);

/// Reads rows of whole numbers, as many in each, without a header.
[[nodiscard]] IntegerTable read_text_integers(ByteStream& stream, char delimiter);

}  // namespace isogon
