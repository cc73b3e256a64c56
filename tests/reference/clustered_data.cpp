#include "reference/clustered_data.hpp"

namespace isogon::reference {

Points sheet_points(Index count, Index dimension, Index inner, std::uint64_t seed) {
    Points points(count, dimension);
    for (Index i = 0; i < count; ++i) {
        Random random(seed, RandomStream::Test, i);
        Random centre(seed + 1, RandomStream::Test, random.below(12));
        std::vector<double> place(inner);
        for (double& value : place) {
            value = 2.0 * centre.normal() + 0.5 * random.normal();
        }
        for (Index k = 0; k < dimension; ++k) {
            Random direction(seed + 2, RandomStream::Test, k);
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
