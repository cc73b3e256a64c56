#include "io/table_columns.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "io/label_numbers.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

/// In any case.
bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), lower_case(text)) != words.end();
}

bool is_class_name(std::string_view text) {
    return is_one_of(text, {"label", "labels", "class", "target"});
}

bool is_id_name(std::string_view text) {
    return is_one_of(text, {"", "id", "index", "unnamed: 0"});
}

/// Where a list has a value first, if it does.
template <class Item, class Value>
std::optional<std::size_t> place_in(const std::vector<Item>& list, const Value& wanted) {
    const auto found = std::find(list.begin(), list.end(), wanted);
    return found == list.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - list.begin()));
}

}  // namespace

FieldKind kind_of(std::string_view field) {
    float value = 0.0F;
    if (parse_float(field, value) != NumberFault::NotANumber) {
        return FieldKind::Number;
    }
    return is_one_of(field, {"", "na", "<na>", "n/a", "null", "none", "?"}) ? FieldKind::Missing : FieldKind::Text;
}

bool has_a_role(std::string_view name) {
    return name == "word" || is_class_name(name) || is_id_name(name);
}

std::size_t TableColumns::dimension() const {
    return static_cast<std::size_t>(std::count(roles.begin(), roles.end(), ColumnRole::Coordinate));
}

std::optional<std::size_t> TableColumns::find(ColumnRole role) const {
    return place_in(roles, role);
}

std::vector<std::string> TableColumns::coordinate_names() const {
    std::vector<std::string> list;
    for (std::size_t column = 0; column < names.size(); ++column) {
        if (roles[column] == ColumnRole::Coordinate) {
            list.push_back(names[column]);
        }
    }
    return list;
}

std::string TableColumns::option_value(std::size_t column) const {
    // A name that is given twice means the first, one of digits may be meant as a number, and a shell splits others.
    const bool plain =
        !names.empty() && !names[column].empty() && kind_of(names[column]) == FieldKind::Text &&
        lower_case(names[column]).find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-.") == std::string::npos;
    return plain && place_in(names, names[column]) == column ? names[column] : std::to_string(column);
}

std::string TableColumns::described(std::size_t column) const {
    return "column " + std::to_string(column + 1) + (names.empty() ? "" : " (" + in_quotes(names[column]) + ")");
}

void fail_at(const ByteStream& stream, std::uint64_t line, std::size_t column, const Text& why) {
    stream.fail("line " + std::to_string(line) + ", column " + std::to_string(column + 1), why);
}

Text column_options(const TableColumns& columns, std::size_t column) {
    const std::string value = " " + columns.option_value(column);
    return {Text::option("label-column"), value + ", ", Text::option("word-column"), value + " or ",
            Text::option("skip-column"),  value};
}

Text coordinate_trouble(const TableColumns& columns, std::size_t column, std::string_view field, const Text& trouble) {
    return {(columns.names.empty() ? "" : in_quotes(columns.names[column]) + ": ") + in_quotes(field) +
                " stands where a number belongs",
            trouble, "; where the column is no coordinate, give ", column_options(columns, column)};
}

Text misread_trouble(std::string_view field, char delimiter, std::size_t columns) {
    const std::string notation = notation_trouble(field);
    const Text separators = separator_trouble(field, delimiter);
    return separators.empty() || (columns > 1 && !notation.empty()) ? Text(notation) : separators;
}

