#pragma once
#include <cstddef>

namespace isogon {

/// |u - v|^2 of two rows of `count` numbers each, float32 or float64: differences and their sum in float64, from the
/// first number to the last, so that two rows have the same distance wherever it is evaluated. Defined in the header,
/// because the compiler unrolls the loop where it knows the count (2 or 3, the dimension of maps).
template <typename First, typename Second>
[[nodiscard]] inline double squared_distance(const First* u, const Second* v, std::size_t count) {
    double sum = 0.0;
    for (std::size_t c = 0; c < count; ++c) {
        const double difference = double{u[c]} - double{v[c]};
        sum += difference * difference;
    }
    return sum;
}

}  // namespace isogon
