#include "io/matrix_market_head.hpp"

#include <limits>

#include "io/matrix_entries.hpp"
#include "io/number_text.hpp"

namespace isogon {

namespace {

constexpr std::string_view banner = "%%MatrixMarket";

std::string lower_case(std::string_view text) {
    std::string lower(text);
    for (char& c : lower) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return lower;
}

std::uint64_t whole_number(const LineReader& lines, std::string_view text, const char* what) {
    const auto value = parse_integer(text);
    if (!value || *value < 0) {
        lines.fail(in_quotes(text) + " stands where " + what + " belongs, a whole number");
    }
    return static_cast<std::uint64_t>(*value);
}

void apply_banner(const LineReader& lines, std::string_view line, MatrixMarketHead& head) {
    const LineWords<5> words(line);
    if (words.count != 5 || words.word[0] != banner) {
        lines.fail("must read \"%%MatrixMarket matrix FORMAT FIELD SYMMETRY\"; it reads " + in_quotes(line));
    }
    const std::string object = lower_case(words.word[1]);
    const std::string format = lower_case(words.word[2]);
    head.field = lower_case(words.word[3]);
    const std::string symmetry = lower_case(words.word[4]);
    if (object != "matrix") {
        lines.fail("holds a " + in_quotes(object) + ", not a matrix");
    }
    if (format != "coordinate" && format != "array") {
        lines.fail("the format " + in_quotes(format) + " is unknown; coordinate and array can be read");
    }
    head.coordinate = format == "coordinate";
    head.pattern = head.field == "pattern";
    const bool real =
        head.field == "real" || head.field == "double" || head.field == "integer" || head.field == "unsigned-integer";
    if (!real && !(head.pattern && head.coordinate)) {
        lines.fail("the field " + in_quotes(head.field) + " of a " + format +
                   " matrix cannot be read; real, integer and, of coordinates, pattern can");
    }
    if (symmetry != "general" && symmetry != "symmetric") {
        lines.fail("the symmetry " + in_quotes(symmetry) + " cannot be read; general and symmetric can");
    }
    head.symmetric = symmetry == "symmetric";
}

/// Numbers of an array: all, or those on and below the diagonal.
std::uint64_t array_entries(const MatrixMarketHead& head) {
    constexpr auto limit = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t rows = head.rows;
    if (head.symmetric) {
        return rows > std::numeric_limits<std::uint32_t>::max() ? limit : rows * (rows + 1) / 2;
    }
    return head.columns != 0 && rows > limit / head.columns ? limit : rows * head.columns;
}

void apply_sizes(const LineReader& lines, std::string_view line, MatrixMarketHead& head) {
    const LineWords<3> words(line);
    const std::size_t wanted = head.coordinate ? 3 : 2;
    if (words.count != wanted) {
        lines.fail("must hold " +
                   std::string(head.coordinate ? "rows, columns and number of entries" : "rows and columns") +
                   "; it reads " + in_quotes(line));
    }
    head.rows = whole_number(lines, words.word[0], "the number of rows");
    head.columns = whole_number(lines, words.word[1], "the number of columns");
    if (head.symmetric && head.rows != head.columns) {
        lines.fail("a symmetric matrix must be square; this one is " + std::to_string(head.rows) + " x " +
                   std::to_string(head.columns));
    }
    head.entries = head.coordinate ? whole_number(lines, words.word[2], "the number of entries") : array_entries(head);
}

/// "1 1 5", "1 1", "5", each with the end of its line: the least that an entry takes.
std::uint64_t least_bytes(const MatrixMarketHead& head) {
    const std::uint64_t each = head.coordinate ? (head.pattern ? 4 : 6) : 2;
    constexpr auto limit = std::numeric_limits<std::uint64_t>::max();
    return head.entries > limit / each ? limit : (head.entries == 0 ? 0 : each * head.entries - 1);
}

}  // namespace

bool is_matrix_market(std::string_view first_bytes) {
    return first_bytes.starts_with(banner);
}

MatrixMarketHead read_matrix_market_head(LineReader& lines) {
    MatrixMarketHead head;
    std::string_view line;
    if (!lines.next(line)) {
        lines.stream().fail("", "is empty");
    }
    apply_banner(lines, line, head);
    if (!next_matrix_market_line(lines, line)) {
        lines.stream().fail("", "ends before its line of sizes: it is truncated");
    }
    apply_sizes(lines, line, head);
    const ByteStream& stream = lines.stream();
    require_believable_sides(stream, head.rows, head.columns, head.entries);
    if (head.coordinate && head.rows * head.columns < head.entries) {
        lines.fail("a matrix of " + std::to_string(head.rows) + " x " + std::to_string(head.columns) +
                   " has no room for " + std::to_string(head.entries) + " entries");
    }
    stream.require_bytes(least_bytes(head), std::to_string(head.entries) + " entries");
    return head;
}

bool next_matrix_market_line(LineReader& lines, std::string_view& line) {
    while (lines.next(line)) {
        if (!line.starts_with('%') && !trim(line).empty()) {
            return true;
        }
    }
    return false;
}

}  // namespace isogon