namespace {

using Fields = std::vector<std::string>;

std::optional<std::size_t> by_number(std::size_t count, std::string_view wanted) {
    std::size_t column = 0;
    const bool good = parse_all(wanted, column) == std::errc{} && column < count;
    return good ? std::optional(column) : std::nullopt;
}

/// So many evenly spaced numbers above others are no accident, whatever they are.
constexpr std::size_t surely_even = 8;

/// The first fields of a record, for a message.
std::string first_fields(const Fields& record) {
    std::string fields;
    for (std::size_t column = 0; column < record.size() && column < 8; ++column) {
        fields += (column > 0 ? ", " : "") + in_quotes(record[column]);
    }
    return fields + (record.size() > 8 ? ", ..." : "");
}

/// With a certain header, names have precedence over numbers. Otherwise a number is a column number, since a field of
/// the data may be the same text.
std::size_t resolve(const std::string& option, const std::string& wanted, const Fields& first, Header header) {
    const auto number = by_number(first.size(), wanted);
    const auto named = place_in(first, wanted);
    const bool by_name = named && (header == Header::Present || (!number && header != Header::Absent));
    const auto found = by_name ? named : number;
    if (!found) {
        throw InvalidArgument(option, wanted,
                              "must be a name in the first line (" + first_fields(first) + ") or a number from 0 to " +
                                  std::to_string(first.size() - 1));
    }
    return *found;
}

/// A column that an option names, as it was written.
struct NamedColumn {
    std::string option;
    std::string value;
    ColumnRole role = ColumnRole::Skipped;
};

std::vector<NamedColumn> named_columns(const ReadOptions& options) {
    std::vector<NamedColumn> list;
    if (options.label_column) {
        list.push_back({"label_column", *options.label_column, ColumnRole::Label});
    }
    if (options.word_column) {
        list.push_back({"word_column", *options.word_column, ColumnRole::Word});
    }
    for (const auto& value : options.skip_columns) {
        list.push_back({"skip_column", value, ColumnRole::Skipped});
    }
    return list;
}

class ColumnFinder {
public:
    ColumnFinder(const TableHead& head, const ReadOptions& options)
        : head_(head), options_(options), named_(head.first.size(), false) {
        columns_.roles.assign(head.first.size(), ColumnRole::Coordinate);
    }

    TableColumns find() {
        const auto named = named_columns(options_);
        obey(named);
        require_coordinates();
        columns_.header = options_.header == Header::Present || (options_.header == Header::Detect && detect_header());
        require_names_in_header(named);
        if (columns_.header) {
            require_no_nul();
            columns_.names = head_.first;
            follow_names();
        }
        take_text();
        settle_text();
        require_coordinates();
        return std::move(columns_);
    }

private:
    [[nodiscard]] bool is_free(std::size_t column) const {
        return !named_[column] && columns_.roles[column] == ColumnRole::Coordinate;
    }
    [[nodiscard]] std::size_t count() const { return head_.first.size(); }
    [[nodiscard]] bool has(ColumnRole role) const { return columns_.find(role).has_value(); }

    void require_coordinates() const {
        if (columns_.dimension() == 0) {
            head_.stream.fail("line " + std::to_string(head_.first_line),
                              "has no column of numbers beside the labels and words");
        }
    }

    void obey(const std::vector<NamedColumn>& named) {
        for (const auto& [option, value, role] : named) {
            const std::size_t column = resolve(option, value, head_.first, options_.header);
            if (named_[column]) {
                const ColumnRole before = columns_.roles[column];
                throw InvalidArgument(option, value,
                                      before == ColumnRole::Label  ? "must not be the column of the labels"
                                      : before == ColumnRole::Word ? "must not be the column of the words"
                                                                   : "is named twice");
            }
            named_[column] = true;
            columns_.roles[column] = role;
        }
    }

    /// A name that was found in a record of data is not a column name.
    void require_names_in_header(const std::vector<NamedColumn>& named) const {
        for (const auto& [option, value, role] : named) {
            if (!columns_.header) {
                static_cast<void>(resolve(option, value, head_.first, Header::Absent));
            }
        }
    }

    /// Names are kept in archives, where a zero byte ends them.
    void require_no_nul() const {
        for (std::size_t column = 0; column < count(); ++column) {
            if (head_.first[column].find('\0') != std::string::npos) {
                fail_at(head_.stream, head_.first_line, column, "the name holds a zero byte; is this a text file?");
            }
        }
    }

