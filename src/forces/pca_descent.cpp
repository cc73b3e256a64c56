#include "forces/pca_descent.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>

#include "core/parallel.hpp"
#include "forces/descent.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"
#include "linalg/dense_matrix.hpp"
#include "linalg/multi_vector.hpp"
#include "linalg/multi_vector_arithmetic.hpp"

namespace isogon {

namespace {

constexpr std::size_t least_rows = 128;
constexpr std::size_t most_blocks = 64;   // each holds D d sums of its own
constexpr std::size_t product_lanes = 8;  // partial sums of a product, so that the compiler can vectorise it

double dot(const double* u, const double* v, std::size_t count) {
    std::array<double, product_lanes> sums{};
    std::size_t k = 0;
    for (; k + product_lanes <= count; k += product_lanes) {
        for (std::size_t lane = 0; lane < product_lanes; ++lane) {
            sums[lane] += u[k + lane] * v[k + lane];
        }
    }
    double total = 0.0;
    for (; k < count; ++k) {
        total += u[k] * v[k];
    }
    for (const double sum : sums) {
        total += sum;
    }
    return total;
}

void centred_row(std::span<const float> x, std::span<const double> center, std::vector<double>& row) {
    for (std::size_t k = 0; k < row.size(); ++k) {
        row[k] = double{x[k]} - center[k];
    }
}

/// sum += row^T y, a column of D numbers for each of y's.
void add_outer_product(const std::vector<double>& row, const double* y, DenseMatrix& sum) {
    for (std::size_t c = 0; c < sum.columns; ++c) {
        double* column = sum.values.data() + c * sum.rows;
        for (std::size_t k = 0; k < row.size(); ++k) {
            column[k] += row[k] * y[c];
        }
    }
}

/// Moves y by rate times its force; returns the squared norm of the force.
double move_row(const std::vector<double>& row, const PcaProducts& products, double rate, double* y,
                std::vector<double>& force) {
    const auto& [across, gram] = products;
    double squares = 0.0;
    for (std::size_t c = 0; c < force.size(); ++c) {
        const double pull = dot(row.data(), across.values.data() + c * across.rows, row.size());
        const double push = dot(y, gram.values.data() + c * gram.rows, gram.rows);
        force[c] = pull - push;
        squares += force[c] * force[c];
    }
    for (std::size_t c = 0; c < force.size(); ++c) {
        y[c] += rate * force[c];
    }
    return squares;
}

/// Sums of blocks, added in their order.
DenseMatrix total(const std::vector<DenseMatrix>& parts, std::size_t rows, std::size_t columns) {
    DenseMatrix sum(rows, columns);
    for (const DenseMatrix& part : parts) {
        for (std::size_t k = 0; k < sum.values.size(); ++k) {
            sum.values[k] += part.values[k];
        }
    }
    return sum;
}

/// visit(i, centred row i, the block's sum) for all points.
template <class Visit>
DenseMatrix sum_over_rows(const CentredPoints& x, std::size_t columns, const RunContext& context, const Visit& visit) {
    const PointsView& points = x.points;
    const std::size_t block = rows_of_gram_block(points.count);
    std::vector<DenseMatrix> parts(block_count(points.count, block));
    parallel_tasks(context, parts.size(), [&](std::size_t task) {
        const Range rows = block_range(task, points.count, block);
        parts[task] = DenseMatrix(points.dimension, columns);
        std::vector<double> row(points.dimension);
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            centred_row(points[static_cast<Index>(i)], x.center, row);
            visit(i, row, task, parts[task]);
        }
    });
    return total(parts, points.dimension, columns);
}

}  // namespace

std::size_t rows_of_gram_block(Index points) {
    return std::max(least_rows, block_count(points, most_blocks));
}

CentredPoints about_mean(const PointsView& points, const RunContext& context) {
    const CentredPoints about_origin{points, std::vector<double>(points.dimension)};
    const double one = 1.0;
    DenseMatrix sum = sum_over_rows(about_origin, 1, context,
                                    [&](std::size_t, const std::vector<double>& row, std::size_t, DenseMatrix& part) {
                                        add_outer_product(row, &one, part);
                                    });
    for (double& value : sum.values) {
        value /= static_cast<double>(points.count);
    }
    return {points, std::move(sum.values)};
}

DenseMatrix product_with_points(const CentredPoints& x, const MultiVector<double>& y, const RunContext& context) {
    return sum_over_rows(x, y.columns(), context,
                         [&](std::size_t i, const std::vector<double>& row, std::size_t, DenseMatrix& part) {
                             add_outer_product(row, y.row(i), part);
                         });
}

