#include "quality/norms.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace isogon {

NormScore compare_norms(std::span<const double> x_lengths, std::span<const double> y_lengths) {
    NormScore score;
    std::size_t compared = 0;
    for (std::size_t i = 0; i < x_lengths.size(); ++i) {
        if (x_lengths[i] > 0.0) {
            const double deviation = std::abs(y_lengths[i] / x_lengths[i] - 1.0);
            score.mean += deviation;
            score.max = std::max(score.max, deviation);
            ++compared;
        }
    }
    score.mean /= static_cast<double>(std::max<std::size_t>(compared, 1));
    return score;
}

}  // namespace isogon
