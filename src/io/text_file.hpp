#pragma once
// Text in files: lines, and the records of csv and tsv files.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_stream.hpp"
#include "io/number_text.hpp"

namespace isogon {

/// Appends a field of a csv or tsv file, in quotes where it would otherwise not be read back unchanged.
void append_field(std::string& line, std::string_view text, char delimiter);

/// ASCII letters alone, whatever the locale: words and endings of file formats.
[[nodiscard]] inline std::string lower_case(std::string_view text) {
    std::string lower(text);
    for (char& c : lower) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return lower;
}

/// What separates the fields of a csv file, by its first two lines: a semicolon, as spreadsheets write where the comma
/// is the decimal point, if both have as many of them and not as many commas, or are numbers with decimal commas
/// between them; else a comma.
[[nodiscard]] char csv_delimiter(ByteStream& stream);

/// The lines of a text, without their ends (LF or CRLF). The last line needs no end. A byte order mark is skipped.
class LineReader {
public:
    explicit LineReader(ByteStream& stream);

    /// The next line, valid until the next call; false at the end. Throws InputError for a line over 64 MiB (some six
    /// million numbers), so that a damaged file cannot fill the memory.
    bool next(std::string_view& line);

    /// The end of the last line that next() returned: "\n", "\r\n", or nothing.
    [[nodiscard]] std::string_view line_end() const { return line_end_; }
    /// Number of the last line that next() returned, from 1.
    [[nodiscard]] std::uint64_t number() const { return number_; }
    /// Throws InputError that names that line.
    [[noreturn]] void fail(const Text& why) const;
    [[nodiscard]] ByteStream& stream() const { return stream_; }

private:
    ByteStream& stream_;
    std::uint64_t number_ = 0;
    std::string_view line_end_;
    std::size_t shown_ = 0;  ///< bytes of the last line in the stream
};

/// The records of a csv or tsv file (RFC 4180): fields between delimiters; a field that begins with a quote ends with
/// one, holds "" for a quote, and may hold delimiters and line ends. Blanks around fields that are not quoted are
/// dropped.
class RecordReader {
public:
    /// A blank line before a record: an InputError, or a record of one empty field.
    enum class Blank { Refused, Record };

    RecordReader(ByteStream& stream, char delimiter, Blank blank = Blank::Refused)
        : lines_(stream), delimiter_(delimiter), blank_(blank) {}

    /// The next record's fields, valid until the next call; false at the end. Blank lines at the end of the file are
    /// ignored; a quote without an end is an InputError.
    bool next(std::vector<std::string_view>& fields);
    /// A field of that record with the blanks around it, which next() has dropped.
    [[nodiscard]] std::string_view with_blanks(std::string_view field) const;
    /// The line on which that record began, as it stands in the file; valid as long as the fields.
    [[nodiscard]] std::string_view text() const { return text_; }

    /// Number of the line, from 1, on which the record began.
    [[nodiscard]] std::uint64_t line() const { return line_; }
    /// Throws InputError for the line, or for a field of it (`column` from 0; messages count from 1).
    [[noreturn]] void fail(const Text& why) const;
    [[noreturn]] void fail(std::size_t column, const Text& why) const;
    [[nodiscard]] char delimiter() const { return delimiter_; }
    [[nodiscard]] ByteStream& stream() { return lines_.stream(); }
    [[nodiscard]] const std::string& source() const { return lines_.stream().source(); }

private:
    bool next_line(std::string_view& line);
    void split_plain(std::string_view line, std::vector<std::string_view>& fields) const;
    void split_quoted(std::string_view line, std::vector<std::string_view>& fields);
    std::size_t take_quoted(std::size_t at);

    LineReader lines_;
    char delimiter_;
    Blank blank_;
    std::uint64_t blanks_left_ = 0;           ///< records of blank lines that are still to come
    std::optional<std::string_view> held_{};  ///< the line after them
    std::string_view text_;
    bool is_quoted_ = false;  ///< the record has quotes, and its fields are in values_
    std::uint64_t line_ = 0;
    std::string joined_;  ///< the record, when it has quotes: its lines, joined
    std::string values_;  ///< its fields, unquoted, with a delimiter after each
};

}  // namespace isogon
