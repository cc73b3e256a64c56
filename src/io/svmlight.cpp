#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "io/matrix_formats.hpp"
#include "io/text_file.hpp"

namespace isogon {

namespace {

/// Reads the lines of a file, each of them a row.
class SvmlightRows {
public:
    explicit SvmlightRows(ByteStream& stream) : lines_(stream) {}

    /// Whether there was another row; its entries are then at the end of entries().
    bool next() {
        std::string_view line;
        do {
            if (!lines_.next(line)) {
                return false;
            }
            line = line.substr(0, line.find('#'));
        } while (trim(line).empty());
        take_label(line);
        while (!(line = trim(line)).empty()) {
            const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
            take_entry(line.substr(0, end));
            line.remove_prefix(end);
        }
        if (rows_ == std::numeric_limits<Index>::max()) {
            lines_.fail("is a row more than can be numbered");
        }
        line_of_row_.push_back(lines_.number());
        ++rows_;
        return true;
    }

    [[nodiscard]] SparseHead head() const {
        return {.rows = rows_, .columns = last_ + (has_zero_ ? 1U : 0U), .entries = count_};
    }

    CsrMatrix<double> finish() {
        const SparseHead sizes = head();
        if (sizes.rows == 0) {
            lines_.stream().fail("", "holds no rows");
        }
        require_believable_sides(lines_.stream(), sizes.rows, sizes.columns, sizes.entries);
        entries_.rows = static_cast<Index>(sizes.rows);
        entries_.columns = static_cast<Index>(sizes.columns);
        for (Index& column : entries_.column) {
            column -= has_zero_ ? 0 : 1;
        }
        const std::vector<Index> rows = entries_.row;
        const auto place = [&](Offset k) { return "line " + std::to_string(line_of_row_[rows[k]]); };
        return assemble(std::move(entries_), lines_.stream(), {place, has_zero_ ? 0U : 1U});
    }

    /// Rows are counted, and entries not kept.
    void count_only() { keeps_ = false; }

private:
    void take_label(std::string_view& line) const {
        line = trim(line);
        const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
        const std::string_view label = line.substr(0, end);
        double number = 0.0;
        std::string_view rest = label;  // several labels of one row have commas between them
        while (parse_double(rest.substr(0, rest.find(',')), number) == NumberFault::None) {
            if (rest.find(',') == std::string_view::npos) {
                line.remove_prefix(end);
                return;
            }
            rest.remove_prefix(rest.find(',') + 1);
        }
        lines_.fail(in_quotes(label) + " stands where the number of a class or a target belongs");
    }

    void take_entry(std::string_view word) {
        const std::size_t colon = std::min(word.find(':'), word.size());
        if (word.substr(0, colon) == "qid") {
            return;
        }
        const auto column = parse_integer(word.substr(0, colon));
        double value = 0.0;
        if (colon == word.size() || !column || *column < 0 || *column >= std::numeric_limits<Index>::max() ||
            parse_double(word.substr(colon + 1), value) != NumberFault::None) {
            lines_.fail(in_quotes(word) + " stands where a column and its number belong, as 17:0.5");
        }
        has_zero_ = has_zero_ || *column == 0;
        last_ = std::max(last_, static_cast<std::uint64_t>(*column));
        ++count_;
        if (keeps_) {
            entries_.row.push_back(rows_);
            entries_.column.push_back(static_cast<Index>(*column));
            entries_.values.push_back(value);
        }
    }

    LineReader lines_;
    MatrixEntries entries_;
    std::vector<std::uint64_t> line_of_row_;
    Index rows_ = 0;
    std::uint64_t count_ = 0;
    std::uint64_t last_ = 0;  ///< largest number of a column
    bool has_zero_ = false;   ///< columns are counted from 0
    bool keeps_ = true;
};

}  // namespace

SparseHead read_svmlight_head(ByteStream& stream) {
    SvmlightRows rows(stream);
    rows.count_only();
    while (rows.next()) {
    }
    return rows.head();
}

CsrMatrix<double> read_svmlight(ByteStream& stream) {
    SvmlightRows rows(stream);
    while (rows.next()) {
    }
    return rows.finish();
}

}  // namespace isogon
