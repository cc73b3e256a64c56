#pragma once
#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

#include "isogon/core/parallel.hpp"
#include "isogon/linalg/packed_points.hpp"
#include "isogon/linalg/panel_product.hpp"

namespace isogon::bench {

class Stopwatch {
public:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

inline double median_seconds(int repetitions, const std::function<void()>& work) {
    std::vector<double> seconds;
    for (int r = 0; r < repetitions; ++r) {
        const Stopwatch watch;
        work();
        seconds.push_back(watch.seconds());
    }
    std::sort(seconds.begin(), seconds.end());
    return seconds[seconds.size() / 2];
}

/// Operations a second of the panel product, from cache: the peak that everything made of it is held against.
inline double panel_peak(const RunContext& context) {
    constexpr Index depth = 768;
    constexpr std::size_t tasks = 128;
    const PackedPoints packed(48 * 64, depth);
    const double seconds = median_seconds(3, [&] {
        parallel_tasks(context, tasks, [&](std::size_t task) {
            alignas(64) float tile[panel_width * panel_width];
            for (Index q = 0; q < packed.panels(); ++q) {
                multiply_panels(packed.panel(static_cast<Index>(task) % packed.panels()), packed.panel(q), depth, tile,
                                panel_width);
            }
        });
    });
    return 2.0 * panel_width * panel_width * depth * packed.panels() * tasks / seconds;
}

}  // namespace isogon::bench
