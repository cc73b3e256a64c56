#include "io/table_columns.hpp"

#include <charconv>

#include "io/number_text.hpp"
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

/// Where a header is certain, its names come first; where it is not, a number is a number: a field of the data could
/// happen to read the same.
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
    // A name that was found in what turns out to be data is no name.
    for (const auto* option : {&options.label_column, &options.word_column}) {
        if (*option && !by_number(first.size(), **option)) {
            refuse_missing(option == &options.label_column ? "label_column" : "word_column", **option, first);
        }
    }
    return columns;
}

}  // namespace isogon
