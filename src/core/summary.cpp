#include "isogon/core/run_context.hpp"

#include <algorithm>
#include <array>
#include <new>

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

namespace {

/// The seconds of the phase so far; adds the phase if it is new.
double& seconds_of(Summary& summary, const std::string& phase) {
    auto& phases = summary.seconds;
    const auto found =
        std::find_if(phases.begin(), phases.end(), [&](const auto& item) { return item.first == phase; });
    return found == phases.end() ? phases.emplace_back(phase, 0.0).second : found->second;
}

}  // namespace

PhaseTimer::PhaseTimer(Summary& summary, std::string phase) : summary_(summary), phase_(std::move(phase)) {
    seconds_of(summary_, phase_);  // may throw, which the destructor must not
    start_ = std::chrono::steady_clock::now();
}

PhaseTimer::~PhaseTimer() {
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    try {
        seconds_of(summary_, phase_) += elapsed;
    } catch (
        const std::bad_alloc&) {  // the summary was replaced meanwhile, and there is no memory to add to the new one
    }
}

}  // namespace isogon
