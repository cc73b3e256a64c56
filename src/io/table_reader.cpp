#include "io/point_formats.hpp"

#include <charconv>

#include "io/array_reader.hpp"
#include "io/text_file.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

bool is_number(std::string_view text) {
    float value = 0.0F;
    return parse_float(text, value) != NumberFault::NotANumber;
}

std::optional<std::size_t> by_name(const std::vector<std::string_view>& fields, std::string_view wanted) {
    for (std::size_t column = 0; column < fields.size(); ++column) {
        if (fields[column] == wanted) {
            return column;
        }
    }
    return std::nullopt;
}

std::optional<std::size_t> by_number(std::size_t count, std::string_view wanted) {
    std::size_t column = 0;
    const char* end = wanted.data() + wanted.size();
    const auto parsed = std::from_chars(wanted.data(), end, column);
    const bool good = parsed.ec == std::errc{} && parsed.ptr == end && column < count;
    return good ? std::optional(column) : std::nullopt;
}

/// With a certain header, names have precedence over numbers. Otherwise a number is a column number, since a field of
/// the data may be the same text.
std::optional<std::size_t> resolve(const std::optional<std::string>& wanted, const std::vector<std::string_view>& first,
                                   Header header) {
    if (!wanted) {
        return std::nullopt;
    }
    const auto number = by_number(first.size(), *wanted);
    const auto named = by_name(first, *wanted);
    return header == Header::Present && named ? named : number ? number : header == Header::Absent ? number : named;
}

[[noreturn]] void refuse_missing(const std::string& option, const std::string& wanted,
                                 const std::vector<std::string_view>& first) {
    std::string fields;
    for (std::size_t column = 0; column < first.size() && column < 8; ++column) {
        fields += (column > 0 ? ", " : "") + in_quotes(first[column]);
    }
    throw InvalidArgument(option, wanted,
                          "must be a name in the first line (" + fields + (first.size() > 8 ? ", ..." : "") +
                              ") or a number from 0 to " + std::to_string(first.size() - 1));
}

void require_found(const std::string& option, const std::optional<std::string>& wanted,
                   const std::optional<std::size_t>& found, const std::vector<std::string_view>& first) {
    if (wanted && !found) {
        refuse_missing(option, *wanted, first);
    }
}

bool detect_header(const RecordReader& reader, const std::vector<std::string_view>& first,
                   const TableColumns& columns) {
    std::optional<std::size_t> number;
    std::optional<std::size_t> text;
    for (std::size_t column = 0; column < first.size(); ++column) {
        if (columns.is_coordinate(column)) {
            (is_number(first[column]) ? number : text) = column;
        }
    }
    const std::string trouble = text ? separator_trouble(first[*text], reader.delimiter()) : "";
    if (!trouble.empty()) {
        reader.fail(*text,
                    in_quotes(first[*text]) + " stands where a number or the name of a column belongs" + trouble);
    }
    if (number && text) {
        reader.fail(*text,
                    in_quotes(first[*text]) + " is text, but column " + std::to_string(*number + 1) +
                        " is a number: say whether this line is a header, and which column holds words or labels");
    }
    return text.has_value();
}

void name_columns(const std::vector<std::string_view>& first, TableColumns& columns) {
    for (std::size_t column = 0; column < first.size(); ++column) {
        if (columns.is_coordinate(column)) {
            columns.names.emplace_back(first[column]);
        }
    }
}

}  // namespace

TableColumns find_columns(const RecordReader& reader, const std::vector<std::string_view>& first,
                          const ReadOptions& options) {
    TableColumns columns;
    columns.count = first.size();
    columns.label = resolve(options.label_column, first, options.header);
    columns.word = resolve(options.word_column, first, options.header);
    require_found("label_column", options.label_column, columns.label, first);
    require_found("word_column", options.word_column, columns.word, first);
    if (columns.label && columns.label == columns.word) {
        throw InvalidArgument("word_column", *options.word_column, "must not be the column of the labels");
    }
    if (columns.dimension() == 0) {
        reader.fail("has no column of numbers beside the labels and words");
    }
    columns.header = options.header == Header::Present ||
                     (options.header == Header::Detect && detect_header(reader, first, columns));
    if (columns.header) {
        name_columns(first, columns);
        return columns;
    }
    // A name that was found in a record of data is not a column name.
    for (const auto* option : {&options.label_column, &options.word_column}) {
        if (*option && !by_number(first.size(), **option)) {
            refuse_missing(option == &options.label_column ? "label_column" : "word_column", **option, first);
        }
    }
    return columns;
}

