#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <unordered_set>

#include "io/array_reader.hpp"
#include "io/column_names.hpp"
#include "io/label_numbers.hpp"
#include "io/point_formats.hpp"
#include "io/table_columns.hpp"
#include "io/text_file.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

/// A column of text of which only all values tell whether it is labels or words.
struct TextColumn {
    std::size_t column = 0;
    std::vector<std::string> values{};
    std::unordered_set<std::size_t> quoted_blanks{};  ///< values that have blanks at their ends within quotes
    std::size_t known = 0;                            ///< values that are not missing
    std::size_t like_numbers = 0;                     ///< values such as "0.1%"
    std::uint64_t first_like_line = 0;                ///< line of the first of them
    std::string first_like{};

    /// No more than half as many values as rows that have one.
    [[nodiscard]] bool repeats() const {
        std::unordered_set<std::string_view> distinct;
        for (const std::string& value : values) {
            if (!is_unknown_label(trim(value))) {
                distinct.insert(trim(value));
            }
        }
        return 2 * distinct.size() <= known;
    }
};

struct Table {
    Dataset dataset;
    bool header = false;
};

class TableReader {
public:
    /// `points`: where the coordinates go, which may be nowhere.
    TableReader(ByteStream& stream, Format format, const ReadOptions& options, GrowingPoints points)
        : records_(stream, format, options), points_(std::move(points)), columns_(records_.columns()) {
        for (std::size_t column = 0; column < columns_.count(); ++column) {
            if (columns_.roles[column] == ColumnRole::Text) {
                texts_.push_back({column});
            }
        }
        label_column_ = columns_.find(ColumnRole::Label);
        dimension_ = columns_.dimension();
        put_right(options.columns);
    }

    Table read() {
        for (std::vector<std::string_view> fields; records_.next(fields);) {
            require_countable(records_.stream(), ++rows_);
            read_record(fields);
            records_.stream().require_memory(text_bytes_);
        }
        if (all_labels_are_numbers_ && first_fraction_ != 0) {
            fail_at(records_.stream(), first_fraction_, *label_column_,
                    in_quotes(fraction_) +
                        " stands where a label belongs, which is a whole number or text: is this a coordinate?");
        }
        Table table{std::move(points_).finish(static_cast<Index>(dimension_)), columns_.header};
        Dataset& data = table.dataset;
        data.notes = columns_.notes;
        settle_texts();
        settle_row_ids(data.notes);
        note_suspect(data.notes);
        data.labels = labels_.labels();
        data.label_names = labels_.names();
        data.words = std::move(words_);
        data.column_names = std::move(names_);
        return table;
    }

private:
    /// Coordinates are read into the places that columns of their names have elsewhere.
    void put_right(const ColumnNames& wanted) {
        names_ = columns_.coordinate_names();
        places_ = places_of(names_, wanted, records_.stream().source());
        if (!places_.empty()) {
            names_ = wanted.names;
            columns_.notes.emplace_back("its columns stand in another order than those of " + wanted.of +
                                        ": they are taken by their names");
        } else {
            places_.resize(dimension_);
            std::iota(places_.begin(), places_.end(), std::size_t{0});
        }
    }

    void read_record(const std::vector<std::string_view>& fields) {
        const std::span<float> row = points_.extend(dimension_);
        std::size_t coordinate = 0;
        std::size_t text = 0;
        for (std::size_t column = 0; column < fields.size(); ++column) {
            switch (columns_.roles[column]) {
                case ColumnRole::Coordinate: read_number(fields[column], column, row[places_[coordinate++]]); break;
                case ColumnRole::Word: keep_text(records_.as_written(column, fields[column]), words_); break;
                case ColumnRole::Label: read_label(fields[column]); break;
                case ColumnRole::Text: read_text(fields[column], texts_[text++]); break;
                case ColumnRole::RowId: keep_text(fields[column], row_ids_); break;
                case ColumnRole::Skipped: break;
            }
        }
    }

