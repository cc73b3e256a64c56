#include "isogon/core/archive.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

#include "isogon/core/error.hpp"

namespace isogon {

namespace {

constexpr std::size_t most_name_bytes = 100;

template <class Map>
std::string names_of(const Map& map) {
    std::string text;
    for (const auto& item : map) {
        text += (text.empty() ? "" : ", ") + item.first;
    }
    return text.empty() ? "none" : text;
}

}  // namespace

std::string_view name(ArchiveKind kind) {
    switch (kind) {
        case ArchiveKind::Model: return "model";
        case ArchiveKind::Checkpoint: return "checkpoint";
        case ArchiveKind::IvfIndex: return "neighbor-index";
        case ArchiveKind::NeighborGraph: return "neighbor-graph";
        case ArchiveKind::Decomposition: return "decomposition";
        case ArchiveKind::Run: return "run";
        case ArchiveKind::Codes: return "codes";
    }
    return "";
}

std::string_view scalar_name(const Array::Values& values) {
    constexpr std::array<std::string_view, std::variant_size_v<Array::Values>> names{"float32", "float64", "uint32",
                                                                                     "uint64",  "uint8",   "float32"};
    return names.at(values.index());
}

std::uint64_t value_count(const Array::Values& values) {
    return std::visit([](const auto& list) { return std::uint64_t{list.size()}; }, values);
}

std::string shape_name(const std::vector<std::uint64_t>& shape) {
    std::string text;
    for (const auto length : shape) {
        text += (text.empty() ? "" : ", ") + (length == Archive::any_length ? "n" : std::to_string(length));
    }
    return "(" + text + ")";
}

std::optional<std::uint64_t> element_count(const std::vector<std::uint64_t>& shape) {
    std::uint64_t count = 1;
    for (const auto length : shape) {
        if (length != 0 && count > std::numeric_limits<std::uint64_t>::max() / length) {
            return std::nullopt;
        }
        count *= length;
    }
    return count;
}

std::string place_name(const std::vector<std::uint64_t>& shape, std::uint64_t position) {
    if (shape.empty()) {
        return "";
    }
    if (shape.size() == 2) {
        return "row " + std::to_string(position / shape[1]) + ", column " + std::to_string(position % shape[1]);
    }
    return "position " + std::to_string(position);
}

std::uint64_t first_not_finite(const Array::Values& values) {
    return std::visit(
        [](const auto& list) -> std::uint64_t {
            if constexpr (std::is_floating_point_v<typename std::decay_t<decltype(list)>::value_type>) {
                const auto bad =
                    std::find_if(list.begin(), list.end(), [](auto value) { return !std::isfinite(value); });
                return static_cast<std::uint64_t>(bad - list.begin());
            } else {
                return list.size();
            }
        },
        values);
}

bool is_archive_name(std::string_view name) {
    return !name.empty() && name.size() <= most_name_bytes && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
               c == '.';
    });
}

void check_array(const std::string& name, const Array& array) {
    if (!is_archive_name(name) || name == "__metadata__") {
        throw InvalidArgument("array name", '"' + name + '"',
                              "must be 1 to 100 of the characters a-z A-Z 0-9 _ - . and not __metadata__");
    }
    const std::string field = "array " + name;
    if (array.shape.size() > most_array_axes) {
        throw InvalidArgument(field, std::to_string(array.shape.size()) + " axes", "must have at most 8");
    }
    const std::uint64_t count = value_count(array.values);
    if (element_count(array.shape) != count) {
        throw InvalidArgument(field, std::to_string(count) + " numbers",
                              "must be as many as its shape " + shape_name(array.shape) + " says");
    }
    const std::uint64_t bad = first_not_finite(array.values);
    if (bad != count) {
        const std::string place = place_name(array.shape, bad);
        throw InvalidArgument(field, "NaN or infinity" + (place.empty() ? "" : " at " + place),
                              "every number must be finite");
    }
}

void Archive::add(const std::string& name, Array array) {
    check_array(name, array);
    if (!arrays.emplace(name, std::move(array)).second) {
        throw InvalidArgument("array name", '"' + name + '"', "must be new; an array of this name is there already");
    }
}

void Archive::add(const std::string& name, const PointsView& points) {
    std::vector<float> values;
    values.reserve(std::size_t{points.count} * points.dimension);
    for (Index i = 0; i < points.count; ++i) {
        values.insert(values.end(), points[i].begin(), points[i].end());
    }
    add(name, Array{{points.count, points.dimension}, std::move(values)});
}

void Archive::add_number(const std::string& name, double number) {
    add(name, Array{{}, std::vector<double>{number}});
}

void Archive::add_count(const std::string& name, std::uint64_t count) {
    add(name, Array{{}, std::vector<std::uint64_t>{count}});
}

const Array& Archive::array(const std::string& name) const {
    const auto found = arrays.find(name);
    if (found == arrays.end()) {
        throw InputError(source, "array " + name, "is missing; the arrays there are: " + names_of(arrays));
    }
    return found->second;
}

std::span<const float> Archive::floats(const std::string& name, const std::vector<std::uint64_t>& shape) const {
    const auto* mapped = std::get_if<MappedFloats>(&array(name).values);
    if (mapped != nullptr && fits(array(name), shape)) {
        return mapped->numbers;
    }
    return numbers<float>(name, shape);
}

Points Archive::points(const std::string& name) const {
    constexpr std::uint64_t most = std::numeric_limits<Index>::max();
    const std::span<const float> values = floats(name, {any_length, any_length});
    const auto& shape = array(name).shape;
    if (shape[0] > most || shape[1] > most) {
        throw InputError(source, "array " + name,
                         "has the shape " + shape_name(shape) + "; points have at most " + std::to_string(most) +
                             " rows and columns");
    }
    Points points(static_cast<Index>(shape[0]), static_cast<Index>(shape[1]));
    std::copy(values.begin(), values.end(), points.values().begin());
    return points;
}

const std::string& Archive::note(const std::string& name) const {
    const auto found = notes.find(name);
    if (found == notes.end()) {
        throw InputError(source, "note " + name, "is missing; the notes there are: " + names_of(notes));
    }
    return found->second;
}

bool Archive::fits(const Array& array, const std::vector<std::uint64_t>& shape) {
    return std::equal(
        array.shape.begin(), array.shape.end(), shape.begin(), shape.end(),
        [](std::uint64_t there, std::uint64_t wanted) { return wanted == any_length || wanted == there; });
}

void Archive::refuse(const std::string& name, std::string_view scalar, const std::vector<std::uint64_t>& shape) const {
    const Array& found = array(name);
    throw InputError(source, "array " + name,
                     "holds " + std::string(scalar_name(found.values)) + " of shape " + shape_name(found.shape) +
                         "; must be " + std::string(scalar) + " of shape " + shape_name(shape));
}

}  // namespace isogon
