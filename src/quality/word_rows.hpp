#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "isogon/core/types.hpp"

namespace isogon {

/// The row of each word; of one that comes twice the first. Views the words, which must outlive it.
class WordRows {
public:
    explicit WordRows(std::span<const std::string> words);

    /// The row of this word, else that of the word with A-Z made small, else none.
    [[nodiscard]] std::optional<Index> find(std::string_view word) const;
    /// The rows of words that no earlier row has, ascending.
    [[nodiscard]] const std::vector<Index>& first_rows() const { return first_rows_; }

    /// Bytes that rows of so many words take, a little more than less.
    [[nodiscard]] static std::uint64_t bytes(std::size_t words);

private:
    [[nodiscard]] std::optional<Index> find_exactly(std::string_view word) const;

    std::unordered_map<std::string_view, Index> rows_;
    std::vector<Index> first_rows_;
};

}  // namespace isogon