    bool detect_header() {
        std::optional<std::size_t> number;
        std::optional<std::size_t> text;
        for (std::size_t column = 0; column < count(); ++column) {
            if (is_free(column)) {
                (kind_of(head_.first[column]) == FieldKind::Number ? number : text) = column;
            }
        }
        const bool percent = text && !notation_trouble(head_.first[*text]).empty();
        const Text trouble = text && !percent ? separator_trouble(head_.first[*text], head_.delimiter) : Text();
        if (!trouble.empty()) {
            fail_at(
                head_.stream, head_.first_line, *text,
                {in_quotes(head_.first[*text]) + " stands where a number or the name of a column belongs", trouble});
        }
        if (number && names_count(text.has_value())) {
            columns_.notes.push_back({"line " + std::to_string(head_.first_line) + " (" + first_fields(head_.first) +
                                          ") is read as the names of the columns; if it is data, give ",
                                      Text::option("header"), " absent"});
            return true;
        }
        if (number && text && !is_data_like_the_second()) {
            fail_at(head_.stream, head_.first_line, *text,
                    {in_quotes(head_.first[*text]) + " is text, but column " + std::to_string(*number + 1) +
                         " is a number: if this line names the columns, give ",
                     Text::option("header"), " present; if it is data, give ", Text::option("header"),
                     " absent, and where the column is text ", column_options(columns_, *text)});
        }
        return text && !number;
    }

    /// Columns whose field in the first record is a number that no option speaks of.
    [[nodiscard]] std::vector<std::size_t> numbers_in_first() const {
        std::vector<std::size_t> numbers;
        for (std::size_t column = 0; column < count(); ++column) {
            if (is_free(column) && kind_of(head_.first[column]) == FieldKind::Number) {
                numbers.push_back(column);
            }
        }
        return numbers;
    }

    /// Whether the numbers of the first record are names that count from 0 or 1. Throws InputError if they may be
    /// other names, as years are.
    [[nodiscard]] bool names_count(bool with_text) const {
        const std::vector<std::size_t> numbers = numbers_in_first();
        const Fields& first = head_.first;
        const Fields& second = head_.second;
        const std::size_t m = numbers.size();
        if (second.size() != count()) {
            return false;
        }
        const std::size_t start = first[numbers.front()] == "1" ? 1 : 0;
        bool counts = true;
        bool whole = true;
        bool fractions = true;
        for (std::size_t k = 0; k < m; ++k) {
            const std::string& field = first[numbers[k]];
            counts = counts && field == std::to_string(start + k);
            whole = whole && field.find_first_not_of("0123456789") == std::string::npos;
            fractions = fractions && second[numbers[k]].find_first_of(".eEnN") != std::string::npos;
        }
        const bool unlike = whole && fractions;  // data is written otherwise
        const bool series =
            m > 2 && !unlike && (start == 1 || second != first) &&
            (is_even(second, numbers) || is_shifted(first, second, numbers) || is_shifted(second, first, numbers));
        if (counts) {
            return (m > 2 && !series) || (m == 2 && unlike) || (with_text && start == 0 && has_known_name());
        }
        if (!with_text && !series && m > 2 && (m >= surely_even || unlike) && is_even(first, numbers)) {
            head_.stream.fail(
                "line " + std::to_string(head_.first_line),
                {first_fields(first) + " are evenly spaced, and the next line is not: if these are the names of the "
                                       "columns, give ",
                 Text::option("header"), " present; if they are data, give ", Text::option("header"), " absent"});
        }
        return false;
    }

    /// Whether the numbers of a record are those of another, one place to the right: a table of distances along a line.
    [[nodiscard]] static bool is_shifted(const Fields& record, const Fields& other,
                                         const std::vector<std::size_t>& numbers) {
        return std::ranges::adjacent_find(numbers, [&](std::size_t column, std::size_t next) {
                   return record[column] != other[next];
               }) == numbers.end();
    }

    /// Whether the numbers of a record have equal steps other than 0.
    [[nodiscard]] static bool is_even(const Fields& record, const std::vector<std::size_t>& numbers) {
        std::vector<double> values(numbers.size());
        for (std::size_t k = 0; k < numbers.size(); ++k) {
            if (parse_double(record[numbers[k]], values[k]) != NumberFault::None) {
                return false;
            }
        }
        const double step = (values.back() - values.front()) / static_cast<double>(values.size() - 1);
        return step != 0.0 && std::ranges::adjacent_find(values, [&](double value, double next) {
                                  return !(std::abs(next - value - step) <= 1e-6 * std::abs(step));
                              }) == values.end();
    }

    /// A field of text in the first record that is a name which columns of labels, words and row numbers have.
    [[nodiscard]] bool has_known_name() const {
        for (std::size_t column = 0; column < count(); ++column) {
            const std::string& name = head_.first[column];
            if (is_free(column) && has_a_role(name) && !(name.empty() && head_.second[column].empty())) {
                return true;
            }
        }
        return false;
    }