namespace {

struct Table {
    Dataset dataset;
    bool header = false;
};

class TableReader {
public:
    TableReader(ByteStream& stream, Format format, const ReadOptions& options)
        : reader_(stream, format == Format::Tsv ? '\t' : ','), points_(stream) {
        if (!reader_.next(fields_)) {
            stream.fail("", "holds no lines but blank ones");
        }
        columns_ = find_columns(reader_, fields_, options);
    }

    Table read() {
        bool more = !columns_.header || reader_.next(fields_);
        if (!more) {
            reader_.stream().fail("", "holds a header, but no points");
        }
        while (more) {
            require_countable(reader_.stream(), ++rows_);
            read_record();
            more = reader_.next(fields_);
        }
        Table table{std::move(points_).finish(static_cast<Index>(columns_.dimension())), columns_.header};
        table.dataset.labels = std::move(labels_);
        table.dataset.words = std::move(words_);
        table.dataset.column_names = std::move(columns_.names);
        return table;
    }

private:
    void read_record() {
        if (fields_.size() != columns_.count) {
            reader_.fail("has " + std::to_string(fields_.size()) + " columns, but the first line has " +
                         std::to_string(columns_.count));
        }
        const std::span<float> row = points_.extend(columns_.dimension());
        std::size_t coordinate = 0;
        for (std::size_t column = 0; column < fields_.size(); ++column) {
            if (column == columns_.word) {
                words_.emplace_back(fields_[column]);
            } else if (column == columns_.label) {
                labels_.push_back(label(column));
            } else {
                read_number(column, row[coordinate++]);
            }
        }
    }

    void read_number(std::size_t column, float& value) const {
        const NumberFault fault = parse_float(fields_[column], value);
        if (fault != NumberFault::None) {
            reader_.fail(column, number_trouble(fault, fields_[column]) +
                                     separator_trouble(fields_[column], reader_.delimiter()));
        }
    }

    [[nodiscard]] std::int64_t label(std::size_t column) const {
        const auto value = parse_integer(fields_[column]);
        if (!value) {
            reader_.fail(column, in_quotes(fields_[column]) + " stands where a label belongs, which is a whole number");
        }
        return *value;
    }

    RecordReader reader_;
    GrowingPoints points_;
    TableColumns columns_;
    std::vector<std::string_view> fields_;
    std::vector<std::int64_t> labels_;
    std::vector<std::string> words_;
    std::uint64_t rows_ = 0;
};

}  // namespace

Dataset read_table(ByteStream& stream, Format format, const ReadOptions& options) {
    return TableReader(stream, format, options).read().dataset;
}

FileInfo describe_table(ByteStream& stream, Format format, const ReadOptions& options) {
    const Table table = TableReader(stream, format, options).read();
    FileInfo info;
    info.format = format;
    info.scalar = "text";
    info.shape = {table.dataset.points.count, table.dataset.points.dimension};
    info.has_words = !table.dataset.words.empty();
    info.has_header = table.header;
    return info;
}

std::vector<std::int64_t> read_text_labels(ByteStream& stream) {
    RecordReader reader(stream, ',');
    std::vector<std::string_view> fields;
    std::vector<std::int64_t> labels;
    while (reader.next(fields)) {
        const auto label = fields.size() == 1 ? parse_integer(fields[0]) : std::nullopt;
        float number = 0.0F;
        const bool header =
            reader.line() == 1 && fields.size() == 1 && parse_float(fields[0], number) == NumberFault::NotANumber;
        if (!label && !header) {
            reader.fail(fields.size() > 1 ? "has " + std::to_string(fields.size()) + " columns; labels are one a line"
                                          : in_quotes(fields[0]) + " is not a whole number");
        }
        if (label) {
            labels.push_back(*label);
        }
    }
    if (labels.empty()) {
        stream.fail("", "holds no labels");
    }
    return labels;
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