    void read_number(std::string_view field, std::size_t column, float& value) {
        const NumberFault fault = parse_float(field, value);
        if (fault != NumberFault::None) {
            records_.fail(column, trouble(fault, field, column));
        }
        if (column == columns_.suspect && value != std::trunc(value)) {
            columns_.suspect.reset();
        }
    }

    [[nodiscard]] Text trouble(NumberFault fault, std::string_view field, std::size_t column) const {
        const Text separators = separator_trouble(field, records_.delimiter());
        const Text misread = misread_trouble(field, records_.delimiter(), columns_.count());
        if (fault != NumberFault::OutOfRange && !misread.empty() && misread != separators) {
            return coordinate_trouble(columns_, column, field, misread);
        }
        if (fault == NumberFault::OutOfRange || !separators.empty()) {
            return {number_trouble(fault, field), separators};
        }
        if (kind_of(field) == FieldKind::Missing) {
            return {number_trouble(fault, field) + ": fill it in, remove the row, or leave the column out with ",
                    Text::option("skip-column"), " " + columns_.option_value(column)};
        }
        return {number_trouble(fault, field) + ": correct it, or, where the column is no coordinate, give ",
                column_options(columns_, column)};
    }

    void read_label(std::string_view field) {
        labels_.add(field);
        if (is_unknown_label(field)) {
            return;
        }
        float number = 0.0F;
        const bool is_number = parse_float(field, number) != NumberFault::NotANumber;
        all_labels_are_numbers_ = all_labels_are_numbers_ && is_number;
        if (first_fraction_ == 0 && is_number && !parse_integer(field)) {
            first_fraction_ = records_.line();
            fraction_ = field;
        }
    }

    void keep_text(std::string_view field, std::vector<std::string>& values) {
        const std::string& kept = values.emplace_back(field);
        const std::string here;  // short ones lie within the object
        text_bytes_ += 2 * sizeof(std::string) + (kept.capacity() > here.capacity() ? kept.capacity() : 0);
    }

    void read_text(std::string_view field, TextColumn& text) {
        keep_text(records_.as_written(text.column, field), text.values);
        if (trim(field) != field) {
            text.quoted_blanks.insert(text.values.size() - 1);
        }
        if (is_unknown_label(field)) {
            return;
        }
        if (kind_of(field) == FieldKind::Number) {
            records_.fail(text.column, in_quotes(field) + " is a number, but the column begins with text, " +
                                           in_quotes(text.values.front()) + ": correct one of them, or give " +
                                           column_options(columns_, text.column));
        }
        ++text.known;
        if (!notation_trouble(field).empty() && ++text.like_numbers == 1) {
            text.first_like = field;
            text.first_like_line = records_.line();
        }
    }

    /// Where most values look like numbers, the column is none of words.
    void require_no_numbers(const TextColumn& text) const {
        if (2 * text.like_numbers > text.known) {
            fail_at(records_.stream(), text.first_like_line, text.column,
                    coordinate_trouble(columns_, text.column, text.first_like, notation_trouble(text.first_like)));
        }
    }

    /// One column of text can be labels and one words.
    void settle_texts() {
        if (texts_.size() == 2 && texts_[0].repeats() == texts_[1].repeats()) {
            const std::string both =
                columns_.described(texts_[0].column) + " and " + columns_.described(texts_[1].column);
            records_.stream().fail(
                "", both +
                        (texts_[0].repeats() ? " hold text that repeats: one can be the labels"
                                             : " hold text that hardly repeats: one can be the words") +
                        "; name it, and leave the other out, with " + column_options(columns_, texts_[1].column));
        }
        for (TextColumn& text : texts_) {
            require_no_numbers(text);
            const bool words_taken = columns_.find(ColumnRole::Word).has_value();
            if (text.repeats() && !columns_.find(ColumnRole::Label)) {
                take_labels(text);
            } else if (!words_taken) {
                words_ = std::move(text.values);
                columns_.roles[text.column] = ColumnRole::Word;
            } else {
                records_.stream().fail("", columns_.described(text.column) +
                                               " holds text that hardly repeats, so it is no labels, and the words are "
                                               "in another column: give " +
                                               column_options(columns_, text.column));
            }
        }
    }

