#include <algorithm>

#include "io/table_columns.hpp"
#include "io/text_file.hpp"

namespace isogon {

namespace {

/// Fields with the blanks around them; none if no field has any, nor a decimal comma.
std::vector<std::string> fields_as_written(const RecordReader& reader, const std::vector<std::string_view>& fields) {
    std::vector<std::string> list(fields.size());
    bool differs = reader.delimiter() == ';';
    for (std::size_t column = 0; column < fields.size(); ++column) {
        list[column] = reader.with_blanks(fields[column]);
        differs = differs || list[column].size() != fields[column].size();
    }
    return differs ? list : std::vector<std::string>();
}

/// Whether the first record names all columns of the second but the first one, which holds names or numbers of rows.
bool lacks_first_name(const TableHead& head, Header header) {
    return head.second.size() == head.first.size() + 1 && header != Header::Absent &&
           (kind_of(head.second.front()) == FieldKind::Text || parse_integer(head.second.front())) &&
           std::ranges::none_of(head.first, [](const auto& field) { return kind_of(field) != FieldKind::Text; });
}

}  // namespace

TableRecords::TableRecords(ByteStream& stream, Format format, const ReadOptions& options)
    : reader_(stream, format == Format::Tsv ? '\t' : csv_delimiter(stream)), head_{stream, reader_.delimiter()} {
    read_head(options);
    columns_ = find_columns(head_, options);
    if (columns_.header && head_.second.empty()) {
        stream.fail("", "holds a header, but no records of data");
    }
    next_ = columns_.header ? 1 : 0;
}

void TableRecords::read_head(const ReadOptions& options) {
    const auto has_point = [](std::string_view field) {
        return field.find('.') != std::string_view::npos && kind_of(field) == FieldKind::Number;
    };
    std::vector<std::string_view> fields;
    if (!reader_.next(fields)) {
        head_.stream.fail("", "holds no lines but blank ones");
    }
    decimal_point_ = reader_.delimiter() == ';' && std::ranges::none_of(fields, has_point) ? ',' : '.';
    first_as_written_ = fields_as_written(reader_, fields);
    blanks_are_style_ =
        first_as_written_.size() > 1 && std::all_of(first_as_written_.begin() + 1, first_as_written_.end(),
                                                    [](const std::string& field) { return field.starts_with(' '); });
    point_decimals(fields);
    head_.first.assign(fields.begin(), fields.end());
    head_.first_line = reader_.line();
    if (!reader_.next(fields)) {
        return;
    }
    decimal_point_ = std::ranges::any_of(fields, has_point) ? '.' : decimal_point_;
    second_as_written_ = fields_as_written(reader_, fields);
    point_decimals(fields);
    head_.second.assign(fields.begin(), fields.end());
    head_.second_line = reader_.line();
    if (lacks_first_name(head_, options.header)) {
        head_.first.insert(head_.first.begin(), "");
    }
}

/// Numbers between semicolons get decimal points.
void TableRecords::point_decimals(std::vector<std::string_view>& fields) {
    if (reader_.delimiter() != ';') {
        return;
    }
    as_read_ = fields;
    pointed_.resize(fields.size());
    for (std::size_t column = 0; column < fields.size(); ++column) {
        pointed_[column] = with_decimal_point(fields[column]);
        fields[column] = pointed_[column].empty() ? fields[column] : pointed_[column];
    }
}

std::string_view TableRecords::as_written(std::size_t column, std::string_view field) const {
    if (line_ == head_.first_line || line_ == head_.second_line) {
        const auto& head = line_ == head_.first_line ? first_as_written_ : second_as_written_;
        const std::string_view written = head.empty() ? field : std::string_view(head[column]);
        return blanks_are_style_ ? trim(written) : written;
    }
    const std::string_view read = as_read_.empty() ? field : as_read_[column];
    return blanks_are_style_ ? read : reader_.with_blanks(read);
}

bool TableRecords::next(std::vector<std::string_view>& fields) {
    if (next_ < 2) {
        const auto& record = next_ == 0 ? head_.first : head_.second;
        line_ = next_ == 0 ? head_.first_line : head_.second_line;
        ++next_;
        fields.assign(record.begin(), record.end());
        if (record.empty()) {
            return false;
        }
    } else if (!reader_.next(fields)) {
        return false;
    } else {
        line_ = reader_.line();
        point_decimals(fields);
    }
    if (fields.size() != columns_.count()) {
        head_.stream.fail("line " + std::to_string(line_), "has " + std::to_string(fields.size()) +
                                                               " columns, but the first line has " +
                                                               std::to_string(columns_.count()));
    }
    return true;
}

}  // namespace isogon
