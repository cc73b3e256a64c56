#pragma once
#include <vector>

namespace isogon {

[[nodiscard]] inline double sum_of_squares(const std::vector<double>& values) {
    double sum = 0.0;
    for (const double value : values) {
        sum += value * value;
    }
    return sum;
}

}  // namespace isogon
