#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/record_reader.hpp"
#include "isogon/io/dataset.hpp"

namespace isogon {

/// What the columns of a csv or tsv file are for.
struct TableColumns {
    bool header = false;  ///< the first record names the columns
    std::size_t count = 0;
    std::optional<std::size_t> label;
    std::optional<std::size_t> word;
    std::vector<std::string> names;  ///< of the columns that are coordinates; empty without a header

    [[nodiscard]] bool is_coordinate(std::size_t column) const { return column != label && column != word; }
    [[nodiscard]] std::size_t dimension() const { return count - (label ? 1 : 0) - (word ? 1 : 0); }
};

/// From the first record and what the caller said. Header::Detect takes the record for a header if none of its fields
/// is a number (chosen label and word columns aside), for data if all are, and throws InputError if it is mixed: a slip
/// in the data must not pass for a header. Throws InvalidArgument for a chosen column that is not there, or both the
/// same, and InputError when no coordinates remain.
[[nodiscard]] TableColumns find_columns(const RecordReader& reader, const std::vector<std::string_view>& first,
                                        const ReadOptions& options);

}  // namespace isogon