    /// Numbers and text stand in the same places in both records, and the numbers do not count, as 0, 1, 2 or 1990,
    /// 1991 do where they name columns.
    [[nodiscard]] bool is_data_like_the_second() const {
        if (head_.second.size() != count()) {
            return false;
        }
        std::vector<double> numbers;
        for (std::size_t column = 0; column < count(); ++column) {
            const bool is_number = kind_of(head_.first[column]) == FieldKind::Number;
            if (is_free(column) && is_number != (kind_of(head_.second[column]) == FieldKind::Number)) {
                return false;
            }
            if (is_free(column) && is_number) {
                static_cast<void>(parse_double(head_.first[column], numbers.emplace_back()));
            }
        }
        const auto gap = std::adjacent_find(numbers.begin(), numbers.end(),
                                            [](double number, double next) { return next != number + 1.0; });
        return numbers.size() < 2 || gap != numbers.end();
    }

    /// The field of the first record of data; a whole number where there is none.
    [[nodiscard]] std::string_view data(std::size_t column) const {
        const Fields& record = columns_.header ? head_.second : head_.first;
        return record.size() == count() ? std::string_view(record[column]) : "0";
    }

    [[nodiscard]] std::uint64_t data_line() const { return columns_.header ? head_.second_line : head_.first_line; }

    void follow_names() {
        // Looked up once: there may be a million columns.
        bool words = has(ColumnRole::Word);
        bool labels = has(ColumnRole::Label);
        for (std::size_t column = 0; column < count(); ++column) {
            const std::string& name = columns_.names[column];
            const bool unknown = is_unknown_label(data(column));
            const bool whole = parse_integer(data(column)).has_value();
            const bool text = kind_of(data(column)) == FieldKind::Text;
            ColumnRole& role = columns_.roles[column];
            if (!is_free(column)) {
                continue;
            }
            if (name == "word" && !words) {
                role = ColumnRole::Word;
                words = true;
            } else if (!labels && (((text || unknown) && is_class_name(name)) || (whole && name == "label"))) {
                role = ColumnRole::Label;
                labels = true;
            } else if (whole && is_id_name(name)) {
                role = ColumnRole::RowId;
            } else if (whole && is_class_name(name)) {
                columns_.suspect = column;
            }
        }
    }

    void take_text() {
        for (std::size_t column = 0; column < count(); ++column) {
            if (!is_free(column) || kind_of(data(column)) != FieldKind::Text) {
                continue;
            }
            const Text trouble = misread_trouble(data(column), head_.delimiter, count());
            if (!trouble.empty()) {
                fail_at(head_.stream, data_line(), column, coordinate_trouble(columns_, column, data(column), trouble));
            }
            columns_.roles[column] = ColumnRole::Text;
        }
    }

    void settle_text() {
        const auto texts =
            static_cast<std::size_t>(std::count(columns_.roles.begin(), columns_.roles.end(), ColumnRole::Text));
        const std::size_t open = (has(ColumnRole::Label) ? 0U : 1U) + (has(ColumnRole::Word) ? 0U : 1U);
        if (texts <= (options_.skip_text ? 0 : open)) {
            return;
        }
        std::string list;
        std::size_t last = 0;
        for (std::size_t column = 0; column < count(); ++column) {
            if (columns_.roles[column] == ColumnRole::Text) {
                list += (list.empty() ? "" : ", ") + columns_.described(column);
                last = column;
            }
        }
        if (options_.skip_text) {
            std::ranges::replace(columns_.roles, ColumnRole::Text, ColumnRole::Skipped);
            columns_.notes.emplace_back("text is left out: " + list);
            return;
        }
        fail_at(head_.stream, data_line(), last,
                {in_quotes(data(last)) + " is text; of the columns of text (" + list +
                     ") one can be labels and one words: name these, and leave the others out, with ",
                 column_options(columns_, last), "; or all, with ", Text::option("skip-text")});
    }

    const TableHead& head_;
    const ReadOptions& options_;
    std::vector<bool> named_;  ///< by an option
    TableColumns columns_;
};

}  // namespace

TableColumns find_columns(const TableHead& head, const ReadOptions& options) {
    return ColumnFinder(head, options).find();
}

}  // namespace isogon
