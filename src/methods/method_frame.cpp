#include "methods/method_frame.hpp"

#include <algorithm>
#include <map>

#include "core/finite_result.hpp"
#include "isogon/core/archive.hpp"
#include "isogon/core/points.hpp"

namespace isogon {

namespace {

std::string unusable_array(const std::map<std::string, Array, std::less<>>& arrays) {
    const auto bad = std::ranges::find_if(arrays, [](const auto& item) {
        return first_not_finite(item.second.values) < element_count(item.second.shape).value_or(0);
    });
    return bad == arrays.end() ? "" : "the map's " + bad->first;
}

/// Looks at the results that every method has, and at the data by which new points are placed.
std::string first_part_not_finite(const Embedding& fitted) {
    if (std::string part = part_not_finite(fitted.coordinates.view(), fitted.summary); !part.empty()) {
        return part;
    }
    if (fitted.barycentric_map) {
        const Points& landmarks = fitted.barycentric_map->coordinates;
        if (first_row_not_finite(landmarks.view()) < landmarks.count()) {
            return "the coordinates of the points that new ones are mixed from";
        }
    }
    for (const auto* map : {&fitted.linear_map, &fitted.nonnegative_map}) {
        if (std::string name = unusable_array(*map); !name.empty()) {
            return name;
        }
    }
    return "";
}

}  // namespace

Embedding finite_or_failed(Embedding fitted) {
    const std::string part = first_part_not_finite(fitted);
    if (part.empty()) {
        return fitted;
    }
    fail_by(part,
            "give the columns values of like size, as mean 0 and standard deviation 1, or take options nearer to "
            "their defaults",
            fitted.summary);
    fitted.coordinates = Points();
    fitted.barycentric_map.reset();
    fitted.linear_map.clear();
    fitted.nonnegative_map.clear();
    return fitted;
}

}  // namespace isogon
