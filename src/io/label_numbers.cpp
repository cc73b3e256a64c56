#include "io/label_numbers.hpp"

#include <algorithm>
#include <array>

#include "io/point_formats.hpp"
#include "io/table_columns.hpp"
#include "io/text_file.hpp"
#include "isogon/io/dataset.hpp"

namespace isogon {

bool is_unknown_text(std::string_view text) {
    constexpr std::array<std::string_view, 9> unknown{"", "nan", "na", "<na>", "n/a", "nat", "none", "null", "?"};
    constexpr std::size_t longest = 4;
    return text.size() <= longest && std::find(unknown.begin(), unknown.end(), lower_case(text)) != unknown.end();
}

bool is_unknown_label(std::string_view text) {
    return is_unknown_text(text) || (text.starts_with('-') && parse_integer(text).value_or(0) < 0);
}

void LabelNumbers::add(std::string_view text) {
    const auto whole = parse_integer(text);
    if (is_unknown_label(text)) {
        labels_.push_back(whole && names_.empty() ? *whole : unknown_label);
        return;
    }
    if (whole && names_.empty()) {
        labels_.push_back(*whole);
        return;
    }
    name_all();
    labels_.push_back(number_of(whole ? std::to_string(*whole) : std::string(text)));
}

void LabelNumbers::add(std::span<const std::int64_t> labels, std::span<const std::string> names) {
    if (names.empty() && names_.empty()) {
        labels_.insert(labels_.end(), labels.begin(), labels.end());
        return;
    }
    name_all();
    labels_.reserve(labels_.size() + labels.size());
    for (const std::int64_t label : labels) {
        labels_.push_back(
            label < 0 ? unknown_label
                      : number_of(names.empty() ? std::to_string(label) : names[static_cast<std::size_t>(label)]));
    }
}

/// Whole numbers so far become names, their digits.
void LabelNumbers::name_all() {
    if (names_.empty()) {
        for (std::int64_t& label : labels_) {
            label = label < 0 ? unknown_label : number_of(std::to_string(label));
        }
    }
}

std::int64_t LabelNumbers::number_of(const std::string& name) {
    const auto [place, added] = numbers_.try_emplace(name, static_cast<std::int64_t>(names_.size()));
    if (added) {
        names_.push_back(name);
    }
    return place->second;
}

namespace {

/// The label of a line. A text that is no table may have commas in a name.
std::string_view label_of(const RecordReader& reader, const std::vector<std::string_view>& fields) {
    if (fields.size() == 1) {
        return fields[0];
    }
    const auto format = format_from_name(reader.source());
    const bool table = format == Format::Csv || format == Format::Tsv;
    const bool numbers = std::all_of(fields.begin(), fields.end(),
                                     [](std::string_view field) { return kind_of(field) == FieldKind::Number; });
    if (table || numbers) {
        reader.fail("has " + std::to_string(fields.size()) + " columns; labels are one a line");
    }
    return trim(reader.text());
}

}  // namespace

Labels read_text_labels(ByteStream& stream) {
    RecordReader reader(stream, ',', RecordReader::Blank::Record);
    std::vector<std::string_view> fields;
    LabelNumbers labels;
    std::string header;  // a first line of text, until another shows that it is a label
    while (reader.next(fields)) {
        const std::string_view label = label_of(reader, fields);
        const bool whole = parse_integer(label).has_value();
        const bool unknown = is_unknown_label(label);
        if (!whole && !unknown && kind_of(label) == FieldKind::Number) {
            reader.fail(in_quotes(label) + " is not a whole number, and no text");
        }
        if (reader.line() == 1 && !whole && !unknown) {
            header = label;
            continue;
        }
        if (!whole && !unknown && !header.empty()) {
            LabelNumbers all;
            all.add(header);
            all.add(labels.labels(), labels.names());
            labels = std::move(all);
            header.clear();
        }
        labels.add(label);
    }
    if (labels.labels().empty()) {
        stream.fail("", "holds no labels");
    }
    return {labels.labels(), labels.names()};
}

Labels numbered_labels(std::span<const std::string> texts) {
    LabelNumbers numbers;
    for (const std::string& text : texts) {
        numbers.add(text);
    }
    return {numbers.labels(), numbers.names()};
}

}  // namespace isogon
