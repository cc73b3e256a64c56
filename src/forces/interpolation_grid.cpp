#include "forces/interpolation_grid.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace isogon {

namespace {

constexpr double before_low = 1.5;  // the spline at `low` needs a node before the one below; half a step for rounding

}  // namespace

GridAxis enclosing_axis(double low, double high, double longest_step, std::size_t least_nodes) {
    const double range = high - low;
    const double inner = static_cast<double>(least_nodes);
    const double step = range > 0.0 ? std::min(longest_step, range / inner) : longest_step;
    const auto cells = static_cast<std::size_t>(std::floor(range / step));
    // `high` lies below cells + 2.5 steps from the first node, and its spline reaches two nodes further.
    return {low, step, cells + 5};
}

NodeWeights node_weights(const GridAxis& axis, double place) {
    const double t = (place - axis.low) / axis.step + before_low;
    const double cell = std::floor(t);
    const double u = t - cell;
    const double v = 1.0 - u;
    return {static_cast<std::size_t>(cell) - 1,
            InterpolationGrid::width,
            {v * v * v / 6.0, (4.0 - 6.0 * u * u + 3.0 * u * u * u) / 6.0, (4.0 - 6.0 * v * v + 3.0 * v * v * v) / 6.0,
             u * u * u / 6.0}};
}

double node_symbol(std::size_t frequency, std::size_t period) {
    if (period == 1) {
        return 1.0;
    }
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(frequency) / static_cast<double>(period);
    return (2.0 + std::cos(angle)) / 3.0;
}

InterpolationGrid::InterpolationGrid(const WideVectors& y, const GridAxis& rows, const GridAxis& columns)
    : y_(y), rows_(rows), columns_(columns), order_(y.rows), begins_(rows.nodes + 1) {
    for (std::size_t i = 0; i < y.rows; ++i) {
        ++begins_[along_rows(i).first + 1];
    }
    for (std::size_t row = 0; row < rows.nodes; ++row) {
        begins_[row + 1] += begins_[row];
    }
    std::vector<std::size_t> next = begins_;
    for (std::size_t i = 0; i < y.rows; ++i) {
        order_[next[along_rows(i).first]++] = static_cast<Index>(i);
    }
}

}  // namespace isogon
