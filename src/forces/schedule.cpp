#include "isogon/forces/schedule.hpp"

#include <algorithm>
#include <numeric>

namespace isogon {

int Schedule::iterations() const {
    return std::accumulate(phases.begin(), phases.end(), 0,
                           [](int sum, const SchedulePhase& phase) { return sum + phase.iterations; });
}

std::size_t Schedule::phase_at(int iteration) const {
    std::size_t place = 0;
    while (place + 1 < phases.size() && iteration >= phases[place].iterations) {
        iteration -= phases[place].iterations;
        ++place;
    }
    return place;
}

Schedule tsne_schedule(Index points, const ScheduleOptions& options) {
    constexpr int most_exaggerated = 250;
    constexpr double early_momentum = 0.5;
    constexpr double late_momentum = 0.8;
    const int early = std::min(most_exaggerated, options.iterations / 3);
    const auto rate = [&](double exaggeration) {
        return options.learning_rate.value_or(static_cast<double>(points) / exaggeration);
    };
    return {{{early, options.exaggeration, early_momentum, rate(options.exaggeration)},
             {options.iterations - early, 1.0, late_momentum, rate(1.0)}}};
}

}  // namespace isogon
