#pragma once
#include <span>

namespace isogon {

struct NormScore {
    double mean = 0.0;  ///< of | |y_i| / |x_i| - 1 |
    double max = 0.0;
};

/// Compares lengths, point by point, over the points whose length in x is not zero; without any, all is 0.
[[nodiscard]] NormScore compare_norms(std::span<const double> x_lengths, std::span<const double> y_lengths);

}  // namespace isogon
