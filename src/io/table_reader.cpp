#include "io/table_reader.hpp"

#include "io/growing_points.hpp"
#include "io/number_text.hpp"
#include "io/record_reader.hpp"
#include "io/table_columns.hpp"

namespace isogon {

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
