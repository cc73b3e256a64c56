#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "core/random.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"

/// Option values and points for tests of series of fits.
namespace isogon::support {

inline OptionValue whole(std::int64_t value) {
    return value;
}

/// A smooth curved strip in four dimensions, whose neighbour graph is connected.
inline Points curved_strip(Index count) {
    Points points(count, 4);
    for (Index i = 0; i < count; ++i) {
        Random random(3, RandomStream::Test, i);
        const double along = 3.0 * random.uniform();
        const double across = random.uniform();
        const double values[] = {std::cos(along), std::sin(along), across, 0.1 * along * across};
        std::transform(std::begin(values), std::end(values), points[i].begin(),
                       [](double value) { return static_cast<float>(value); });
    }
    return points;
}

}  // namespace isogon::support
