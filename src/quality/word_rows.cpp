#include "quality/word_rows.hpp"

#include <algorithm>

namespace isogon {

namespace {

/// Of ASCII alone: other alphabets would need a table and a language.
std::string lower_case(std::string_view word) {
    std::string lower(word);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return lower;
}

}  // namespace

WordRows::WordRows(std::span<const std::string> words) {
    rows_.reserve(words.size());
    first_rows_.reserve(words.size());
    for (Index row = 0; row < words.size(); ++row) {
        if (rows_.emplace(words[row], row).second) {
            first_rows_.push_back(row);
        }
    }
}

std::optional<Index> WordRows::find(std::string_view word) const {
    const auto row = find_exactly(word);
    return row ? row : find_exactly(lower_case(word));
}

std::optional<Index> WordRows::find_exactly(std::string_view word) const {
    const auto found = rows_.find(word);
    return found == rows_.end() ? std::nullopt : std::optional(found->second);
}

std::uint64_t WordRows::bytes(std::size_t words) {
    // A node holds its value, its hash, and a pointer to the next; a bucket is a pointer. The system rounds up.
    constexpr std::uint64_t node = sizeof(std::pair<std::string_view, Index>) + 3 * sizeof(void*);
    constexpr std::uint64_t bucket = 2 * sizeof(void*);
    return words * (node + bucket + sizeof(Index));
}

}  // namespace isogon
