#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "io/array_reader.hpp"
#include "io/point_formats.hpp"
#include "io/table_columns.hpp"
#include "io/text_file.hpp"
#include "isogon/core/error.hpp"
#include "isogon/io/label_numbers.hpp"

namespace isogon {

namespace {

/// A column of text of which only all values tell whether it is labels or words.
struct TextColumn {
    std::size_t column = 0;
    std::vector<std::string> values{};
    std::uint64_t first_missing = 0;  ///< line of the first missing value; 0: none

    /// No more than half as many values as rows.
    [[nodiscard]] bool repeats() const {
        const std::unordered_set<std::string_view> distinct(values.begin(), values.end());
        return 2 * distinct.size() <= values.size();
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
    }

    Table read() {
        for (std::vector<std::string_view> fields; records_.next(fields);) {
            require_countable(records_.stream(), ++rows_);
            read_record(fields);
            records_.stream().require_memory(text_bytes_);
        }
        if (all_labels_are_numbers_ && first_fraction_ != 0) {
            fail_at(records_.stream(), first_fraction_, *columns_.find(ColumnRole::Label), label_trouble(fraction_));
        }
        Table table{std::move(points_).finish(static_cast<Index>(columns_.dimension())), columns_.header};
        Dataset& data = table.dataset;
        settle_texts();
        settle_row_ids(data.notes);
        note_suspect(data.notes);
        data.labels = labels_.labels();
        data.label_names = labels_.names();
        data.words = std::move(words_);
        data.column_names = columns_.coordinate_names();
        return table;
    }

private:
    void read_record(const std::vector<std::string_view>& fields) {
        const std::span<float> row = points_.extend(columns_.dimension());
        std::size_t coordinate = 0;
        std::size_t text = 0;
        for (std::size_t column = 0; column < fields.size(); ++column) {
            switch (columns_.roles[column]) {
                case ColumnRole::Coordinate: read_number(fields[column], column, row[coordinate++]); break;
                case ColumnRole::Word: keep_text(fields[column], words_); break;
                case ColumnRole::Label: read_label(fields[column], column); break;
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

    [[nodiscard]] std::string trouble(NumberFault fault, std::string_view field, std::size_t column) const {
        const std::string separators = separator_trouble(field, records_.delimiter());
        if (fault == NumberFault::OutOfRange || !separators.empty()) {
            return number_trouble(fault, field) + separators;
        }
        const bool missing = kind_of(field) == FieldKind::Missing;
        return number_trouble(fault, field) +
               (missing
                    ? ": fill it in, remove the row, or leave the column out with --skip-column " +
                          columns_.option_value(column)
                    : ": correct it, or, where the column is no coordinate, give " + column_options(columns_, column));
    }

    void read_label(std::string_view field, std::size_t column) {
        float number = 0.0F;
        const bool is_number = parse_float(field, number) != NumberFault::NotANumber;
        if (kind_of(field) == FieldKind::Missing || (is_number && std::isnan(number))) {
            records_.fail(column, label_trouble(field));
        }
        all_labels_are_numbers_ = all_labels_are_numbers_ && is_number;
        if (first_fraction_ == 0 && is_number && !parse_integer(field)) {
            first_fraction_ = records_.line();
            fraction_ = field;
        }
        labels_.add(field);
    }

    [[nodiscard]] static std::string label_trouble(std::string_view field) {
        const bool missing = field.empty() || kind_of(field) != FieldKind::Number || lower_case(field) == "nan";
        return missing ? (field.empty() ? "is empty" : in_quotes(field) + " stands") +
                             std::string(
                                 " where a label belongs: write a name for points without one, or remove the "
                                 "row")
                       : in_quotes(field) +
                             " stands where a label belongs, which is a whole number or text: is this a coordinate?";
    }

    void read_text(std::string_view field, TextColumn& text) {
        const FieldKind kind = kind_of(field);
        if (kind == FieldKind::Number) {
            records_.fail(text.column, in_quotes(field) + " is a number, but the column begins with text, " +
                                           in_quotes(text.values.front()) + ": correct one of them, or give " +
                                           column_options(columns_, text.column));
        }
        text.first_missing =
            kind == FieldKind::Missing && text.first_missing == 0 ? records_.line() : text.first_missing;
        keep_text(field, text.values);
    }

    void keep_text(std::string_view field, std::vector<std::string>& values) {
        const std::string& kept = values.emplace_back(field);
        const std::string here;  // short ones lie within the object
        text_bytes_ += 2 * sizeof(std::string) + (kept.capacity() > here.capacity() ? kept.capacity() : 0);
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
        if (text.first_missing != 0) {
            fail_at(records_.stream(), text.first_missing, text.column, label_trouble(""));
        }
        for (const std::string& value : text.values) {
            labels_.add(value);
        }
        columns_.roles[text.column] = ColumnRole::Label;
    }

    /// The first number of rows is the words where there are none.
    void settle_row_ids(std::vector<std::string>& notes) {
        for (std::size_t column = 0; column < columns_.count(); ++column) {
            if (columns_.roles[column] != ColumnRole::RowId) {
                continue;
            }
            const bool used = !columns_.find(ColumnRole::Word);
            notes.push_back(columns_.described(column) + " holds whole numbers under a name of row numbers: " +
                            (used ? "they are read as words, not as a coordinate" : "it is left out") +
                            "; where it is a coordinate, give it another name");
            if (used) {
                words_ = row_ids_of(column);
                columns_.roles[column] = ColumnRole::Word;
            }
        }
    }

    /// Of several such columns, each record has its values side by side.
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

    void note_suspect(std::vector<std::string>& notes) const {
        if (columns_.suspect) {
            const std::string value = columns_.option_value(*columns_.suspect);
            notes.push_back(columns_.described(*columns_.suspect) +
                            " holds whole numbers and is read as a coordinate: if they are classes, give " +
                            (columns_.find(ColumnRole::Label) ? "" : "--label-column " + value + " or ") +
                            "--skip-column " + value);
        }
    }

    TableRecords records_;
    GrowingPoints points_;
    TableColumns columns_;
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

namespace {

/// The same labels after one more.
LabelNumbers begun_with(std::string_view first, const LabelNumbers& labels) {
    LabelNumbers all;
    all.add(first);
    all.add(labels.labels(), labels.names());
    return all;
}

}  // namespace

Labels read_text_labels(ByteStream& stream) {
    RecordReader reader(stream, ',');
    std::vector<std::string_view> fields;
    LabelNumbers labels;
    std::string header;  // a first line of text, until another shows that it is a label
    while (reader.next(fields)) {
        if (fields.size() > 1) {
            reader.fail("has " + std::to_string(fields.size()) + " columns; labels are one a line");
        }
        const bool whole = parse_integer(fields[0]).has_value();
        if (!whole && kind_of(fields[0]) != FieldKind::Text) {
            reader.fail(fields[0].empty() ? "is empty where a label belongs"
                                          : in_quotes(fields[0]) + " is not a whole number, and no text");
        }
        if (reader.line() == 1 && !whole) {
            header = fields[0];
            continue;
        }
        if (!whole && !header.empty()) {
            labels = begun_with(header, labels);
            header.clear();
        }
        labels.add(fields[0]);
    }
    if (labels.labels().empty()) {
        stream.fail("", "holds no labels");
    }
    return {labels.labels(), labels.names()};
}

IntegerTable read_text_integers(ByteStream& stream, char delimiter) {
    RecordReader reader(stream, delimiter);
    std::vector<std::string_view> fields;
    IntegerTable table;
    while (reader.next(fields)) {
        table.columns = table.rows == 0 ? fields.size() : table.columns;
        if (fields.size() != table.columns) {
            reader.fail("has " + std::to_string(fields.size()) + " columns, but the first line has " +
                        std::to_string(table.columns));
        }
        for (std::size_t k = 0; k < fields.size(); ++k) {
            const auto value = parse_integer(fields[k]);
            if (!value) {
                reader.fail(k, in_quotes(fields[k]) + " is not a whole number");
            }
            table.values.push_back(*value);
        }
        ++table.rows;
    }
    if (table.rows == 0) {
        stream.fail("", "holds no numbers");
    }
    return table;
}

}  // namespace isogon
