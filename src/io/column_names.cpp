#include "io/column_names.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "io/text_file.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

bool only_count(const std::vector<std::string>& names) {
    if (names.empty()) {
        return false;
    }
    const std::string prefix = names.front().starts_with('x') ? "x" : "";
    const std::size_t start = names.front() == prefix + "1" ? 1 : 0;
    for (std::size_t column = 0; column < names.size(); ++column) {
        if (names[column] != prefix + std::to_string(start + column)) {
            return false;
        }
    }
    return true;
}

namespace {

using PlacesByName = std::unordered_map<std::string_view, std::size_t>;

PlacesByName places_by_name(const std::vector<std::string>& names) {
    PlacesByName places;
    for (std::size_t column = 0; column < names.size(); ++column) {
        places.emplace(names[column], column);
    }
    return places;
}

/// "a", "b", ... of the names that are not among the others; "" if there are none.
std::string without(const std::vector<std::string>& names, const PlacesByName& others) {
    constexpr std::size_t most = 5;
    std::string list;
    std::size_t found = 0;
    for (const std::string& name : names) {
        if (!others.contains(name) && ++found <= most) {
            list += (found > 1 ? ", " : "") + in_quotes(name);
        }
    }
    return found > most ? list + " and " + std::to_string(found - most) + " more" : list;
}

[[noreturn]] void refuse_names(const std::vector<std::string>& given, const ColumnNames& wanted,
                               const std::string& file) {
    const std::string missing = without(wanted.names, places_by_name(given));
    const std::string unexpected = without(given, places_by_name(wanted.names));
    if (missing.empty() && unexpected.empty()) {
        throw InputError(file, "line 1",
                         "has the columns of " + wanted.of +
                             " in another order, and one name stands for several of them, so that they cannot be put "
                             "right: give each column a name of its own");
    }
    throw InputError(file, "line 1",
                     {"names other columns than " + wanted.of + ": " + (missing.empty() ? "" : "missing " + missing) +
                          (missing.empty() || unexpected.empty() ? "" : "; "),
                      unexpected.empty() ? Text()
                                         : Text{"unexpected " + unexpected + " (", Text::option("skip-column"),
                                                " leaves a column out)"},
                      "; if only the names differ, give the columns the same ones, or take the first line out"});
}

}  // namespace

std::vector<std::size_t> places_of(const std::vector<std::string>& given, const ColumnNames& wanted,
                                   const std::string& file) {
    if (given.empty() || wanted.empty() || given == wanted.names) {
        return {};
    }
    const PlacesByName by_name = places_by_name(wanted.names);
    std::vector<std::size_t> places;
    std::vector<bool> taken(wanted.names.size(), false);
    for (const std::string& name : given) {
        const auto found = by_name.find(name);
        if (found == by_name.end() || taken[found->second]) {
            break;
        }
        taken[found->second] = true;
        places.push_back(found->second);
    }
    if (places.size() == given.size() && given.size() == wanted.names.size()) {
        return places;
    }
    if (!only_count(given) && !only_count(wanted.names)) {
        refuse_names(given, wanted, file);
    }
    return {};
}

namespace {

// The bytes of the names, each with a zero byte after it.
constexpr const char* names_array = "column_names";

}  // namespace

void add_column_names(Archive& archive, const std::vector<std::string>& names) {
    if (names.empty()) {
        return;
    }
    std::vector<std::uint8_t> bytes;
    for (const std::string& name : names) {
        if (name.find('\0') != std::string::npos) {
            throw InvalidArgument("column names", in_quotes(name), "must hold no zero byte");
        }
        bytes.insert(bytes.end(), name.begin(), name.end());
        bytes.push_back(0);
    }
    archive.add(names_array, std::move(bytes));
}

ColumnNames column_names_in(const Archive& archive, Index dimension) {
    ColumnNames columns;
    if (!archive.has(names_array)) {
        return columns;
    }
    columns.of = archive.source;
    const auto& bytes = archive.numbers<std::uint8_t>(names_array, {Archive::any_length});
    const auto ends = static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.end(), std::uint8_t{0}));
    if (ends != dimension || bytes.back() != 0) {
        throw InputError(
            archive.source, std::string("array \"") + names_array + "\"",
            "holds " + std::to_string(ends) + " names, where there are " + std::to_string(dimension) + " columns");
    }
    for (auto begin = bytes.begin(); begin != bytes.end();) {
        const auto end = std::find(begin, bytes.end(), std::uint8_t{0});
        columns.names.emplace_back(begin, end);
        begin = end + 1;
    }
    return columns;
}

}  // namespace isogon
