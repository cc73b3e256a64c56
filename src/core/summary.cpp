#include "isogon/core/summary.hpp"

#include <algorithm>
#include <array>

namespace isogon {

std::string_view name(Termination reason) {
    constexpr std::array<std::string_view, 6> names{"converged", "iteration-limit", "time-limit",
                                                    "cancelled", "stalled",         "numerical-failure"};
    return names.at(static_cast<std::size_t>(reason));
}

double Summary::value(std::string_view what, double otherwise) const {
    for (const auto* list : {&counts, &measures}) {
        const auto found =
            std::find_if(list->begin(), list->end(), [&](const auto& item) { return item.first == what; });
        if (found != list->end()) {
            return found->second;
        }
    }
    return otherwise;
}

PhaseTimer::PhaseTimer(Summary& summary, std::string phase)
    : summary_(summary), phase_(std::move(phase)), start_(std::chrono::steady_clock::now()) {}

PhaseTimer::~PhaseTimer() {
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    auto& phases = summary_.seconds;
    const auto found =
        std::find_if(phases.begin(), phases.end(), [&](const auto& item) { return item.first == phase_; });
    if (found == phases.end()) {
        phases.emplace_back(phase_, elapsed);
    } else {
        found->second += elapsed;
    }
}

}  // namespace isogon
