#pragma once
#include <string>
#include <vector>

#include "isogon/core/archive.hpp"
#include "isogon/core/points.hpp"
#include "isogon/io/dataset.hpp"

namespace isogon {

/// Whether names say no more than the places of their columns: 0, 1, 2 ... or x0, x1, x2 ..., from 0 or from 1.
[[nodiscard]] bool only_count(const std::vector<std::string>& names);

/// For each of the names `given` in `file` its place among the wanted ones. Empty where columns stay where they are:
/// the names are equal, or there are none on one side, or there only_count() is true and they are others. Throws
/// InputError that names what is missing and what is unexpected, unless one side is a permutation of the other without
/// a name twice. O(D).
[[nodiscard]] std::vector<std::size_t> places_of(const std::vector<std::string>& given, const ColumnNames& wanted,
                                                 const std::string& file);

/// Keeps the names of the columns of what was fitted, coded or indexed in its archive; nothing where there are none.
void add_column_names(Archive& archive, const std::vector<std::string>& names);

/// The names in the archive, or none. Throws InputError unless they are `dimension` texts.
[[nodiscard]] ColumnNames column_names_in(const Archive& archive, Index dimension);

}  // namespace isogon
