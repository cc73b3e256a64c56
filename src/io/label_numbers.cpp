#include "isogon/io/label_numbers.hpp"

#include "io/text_file.hpp"

namespace isogon {

void LabelNumbers::add(std::string_view text) {
    const auto whole = parse_integer(text);
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
        labels_.push_back(number_of(names.empty() ? std::to_string(label) : names[static_cast<std::size_t>(label)]));
    }
}

/// Whole numbers so far become names, their digits.
void LabelNumbers::name_all() {
    if (names_.empty()) {
        for (std::int64_t& label : labels_) {
            label = number_of(std::to_string(label));
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

}  // namespace isogon
