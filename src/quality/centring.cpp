#include "quality/centring.hpp"

#include <algorithm>
#include <cmath>

namespace isogon {

namespace {

std::vector<double> mean_of(const PointsView& points) {
    std::vector<double> mean(points.dimension);
    for (Index i = 0; i < points.count; ++i) {
        const auto row = points[i];
        for (Index k = 0; k < points.dimension; ++k) {
            mean[k] += double{row[k]};
        }
    }
    for (double& value : mean) {
        value /= points.count;
    }
    return mean;
}

/// Sum of squares of all coordinates after a translation.
double sum_of_squares(const PointsView& points, const std::vector<double>& offset) {
    double sum = 0.0;
    for (Index i = 0; i < points.count; ++i) {
        const auto row = points[i];
        for (Index k = 0; k < points.dimension; ++k) {
            const double value = double{row[k]} - offset[k];
            sum += value * value;
        }
    }
    return sum;
}

double power_of_two_below(double value) {
    return std::exp2(std::floor(std::log2(value)));
}

void round_to_spread(std::vector<double>& mean, double variance) {
    if (variance == 0.0) {
        return;
    }
    const double step = power_of_two_below(std::sqrt(variance));
    for (double& value : mean) {
        value = std::round(value / step) * step;
    }
}

double largest_coordinate(const PointsView& points, const std::vector<double>& offset) {
    double largest = 0.0;
    for (Index i = 0; i < points.count; ++i) {
        const auto row = points[i];
        for (Index k = 0; k < points.dimension; ++k) {
            largest = std::max(largest, std::abs(double{row[k]} - offset[k]));
        }
    }
    return largest;
}

}  // namespace

Centring find_centring(const PointsView& points) {
    Centring centring{mean_of(points)};
    const std::vector<double> origin(points.dimension);
    const double centred = sum_of_squares(points, centring.offset);
    if (centred > sum_of_squares(points, origin) / 4.0) {
        centring.offset = origin;
    } else {
        round_to_spread(centring.offset, centred / static_cast<double>(points.count) / points.dimension);
    }
    const double largest = largest_coordinate(points, centring.offset);
    centring.scale = largest > 0.0 ? 1.0 / power_of_two_below(largest) : 1.0;
    return centring;
}

}  // namespace isogon
