#include "forces/repulsion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <string>

#include "core/hypotenuse.hpp"
#include "core/parallel.hpp"
#include "core/trigonometry.hpp"
#include "forces/grid_repulsion.hpp"
#include "isogon/core/error.hpp"

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
    const auto cell = static_cast<std::int64_t>(t);  // floor() is a call on processors without SSE4
    const double u = t - static_cast<double>(cell);
    const double v = 1.0 - u;
    constexpr double sixth = 1.0 / 6.0;
    return {static_cast<std::size_t>(cell) - 1,
            InterpolationGrid::width,
            {sixth * (v * v * v), sixth * (4.0 - 6.0 * u * u + 3.0 * u * u * u),
             sixth * (4.0 - 6.0 * v * v + 3.0 * v * v * v), sixth * (u * u * u)}};
}

double node_symbol(std::size_t frequency, std::size_t period) {
    if (period == 1) {
        return 1.0;
    }
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(frequency) / static_cast<double>(period);
    return (2.0 + elementary::cos(angle)) / 3.0;
}

InterpolationGrid::InterpolationGrid(const MultiVector<double>& y, const GridAxis& rows, const GridAxis& columns)
    : y_(y), rows_(rows), columns_(columns), order_(y.rows()), begins_(rows.nodes + 1) {
    for (std::size_t i = 0; i < y.rows(); ++i) {
        ++begins_[along_rows(i).first + 1];
    }
    for (std::size_t row = 0; row < rows.nodes; ++row) {
        begins_[row + 1] += begins_[row];
    }
    std::vector<std::size_t> next = begins_;
    for (std::size_t i = 0; i < y.rows(); ++i) {
        order_[next[along_rows(i).first]++] = static_cast<Index>(i);
    }
}

namespace {

constexpr double longest_spacing = 0.4;  // 0.5 doubles the error, 1/3 doubles the time
constexpr std::size_t least_nodes = 58;  // while outputs are still close: with their margins 63, of period 128
constexpr std::size_t grid_rows_of_task = 8;
constexpr std::size_t grid_points_of_task = 1024;

struct Extent {
    double low = 0.0;
    double high = 0.0;
    [[nodiscard]] double range() const { return high - low; }
    [[nodiscard]] double middle() const { return 0.5 * (low + high); }
};

Extent bounds_of(const MultiVector<double>& y, Index column) {
    Extent bounds{y.at(0, column), y.at(0, column)};
    for (std::size_t i = 1; i < y.rows(); ++i) {
        bounds.low = std::min(bounds.low, y.at(i, column));
        bounds.high = std::max(bounds.high, y.at(i, column));
    }
    return bounds;
}

/// A period at which the circular convolution of `nodes` with `nodes` does not wrap around.
std::size_t period_for(std::size_t nodes) {
    return nodes == 1 ? 1 : FourierLines::length_for(2 * nodes);
}

/// The distance of nodes whose indices differ by t, or by t - period.
double lag(std::size_t t, std::size_t period, double step) {
    return static_cast<double>(std::min(t, period - t)) * step;
}

double cauchy_value(double squared) {
    return 1.0 / (1.0 + squared);
}

using NearNodes = std::array<std::array<double, InterpolationGrid::width>, InterpolationGrid::width>;

/// The transformed kernel: makes splines of k and of k^2 from charges at nodes. Both are real, as k is even: one
/// complex transform makes both.
struct KernelPlane {
    double row_step = 0.0;
    double column_step = 0.0;
    FourierPlane transformed{};
    NearNodes near{};  ///< the first between nodes so many rows and columns apart, before the transform
};

void fill_kernel(KernelPlane& kernel, const PlaneTransform& transform, const RunContext& context) {
    FourierPlane& plane = kernel.transformed;
    parallel_blocks(context, plane.rows, grid_rows_of_task, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            const double down = lag(i, plane.rows, kernel.row_step);
            for (std::size_t j = 0; j < plane.columns; ++j) {
                const double across = lag(j, plane.columns, kernel.column_step);
                const double k = cauchy_value(down * down + across * across);
                plane.real[plane.place(i, j)] = k;
                plane.imaginary[plane.place(i, j)] = k * k;
            }
        }
    });
    transform.forward(plane, plane.rows, context);
    parallel_blocks(context, plane.rows, grid_rows_of_task, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            for (std::size_t j = 0; j < plane.columns; ++j) {
                // Once where charges are spread, once where potentials are read.
                const double symbol = node_symbol(i, plane.rows) * node_symbol(j, plane.columns);
                plane.real[plane.place(i, j)] /= symbol * symbol;
                plane.imaginary[plane.place(i, j)] /= symbol * symbol;
            }
        }
    });
}

void fill_near(KernelPlane& kernel, const PlaneTransform& transform, const RunContext& context) {
    FourierPlane plane = kernel.transformed;
    transform.inverse(plane, kernel.near.size(), context);
    const double scale = 1.0 / (static_cast<double>(plane.rows) * static_cast<double>(plane.columns));
    for (std::size_t a = 0; a < kernel.near.size(); ++a) {
        for (std::size_t b = 0; b < std::min(kernel.near.size(), plane.columns); ++b) {
            kernel.near[a][b] = scale * plane.real[plane.place(a, b)];
        }
    }
}

