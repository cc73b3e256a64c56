#include "io/matrix_market.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "io/line_reader.hpp"
#include "io/matrix_entries.hpp"
#include "io/matrix_market_head.hpp"
#include "io/number_text.hpp"

namespace isogon {

namespace {

/// Reads the lines behind the head.
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

    /// Lines follow each other but for comments and zeros of arrays: only where they do not is it written down.
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