GramStep move_by_gram(const CentredPoints& x, const PcaProducts& products, double rate, MultiVector<double>& y,
                      const RunContext& context) {
    const std::size_t blocks = block_count(x.points.count, rows_of_gram_block(x.points.count));
    std::vector<double> squares(blocks);
    std::vector<std::vector<double>> forces(blocks, std::vector<double>(y.columns()));
    GramStep result;
    result.across =
        sum_over_rows(x, y.columns(), context,
                      [&](std::size_t i, const std::vector<double>& row, std::size_t task, DenseMatrix& part) {
                          squares[task] += move_row(row, products, rate, y.row(i), forces[task]);
                          add_outer_product(row, y.row(i), part);
                      });
    for (const double part : squares) {
        result.squared_force += part;
    }
    return result;
}

namespace {

constexpr int pca_iterations_between_records = 10;
constexpr double hessian_bound = 8.0;  // for steps 1 / (8 M): see the header

double trace_of(const DenseMatrix& square) {
    double sum = 0.0;
    for (std::size_t c = 0; c < square.columns; ++c) {
        sum += square(c, c);
    }
    return sum;
}

void require_number(const char* field, double value, bool inside, const char* bound) {
    if (!inside || !std::isfinite(value)) {
        throw InvalidArgument(field, to_text(OptionValue{value}), bound);
    }
}

void require_same_points(const MultiVector<double>& y, const PointsView& points) {
    if (y.rows() != points.count || y.columns() == 0) {
        throw InvalidArgument("start", std::to_string(y.rows()) + " points of " + std::to_string(y.columns()),
                              "must be " + std::to_string(points.count) + " points of at least one number");
    }
}

}  // namespace

PcaDescent::PcaDescent(const PointsView& points, MultiVector<double> start, double largest, double tolerance,
                       RunContext context)
    : x_{points}, y_(std::move(start)), largest_(largest), tolerance_(tolerance), context_(std::move(context)) {
    require_same_points(y_, points);
    require_number("largest eigenvalue", largest, largest > 0.0, "must be above 0");
    require_number("tolerance", tolerance, tolerance >= 0.0, "must be at least 0");
    centre_rows(y_, context_);
    x_ = about_mean(points, context_);
    products_.across = product_with_points(x_, y_, context_);
    look_at_outputs();
}

std::uint64_t PcaDescent::bytes(const PointsView& points, Index dimension) {
    const std::uint64_t blocks = points.count / rows_of_gram_block(points.count) + 1;
    return (blocks + 3) * points.dimension * (std::uint64_t{dimension} + 1) * sizeof(double);
}

void PcaDescent::look_at_outputs() {
    products_.gram = gram(y_, y_, context_);
    if (iteration_ % pca_iterations_between_records == 0) {
        add_record(iteration_, objective(), begin_, trace_);
    }
}

double PcaDescent::objective() const {
    const auto sum_of_squares = [](const std::vector<double>& values) {
        return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
    };
    return sum_of_squares(products_.gram.values) - 2.0 * sum_of_squares(products_.across.values);
}

void PcaDescent::step() {
    const double length = symmetric_eigen(products_.gram, SpectrumOrder::Largest).values.front();
    const double gamma = 1.0 / (hessian_bound * std::max(largest_, length));
    const double size = std::sqrt(trace_of(products_.gram));
    GramStep made = move_by_gram(x_, products_, 4.0 * gamma, y_, context_);
    residual_ = size > 0.0 ? std::sqrt(made.squared_force) / (largest_ * size) : 0.0;
    at_rest_ = residual_ <= tolerance_ && tolerance_ > 0.0;
    products_.across = std::move(made.across);
    ++iteration_;
    look_at_outputs();
}

Termination PcaDescent::run_to(int iteration) {
    try {
        while (iteration_ < iteration && !at_rest_) {
            throw_if_cancelled(context_);
            step();
            context_.report({.phase = "descent",
                             .done = static_cast<std::uint64_t>(iteration_),
                             .total = static_cast<std::uint64_t>(iteration),
                             .objective = trace_.back().objective});
        }
    } catch (const Interruption& interruption) {
        return interruption.reason;
    }
    return at_rest_ ? Termination::Converged : Termination::IterationLimit;
}

void pca_gradient(const PointsView& points, const MultiVector<double>& y, MultiVector<double>& gradient,
                  const RunContext& context) {
    require_same_points(y, points);
    MultiVector<double> centred = y;
    centre_rows(centred, context);
    const CentredPoints x = about_mean(points, context);
    const PcaProducts products{product_with_points(x, centred, context), gram(centred, centred, context)};
    gradient = centred;
    (void)move_by_gram(x, products, -4.0, gradient, context);
    for (std::size_t k = 0; k < gradient.values().size(); ++k) {
        gradient.values()[k] -= centred.values()[k];
    }
}

}  // namespace isogon
