#include "core/finite_result.hpp"

#include <algorithm>
#include <cmath>

namespace isogon {

namespace {

bool is_finite_record(const IterationRecord& record) {
    return std::isfinite(record.objective) && std::isfinite(record.change);
}

}  // namespace

std::string part_not_finite(const PointsView& coordinates, const Summary& summary) {
    const Index row = first_row_not_finite(coordinates);
    if (row < coordinates.count) {
        return "the coordinates of row " + std::to_string(row);
    }
    for (const auto* numbers : {&summary.counts, &summary.measures}) {
        const auto bad = std::ranges::find_if(*numbers, [](const auto& item) { return !std::isfinite(item.second); });
        if (bad != numbers->end()) {
            return bad->first;
        }
    }
    return std::ranges::all_of(summary.trace, is_finite_record) ? "" : "the objective";
}

void fail_by(const std::string& part, const std::string& remedy, Summary& summary) {
    for (auto* numbers : {&summary.counts, &summary.measures}) {
        std::erase_if(*numbers, [](const auto& item) { return !std::isfinite(item.second); });
    }
    std::erase_if(summary.trace, [](const IterationRecord& record) { return !is_finite_record(record); });
    if (summary.usable()) {
        summary.termination = Termination::NumericalFailure;
        summary.message = "a number left the range of floating point (" + part + "): " + remedy;
    }
}

void fail_unless_finite(Points& placed, Summary& summary) {
    const std::string part = part_not_finite(placed.view(), summary);
    if (!part.empty()) {
        fail_by(part, "leave out rows that are far longer than those that were fitted", summary);
        placed = Points();
    }
}

}  // namespace isogon
