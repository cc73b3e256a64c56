#pragma once
#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

#include "core/parallel.hpp"
#include "linalg/packed_points.hpp"

namespace isogon::bench {

class Stopwatch {
public:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Ascending.
inline std::vector<double> seconds_of(int repetitions, const std::function<void()>& work) {
    std::vector<double> seconds;
    for (int r = 0; r < repetitions; ++r) {
        const Stopwatch watch;
        work();
        seconds.push_back(watch.seconds());
    }
    std::sort(seconds.begin(), seconds.end());
    return seconds;
}

inline double median_seconds(int repetitions, const std::function<void()>& work) {
    return seconds_of(repetitions, work)[static_cast<std::size_t>(repetitions) / 2];
}

/// Operations a second of the panel product, from cache, at its fastest: the peak that everything made of it is held
/// against.
inline double panel_peak(const RunContext& context) {
    constexpr Index depth = 768;
    constexpr std::size_t tasks = 128;
    const PackedPoints packed(48 * 64, depth);
    const auto multiply = [&](std::size_t task) {
        alignas(64) float tile[panel_width * panel_width];
        for (Index q = 0; q < packed.panels(); ++q) {
            multiply_panels(packed.panel(static_cast<Index>(task) % packed.panels()), packed.panel(q), depth, tile,
                            panel_width);
        }
    };
    const double fastest = seconds_of(5, [&] { parallel_tasks(context, tasks, multiply); }).front();
    return 2.0 * panel_width * panel_width * depth * packed.panels() * tasks / fastest;
}

}  // namespace isogon::bench
