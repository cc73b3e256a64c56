#include "io/matrix_formats.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "io/array_reader.hpp"
#include "io/text_file.hpp"

namespace isogon {

namespace {

constexpr std::string_view banner = "%%MatrixMarket";

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
    const std::uint64_t rows = head.rows;
    if (head.symmetric) {
        return rows > std::numeric_limits<std::uint32_t>::max() ? std::numeric_limits<std::uint64_t>::max()
                                                                : rows * (rows + 1) / 2;
    }
    return saturating_product(rows, head.columns);
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

namespace {

/// Reads the lines after the header.
class EntryReader {
public:
    EntryReader(LineReader& lines, const MatrixMarketHead& head) : lines_(lines), head_(head) {
        entries_.rows = static_cast<Index>(head.rows);
        entries_.columns = static_cast<Index>(head.columns);
        entries_.symmetric = head.symmetric;
        if (!lines.stream().gzip() && head.coordinate) {
            entries_.row.reserve(head.entries);
            entries_.column.reserve(head.entries);
            entries_.values.reserve(head.pattern ? 0 : head.entries);
        }
    }

    CsrMatrix<double> read() {
        std::string_view line;
        for (std::uint64_t k = 0; k < head_.entries; ++k) {
            if (!next_matrix_market_line(lines_, line)) {
                lines_.stream().fail("", "the head promises " + std::to_string(head_.entries) +
                                             " entries, but there are " + std::to_string(k) +
                                             ": it is truncated, or the head is wrong");
            }
            take(line);
        }
        if (next_matrix_market_line(lines_, line)) {
            lines_.fail("an entry more than the " + std::to_string(head_.entries) + " that the head promises");
        }
        return assemble(std::move(entries_), lines_.stream(), {[this](Offset k) { return place(k); }, 1});
    }

private:
    void take(std::string_view line) {
        const LineWords<3> words(line);
        const std::size_t wanted = !head_.coordinate ? 1 : head_.pattern ? 2 : 3;
        if (words.count != wanted) {
            lines_.fail("must hold " +
                        std::string(!head_.coordinate ? "one number"
                                    : head_.pattern   ? "a row and a column"
                                                      : "a row, a column and a value") +
                        "; it reads " + in_quotes(line));
        }
        if (head_.coordinate) {
            const Index row = subscript(words.word[0], head_.rows, "row");
            const Index column = subscript(words.word[1], head_.columns, "column");
            add(row, column, head_.pattern ? 1.0 : number(words.word[2]));
        } else {
            const double value = number(words.word[0]);
            if (value != 0.0) {
                add(array_row_, array_column_, value);
            }
            step();
        }
    }

    void add(Index row, Index column, double value) {
        note_line();
        entries_.row.push_back(row);
        entries_.column.push_back(column);
        if (!head_.pattern) {
            entries_.values.push_back(value);
        }
    }

    /// Down the column, then to the top of the next, which of a symmetric matrix is the diagonal.
    void step() {
        if (++array_row_ == head_.rows) {
            ++array_column_;
            array_row_ = head_.symmetric ? array_column_ : 0;
        }
    }

    Index subscript(std::string_view text, std::uint64_t side, const char* what) const {
        const auto value = parse_integer(text);
        if (!value || *value < 1 || static_cast<std::uint64_t>(*value) > side) {
            lines_.fail(std::string(what) + " " + (value ? std::to_string(*value) : in_quotes(text)) +
                        " does not exist; they are counted from 1 to " + std::to_string(side));
        }
        return static_cast<Index>(*value - 1);
    }

    double number(std::string_view text) const {
        double value = 0.0;
        const NumberFault fault = parse_double(text, value);
        if (fault != NumberFault::None) {
            lines_.fail(fault == NumberFault::OutOfRange ? in_quotes(text) + " is beyond the range of float64"
                                                         : number_trouble(fault, text));
        }
        return value;
    }

    /// Line numbers are recorded only where an entry is not on the line after the previous entry: after comments, and
    /// after zeros of arrays.
    void note_line() {
        const Offset k = entries_.count();
        if (jumps_.empty() || lines_.number() != jumps_.back().second + (k - jumps_.back().first)) {
            jumps_.emplace_back(k, lines_.number());
        }
    }

    [[nodiscard]] std::string place(Offset k) const {
        const auto after = std::upper_bound(jumps_.begin(), jumps_.end(), k,
                                            [](Offset entry, const auto& jump) { return entry < jump.first; });
        const auto& [entry, line] = *(after - 1);
        return "line " + std::to_string(line + (k - entry));
    }

    LineReader& lines_;
    MatrixMarketHead head_;
    MatrixEntries entries_;
    Index array_row_ = 0;
    Index array_column_ = 0;
    std::vector<std::pair<Offset, std::uint64_t>> jumps_;  ///< an entry's number, and its line's
};

}  // namespace

CsrMatrix<double> read_matrix_market(ByteStream& stream) {
    LineReader lines(stream);
    const MatrixMarketHead head = read_matrix_market_head(lines);
    return EntryReader(lines, head).read();
}

}  // namespace isogon