/// sum over all pairs of points, each with itself too, of k as the grid has it: by Parseval's theorem a sum over what
/// the real part of `charges` becomes, which is half of what stands at a frequency and at its opposite.
double total_closeness(const FourierPlane& charges, const FourierPlane& kernel, const RunContext& context) {
    const double sum = parallel_sum(context, charges.rows, grid_rows_of_task, [&](Range rows) {
        double part = 0.0;
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            const std::size_t opposite_row = i == 0 ? 0 : charges.rows - i;
            for (std::size_t j = 0; j < charges.columns; ++j) {
                const std::size_t at = charges.place(i, j);
                const std::size_t opposite = charges.place(opposite_row, j == 0 ? 0 : charges.columns - j);
                const double real = 0.5 * (charges.real[at] + charges.real[opposite]);
                const double imaginary = 0.5 * (charges.imaginary[at] - charges.imaginary[opposite]);
                part += kernel.real[at] * (real * real + imaginary * imaginary);
            }
        }
        return part;
    });
    return sum / (static_cast<double>(charges.rows) * static_cast<double>(charges.columns));
}

/// The convolution with k^2: a product, with what the inverse transform lacks.
void convolve(FourierPlane& charges, const FourierPlane& kernel, const RunContext& context) {
    const double scale = 1.0 / (static_cast<double>(charges.rows) * static_cast<double>(charges.columns));
    parallel_blocks(context, charges.rows, grid_rows_of_task, [&](Range rows) {
        for (std::size_t at = charges.place(rows.begin, 0); at < charges.place(rows.end, 0); ++at) {
            charges.real[at] *= scale * kernel.imaginary[at];
            charges.imaginary[at] *= scale * kernel.imaginary[at];
        }
    });
}

/// For each lag, the sum of products of weights that far apart.
std::array<double, InterpolationGrid::width> self_lags(const NodeWeights& nodes) {
    std::array<double, InterpolationGrid::width> sums{};
    for (std::size_t a = 0; a < nodes.count; ++a) {
        for (std::size_t b = a; b < nodes.count; ++b) {
            sums[b - a] += (a == b ? 1.0 : 2.0) * nodes.weights[a] * nodes.weights[b];
        }
    }
    return sums;
}

/// The share of points with themselves in total_closeness: 1 each but for interpolation.
double self_closeness(const InterpolationGrid& grid, const NearNodes& near, Index points, const RunContext& context) {
    return parallel_sum(context, points, grid_points_of_task, [&](Range range) {
        double part = 0.0;
        for (std::size_t i = range.begin; i < range.end; ++i) {
            const auto down = self_lags(grid.along_rows(i));
            const auto across = self_lags(grid.along_columns(i));
            for (std::size_t a = 0; a < down.size(); ++a) {
                for (std::size_t b = 0; b < across.size(); ++b) {
                    part += down[a] * across[b] * near[a][b];
                }
            }
        }
        return part;
    });
}

/// The kernel, the charges, and a copy of the former while it is made.
std::uint64_t bytes_of(std::size_t rows, std::size_t columns) {
    return (columns == 1 ? 3 : 4) * FourierPlane::bytes(rows, columns);
}

}  // namespace

/// State kept between calls: memory, and the transformed kernel while the grid has the same shape.
struct GridRepulsion::Planes {
    std::optional<PlaneTransform> transform{};
    KernelPlane kernel{};
    FourierPlane first{};   // charges 1 and y_1
    FourierPlane second{};  // charges y_2

    void fit(const InterpolationGrid& grid, const RunContext& context) {
        const std::size_t rows = period_for(grid.rows().nodes);
        const std::size_t columns = period_for(grid.columns().nodes);
        FourierPlane& plane = kernel.transformed;
        const bool alike = plane.rows == rows && plane.columns == columns;
        if (!alike) {
            require_memory(context, {{"the grid, as wide as the map has become", bytes_of(rows, columns)}},
                           "raise the limit, or take repulsion barnes-hut or exact");
            transform.emplace(rows, columns);
            plane = {};  // freed before the larger plane is allocated
            plane = FourierPlane(rows, columns);
        }
        if (!alike || kernel.row_step != grid.rows().step || kernel.column_step != grid.columns().step) {
            kernel.row_step = grid.rows().step;
            kernel.column_step = grid.columns().step;
            fill_kernel(kernel, *transform, context);
            fill_near(kernel, *transform, context);
        }
        clear(first);
        if (columns > 1) {
            clear(second);
        }
    }

    /// Sets a plane to the grid's size and to zero: rows beyond the grid's still hold values of the last transform.
    void clear(FourierPlane& plane) const {
        if (plane.rows != kernel.transformed.rows || plane.columns != kernel.transformed.columns) {
            plane = FourierPlane(kernel.transformed.rows, kernel.transformed.columns);
            return;
        }
        std::fill(plane.real.begin(), plane.real.end(), 0.0);
        std::fill(plane.imaginary.begin(), plane.imaginary.end(), 0.0);
    }

