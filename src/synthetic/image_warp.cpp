#include "synthetic/image_warp.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace isogon {

namespace {

// The factor of the Gaussian for a mode below which the mode is omitted: one millionth of the variance.
constexpr double least_share = 1e-3;

/// Minus the logarithm of the Gaussian's factor for mode p along a side.
double damping(Index p, Index side, double smoothness) {
    const double frequency = std::numbers::pi * p / side;
    return 0.5 * smoothness * smoothness * frequency * frequency;
}

/// The number of modes along a side that are not omitted, relative to the first that is not constant.
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
    // Relative to the least damped mode: a very wide Gaussian damps all modes to almost 0, but the field is normalised.
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

namespace {

/// A place along one side: between pixel `first` and the next, `share` of the way.
struct Between {
    std::size_t first;
    std::size_t next;
    float share;
};

Between place_along(float at, Index side) {
    const float kept = std::clamp(at, 0.0F, static_cast<float>(side - 1));
    const auto first = static_cast<std::size_t>(kept);
    return {first, std::min<std::size_t>(first + 1, side - 1), kept - static_cast<float>(first)};
}

float blend(float a, float b, float share) {
    return (1.0F - share) * a + share * b;  // not a + share (b - a), which could overflow
}

}  // namespace

void warp_image(std::span<const float> from, WarpShape shape, const LinearMap& map, std::span<const float> shift_x,
                std::span<const float> shift_y, std::span<float> to) {
    const float middle_x = 0.5F * static_cast<float>(shape.width - 1);
    const float middle_y = 0.5F * static_cast<float>(shape.height - 1);
    std::size_t pixel = 0;
    for (Index row = 0; row < shape.height; ++row) {
        const float y = static_cast<float>(row) - middle_y;
        for (Index column = 0; column < shape.width; ++column, ++pixel) {
            const float x = static_cast<float>(column) - middle_x;
            const Between h = place_along(middle_x + map.xx * x + map.xy * y + shift_x[pixel], shape.width);
            const Between v = place_along(middle_y + map.yx * x + map.yy * y + shift_y[pixel], shape.height);
            const auto upper = from.subspan(v.first * shape.width, shape.width);
            const auto lower = from.subspan(v.next * shape.width, shape.width);
            to[pixel] = blend(blend(upper[h.first], upper[h.next], h.share),
                              blend(lower[h.first], lower[h.next], h.share), v.share);
        }
    }
}

void thicken(std::span<const float> from, WarpShape shape, float gain, std::span<float> to) {
    const std::size_t width = shape.width;
    if (gain == 0.0F) {
        std::copy(from.begin(), from.end(), to.begin());
        return;
    }
    for (std::size_t y = 0; y < shape.height; ++y) {
        const std::size_t above = y > 0 ? y - 1 : y;
        const std::size_t below = std::min<std::size_t>(y + 1, shape.height - 1);
        for (std::size_t x = 0; x < width; ++x) {
            const std::size_t left = x > 0 ? x - 1 : x;
            const std::size_t right = std::min(x + 1, width - 1);
            const float along_x = 0.5F * from[y * width + right] - 0.5F * from[y * width + left];
            const float along_y = 0.5F * from[below * width + x] - 0.5F * from[above * width + x];
            const float steepness = std::sqrt(along_x * along_x + along_y * along_y);
            to[y * width + x] = from[y * width + x] + gain * steepness;
        }
    }
}

}  // namespace isogon
