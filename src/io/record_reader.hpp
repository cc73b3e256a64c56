#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/line_reader.hpp"

namespace isogon {

/// The records of a csv or tsv file (RFC 4180): fields between delimiters; a field that begins with a quote ends with
/// one, holds "" for a quote, and may hold delimiters and line ends. Blanks around fields that are not quoted are
/// dropped.
class RecordReader {
public:
    RecordReader(ByteStream& stream, char delimiter) : lines_(stream), delimiter_(delimiter) {}

    /// The next record's fields, good until the next call; false at the end. Blank lines at the end of the file are
    /// stepped over; one that is followed by more is an InputError, and so is a quote without an end.
    bool next(std::vector<std::string_view>& fields);

    /// Number of the line, from 1, on which the record began.
    [[nodiscard]] std::uint64_t line() const { return line_; }
    /// Throws InputError for the line, or for a field of it (`column` from 0; messages count from 1).
    [[noreturn]] void fail(const std::string& why) const;
    [[noreturn]] void fail(std::size_t column, const std::string& why) const;
    [[nodiscard]] char delimiter() const { return delimiter_; }
    [[nodiscard]] ByteStream& stream() { return lines_.stream(); }

private:
    bool next_line(std::string_view& line);
    void split_plain(std::string_view line, std::vector<std::string_view>& fields) const;
    void split_quoted(std::string_view line, std::vector<std::string_view>& fields);
    std::size_t take_quoted(std::size_t at);

    LineReader lines_;
    char delimiter_;
    std::uint64_t line_ = 0;
    std::string joined_;  ///< the record, when it has quotes: its lines, joined
    std::string values_;  ///< its fields, unquoted, one after the other
};

}  // namespace isogon
