#include "isogon/report/classes.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace isogon {

namespace {

/// The place of each label among the different ones, which come in ascending order.
template <class Label>
std::vector<Label> sorted_labels(std::span<const Label> labels, std::vector<std::uint32_t>& index) {
    std::vector<Label> different(labels.begin(), labels.end());
    std::sort(different.begin(), different.end());
    different.erase(std::unique(different.begin(), different.end()), different.end());
    index.reserve(labels.size());
    for (const Label& label : labels) {
        const auto place = std::lower_bound(different.begin(), different.end(), label);
        index.push_back(static_cast<std::uint32_t>(place - different.begin()));
    }
    return different;
}

/// The number that a text is, if it is spelled as that number is.
std::optional<std::int64_t> number_of(const std::string& text) {
    std::int64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && stop == end && std::to_string(number) == text ? std::optional(number) : std::nullopt;
}

std::optional<std::vector<std::int64_t>> numbers_of(std::span<const std::string> labels) {
    std::vector<std::int64_t> numbers;
    numbers.reserve(labels.size());
    for (const std::string& label : labels) {
        const auto number = number_of(label);
        if (!number) {
            return std::nullopt;
        }
        numbers.push_back(*number);
    }
    return numbers;
}

}  // namespace

Classes classes_of(std::span<const std::int64_t> labels) {
    Classes classes;
    for (const std::int64_t label : sorted_labels(labels, classes.index)) {
        classes.names.push_back(std::to_string(label));
    }
    return classes;
}

Classes classes_of(std::span<const std::string> labels) {
    if (const auto numbers = numbers_of(labels)) {
        return classes_of(std::span<const std::int64_t>(*numbers));
    }
    Classes classes;
    classes.names = sorted_labels(labels, classes.index);
    return classes;
}

Classes classes_of(const Classes& all, std::span<const std::uint32_t> chosen) {
    Classes classes{all.names, {}};
    classes.index.reserve(chosen.size());
    for (const std::uint32_t point : chosen) {
        classes.index.push_back(all.index.at(point));
    }
    return classes;
}

}  // namespace isogon