    void make_potentials(FourierPlane& charges, std::size_t used_rows, const RunContext& context) const {
        convolve(charges, kernel.transformed, context);
        transform->inverse(charges, used_rows, context);
    }

    /// Both return sum k, including each point with itself. Coordinates are relative to `middle`, to keep their digits.
    double push_1d(const InterpolationGrid& grid, const MultiVector<double>& y, MultiVector<double>& pushes,
                   double middle, const RunContext& context) {
        const std::size_t used = grid.rows().nodes;
        grid.spread<1>(
            {&first},
            [&](std::size_t i) {
                return std::array{1.0, y.at(i, 0) - middle};
            },
            context);
        transform->forward(first, used, context);
        const double total = total_closeness(first, kernel.transformed, context);
        make_potentials(first, used, context);
        parallel_blocks(context, y.rows(), grid_points_of_task, [&](Range range) {
            for (std::size_t k = range.begin; k < range.end; ++k) {
                const std::size_t i = grid.order()[k];
                const auto sums = grid.read<1>({&first}, i);
                pushes.at(i, 0) = (y.at(i, 0) - middle) * sums[0] - sums[1];
            }
        });
        return total;
    }

    double push_2d(const InterpolationGrid& grid, const MultiVector<double>& y, MultiVector<double>& pushes,
                   const std::array<double, 2>& middle, const RunContext& context) {
        const std::size_t used = grid.rows().nodes;
        const auto charges = [&](std::size_t i) {
            return std::array{1.0, y.at(i, 0) - middle[0], y.at(i, 1) - middle[1], 0.0};
        };
        grid.spread<2>({&first, &second}, charges, context);
        transform->forward(first, used, context);
        transform->forward(second, used, context);
        const double total = total_closeness(first, kernel.transformed, context);
        make_potentials(first, used, context);
        make_potentials(second, used, context);
        parallel_blocks(context, y.rows(), grid_points_of_task, [&](Range range) {
            for (std::size_t k = range.begin; k < range.end; ++k) {
                const std::size_t i = grid.order()[k];
                const auto sums = grid.read<2>({&first, &second}, i);
                pushes.at(i, 0) = (y.at(i, 0) - middle[0]) * sums[0] - sums[1];
                pushes.at(i, 1) = (y.at(i, 1) - middle[1]) * sums[0] - sums[2];
            }
        });
        return total;
    }
};

GridRepulsion::GridRepulsion(Index points, Index dimension) : planes_(std::make_unique<Planes>()) {
    if (dimension < 1 || dimension > 2 || points < 2) {
        throw InvalidArgument("dimension", std::to_string(dimension),
                              "must be 1 or 2 for repulsion by a grid; take exact repulsion");
    }
}

GridRepulsion::~GridRepulsion() = default;

std::size_t GridRepulsion::most_nodes(Index points) {
    constexpr double least = 768.0;
    constexpr double most = 1536.0;
    constexpr double of_root = 4.0;
    return static_cast<std::size_t>(std::clamp(of_root * std::sqrt(static_cast<double>(points)), least, most));
}

std::uint64_t GridRepulsion::bytes(Index points, Index dimension) {
    const std::size_t side = period_for(least_nodes + InterpolationGrid::width);
    return bytes_of(side, dimension == 1 ? 1 : side) + std::uint64_t{points} * sizeof(Index);
}

double GridRepulsion::repel(const MultiVector<double>& y, MultiVector<double>& pushes, const RunContext& context) {
    throw_if_cancelled(context);
    const Extent down = bounds_of(y, 0);
    const Extent across = y.columns() == 2 ? bounds_of(y, 1) : Extent{};
    const double longest = longest_spacing * static_cast<double>(most_nodes(y.rows()));
    if (!(std::max(down.range(), across.range()) < longest)) {
        return ExactRepulsion().repel(y, pushes, context);
    }
    const GridAxis rows = enclosing_axis(down.low, down.high, longest_spacing, least_nodes);
    const GridAxis columns =
        y.columns() == 2 ? enclosing_axis(across.low, across.high, longest_spacing, least_nodes) : GridAxis{};
    const InterpolationGrid grid(y, rows, columns);
    planes_->fit(grid, context);
    const double with_diagonal = y.columns() == 2
                                     ? planes_->push_2d(grid, y, pushes, {down.middle(), across.middle()}, context)
                                     : planes_->push_1d(grid, y, pushes, down.middle(), context);
    // No pair is further apart than the corners, which gives a lower bound of sum k that interpolation errors must not
    // undercut.
    const double diagonal = hypotenuse(down.range(), across.range());
    const double pairs = static_cast<double>(y.rows()) * (static_cast<double>(y.rows()) - 1.0);
    return std::max(with_diagonal - self_closeness(grid, planes_->kernel.near, y.rows(), context),
                    pairs * cauchy_value(diagonal * diagonal));
}

}  // namespace isogon
