#include "methods/method_frame.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "isogon/core/archive.hpp"
#include "isogon/core/points.hpp"

namespace isogon {

namespace {

bool is_finite_record(const IterationRecord& record) {
    return std::isfinite(record.objective) && std::isfinite(record.change);
}

std::string unusable_array(const std::map<std::string, Array, std::less<>>& arrays) {
    const auto bad = std::ranges::find_if(arrays, [](const auto& item) {
        return first_not_finite(item.second.values) < element_count(item.second.shape).value_or(0);
    });
    return bad == arrays.end() ? "" : "the map's " + bad->first;
}

/// What a user would look for first: "the coordinates of row 3", "eigenvalue_0"; empty if all is finite.
std::string first_part_not_finite(const Embedding& fitted) {
    const Index row = first_row_not_finite(fitted.coordinates.view());
    if (row < fitted.coordinates.count()) {
        return "the coordinates of row " + std::to_string(row);
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
    for (const auto* numbers : {&fitted.summary.counts, &fitted.summary.measures}) {
        const auto bad = std::ranges::find_if(*numbers, [](const auto& item) { return !std::isfinite(item.second); });
        if (bad != numbers->end()) {
            return bad->first;
        }
    }
    return std::ranges::all_of(fitted.summary.trace, is_finite_record) ? "" : "the objective";
}

void leave_out_not_finite(Summary& summary) {
    for (auto* numbers : {&summary.counts, &summary.measures}) {
        std::erase_if(*numbers, [](const auto& item) { return !std::isfinite(item.second); });
    }
    std::erase_if(summary.trace, [](const IterationRecord& record) { return !is_finite_record(record); });
}

}  // namespace

Embedding finite_or_failed(Embedding fitted) {
    const std::string part = first_part_not_finite(fitted);
    if (part.empty()) {
        return fitted;
    }
    Summary& summary = fitted.summary;
    leave_out_not_finite(summary);
    if (summary.usable()) {
        summary.termination = Termination::NumericalFailure;
        summary.message = "a number left the range of floating point (" + part +
                          "): give the columns values of like size (isogon convert --standardize does it), or take "
                          "options nearer to their defaults";
    }
    fitted.coordinates = Points();
    fitted.barycentric_map.reset();
    fitted.linear_map.clear();
    fitted.nonnegative_map.clear();
    return fitted;
}

}  // namespace isogon
