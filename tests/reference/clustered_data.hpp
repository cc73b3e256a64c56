#pragma once
#include "isogon/core/points.hpp"
#include "isogon/core/random.hpp"

namespace isogon::reference {

/// Points near a sheet of `inner` numbers bent into `dimension`, around some centres: data as searches meet it, with
/// few true dimensions and uneven density.
inline Points sheet_points(Index count, Index dimension, Index inner, std::uint64_t seed) {
    Points points(count, dimension);
    for (Index i = 0; i < count; ++i) {
        Random random(seed, Purpose::Test, i);
        Random centre(seed + 1, Purpose::Test, random.below(12));
        std::vector<double> place(inner);
        for (double& value : place) {
            value = 2.0 * centre.normal() + 0.5 * random.normal();
        }
        for (Index k = 0; k < dimension; ++k) {
            Random direction(seed + 2, Purpose::Test, k);
            double value = 0.05 * random.normal();
            for (const double coordinate : place) {
                value += coordinate * direction.normal();
            }
            points[i][k] = static_cast<float>(value);
        }
    }
    return points;
}

}  // namespace isogon::reference
