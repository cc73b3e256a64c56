// Points of your own in memory, looked at without a copy: are they finite, and how long are they?
#include <array>
#include <cstdio>

#include "isogon/core/error.hpp"
#include "isogon/core/points.hpp"

int main() {
    constexpr std::array<float, 6> memory{3, 4, 0, 0, 5, 12};
    const isogon::PointsView points(memory.data(), 3, 2);
    try {
        isogon::require_finite(points, "my points");
    } catch (const isogon::InputError& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    for (const double length : isogon::norms(points)) {
        std::printf("%g\n", length);
    }
    return 0;
}
