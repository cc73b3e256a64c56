#include "synthetic/smooth_field.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace isogon {

namespace {

// What the Gaussian leaves of a mode, below which it is left out: of the variance that is one millionth.
constexpr double least_share = 1e-3;

/// Minus the logarithm of what the Gaussian leaves of mode p along a side.
double damping(Index p, Index side, double smoothness) {
    const double frequency = std::numbers::pi * p / side;
    return 0.5 * smoothness * smoothness * frequency * frequency;
}

/// The number of modes along a side of which something is left, compared with the first that is not constant.
Index modes_along(Index side, double smoothness, double first) {
    Index modes = 1;
    while (modes < side && damping(modes, side, smoothness) - first < -std::log(least_share)) {
        ++modes;
    }
    return modes;
}

/// Row p holds the p-th cosine at all places of a side, of mean square 1.
std::vector<float> cosines(Index modes, Index side) {
    std::vector<float> table(std::size_t{modes} * side);
    for (Index p = 0; p < modes; ++p) {
        for (Index x = 0; x < side; ++x) {
            const double value = std::cos(std::numbers::pi * p * (x + 0.5) / side);
            table[std::size_t{p} * side + x] = static_cast<float>(p == 0 ? 1.0 : std::numbers::sqrt2 * value);
        }
    }
    return table;
}

/// to += factor * from
void add_scaled(std::span<float> to, float factor, std::span<const float> from) {
    for (std::size_t k = 0; k < to.size(); ++k) {
        to[k] += factor * from[k];
    }
}

}  // namespace

SmoothField::SmoothField(Index height, Index width, double smoothness) : height_(height), width_(width) {
    // Relative to the least damped mode: a very wide Gaussian leaves next to nothing of any, but scaled up it is that.
    const double first = damping(1, std::max(height, width), smoothness);
    columns_ = modes_along(width, smoothness, first);
    rows_ = modes_along(height, smoothness, first);
    along_x_ = cosines(columns_, width);
    along_y_ = cosines(rows_, height);
    double sum = 0.0;
    for (Index q = 0; q < rows_; ++q) {
        for (Index p = 0; p < columns_; ++p) {
            const bool constant = p == 0 && q == 0;
            const double left =
                constant ? 0.0 : std::exp(first - damping(p, width, smoothness) - damping(q, height, smoothness));
            weights_.push_back(left);
            sum += left * left;
        }
    }
    for (double& weight : weights_) {
        weight /= sum > 0.0 ? std::sqrt(sum) : 1.0;
    }
}

void SmoothField::draw(Random& random, double amplitude, std::span<float> field) const {
    // First along x, a row for each mode along y; then those rows are mixed.
    std::vector<float> mixed(std::size_t{rows_} * width_);
    for (Index q = 0; q < rows_; ++q) {
        const auto row = std::span(mixed).subspan(std::size_t{q} * width_, width_);
        for (Index p = 0; p < columns_; ++p) {
            const double value = amplitude * weights_[std::size_t{q} * columns_ + p] * random.normal();
            add_scaled(row, static_cast<float>(value), std::span(along_x_).subspan(std::size_t{p} * width_, width_));
        }
    }
    std::fill(field.begin(), field.end(), 0.0F);
    for (Index y = 0; y < height_; ++y) {
        const auto row = field.subspan(std::size_t{y} * width_, width_);
        for (Index q = 0; q < rows_; ++q) {
            add_scaled(row, along_y_[std::size_t{q} * height_ + y],
                       std::span(mixed).subspan(std::size_t{q} * width_, width_));
        }
    }
}

}  // namespace isogon