    void take_labels(const TextColumn& text) {
        for (std::size_t row = 0; row < text.values.size(); ++row) {
            const std::string& value = text.values[row];
            labels_.add(text.quoted_blanks.contains(row) ? std::string_view(value) : trim(value));
        }
        columns_.roles[text.column] = ColumnRole::Label;
    }

    /// The first number of rows is the words where there are none.
    void settle_row_ids(std::vector<Text>& notes) {
        for (std::size_t column = 0; column < columns_.count(); ++column) {
            if (columns_.roles[column] != ColumnRole::RowId) {
                continue;
            }
            const bool used = !columns_.find(ColumnRole::Word);
            notes.emplace_back(columns_.described(column) + " holds whole numbers under a name of row numbers: " +
                               (used ? "they are read as words, not as a coordinate" : "it is left out") +
                               "; where it is a coordinate, give it another name");
            if (used) {
                words_ = row_ids_of(column);
                columns_.roles[column] = ColumnRole::Word;
            }
        }
    }

    /// Where there are several such columns, each record has its values side by side.
    [[nodiscard]] std::vector<std::string> row_ids_of(std::size_t column) const {
        const auto begin = columns_.roles.begin();
        const auto each = static_cast<std::size_t>(std::count(begin, columns_.roles.end(), ColumnRole::RowId));
        const auto before =
            static_cast<std::size_t>(std::count(begin, begin + static_cast<std::ptrdiff_t>(column), ColumnRole::RowId));
        std::vector<std::string> values;
        for (std::size_t at = before; at < row_ids_.size(); at += each) {
            values.push_back(row_ids_[at]);
        }
        return values;
    }

    void note_suspect(std::vector<Text>& notes) const {
        if (columns_.suspect) {
            const std::string value = " " + columns_.option_value(*columns_.suspect);
            const Text as_labels{Text::option("label-column"), value + " or "};
            notes.push_back({columns_.described(*columns_.suspect) +
                                 " holds whole numbers and is read as a coordinate: if they are classes, give ",
                             columns_.find(ColumnRole::Label) ? Text() : as_labels, Text::option("skip-column"),
                             value});
        }
    }

    TableRecords records_;
    GrowingPoints points_;
    TableColumns columns_;
    std::optional<std::size_t> label_column_;
    std::size_t dimension_ = 0;
    std::vector<std::size_t> places_;  ///< place of each coordinate in its row
    std::vector<std::string> names_;
    LabelNumbers labels_;
    bool all_labels_are_numbers_ = true;
    std::uint64_t first_fraction_ = 0;  ///< line of the first label that is a number, but not whole; 0: none
    std::string fraction_;
    std::vector<TextColumn> texts_;
    std::vector<std::string> row_ids_;
    std::vector<std::string> words_;
    std::uint64_t rows_ = 0;
    std::uint64_t text_bytes_ = 0;
};

}  // namespace

Dataset read_table(ByteStream& stream, Format format, const ReadOptions& options) {
    return TableReader(stream, format, options, GrowingPoints(stream)).read().dataset;
}

FileInfo describe_table(ByteStream& stream, Format format, const ReadOptions& options) {
    Table table = TableReader(stream, format, options, GrowingPoints(GrowingPoints::Count())).read();
    FileInfo info;
    info.format = format;
    info.scalar = "text";
    info.shape = {table.dataset.points.count, table.dataset.points.dimension};
    info.has_words = !table.dataset.words.empty();
    info.has_labels = !table.dataset.labels.empty();
    info.has_header = table.header;
    info.notes = std::move(table.dataset.notes);
    return info;
}

}  // namespace isogon
