#include "isogon/forces/pca_descent.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "forces/gram_force.hpp"
#include "forces/momentum_steps.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/linalg/symmetric_eigen.hpp"
#include "isogon/linalg/wide_vectors.hpp"

namespace isogon {

namespace {

constexpr int iterations_between_records = 10;
constexpr double hessian_bound = 8.0;  // of steps 1 / (8 M): see the header

double sum_of_squares(const std::vector<double>& values) {
    double sum = 0.0;
    for (const double value : values) {
        sum += value * value;
    }
    return sum;
}

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

void require_same_points(const WideVectors& y, const PointsView& points) {
    if (y.rows != points.count || y.columns == 0) {
        throw InvalidArgument("start", std::to_string(y.rows) + " points of " + std::to_string(y.columns),
                              "must be " + std::to_string(points.count) + " points of at least one number");
    }
}

}  // namespace

PcaDescent::PcaDescent(const PointsView& points, WideVectors start, double largest, const PcaDescentOptions& options,
                       RunContext context)
    : points_(points), y_(std::move(start)), largest_(largest), options_(options), context_(std::move(context)) {
    require_same_points(y_, points_);
    require_number("largest eigenvalue", largest, largest > 0.0, "must be above 0");
    require_number("step", options.step, options.step > 0.0, "must be above 0");
    require_number("tolerance", options.tolerance, options.tolerance >= 0.0, "must be at least 0");
    centre_rows(y_, context_);
    center_ = mean_of(points_, context_);
    across_ = product_with_points(points_, center_, y_, context_);
    look_at_outputs();
}

std::uint64_t PcaDescent::bytes(const PointsView& points, Index dimension) {
    const std::uint64_t blocks = points.count / rows_of_gram_block(points.count) + 1;
    return (blocks + 3) * points.dimension * (std::uint64_t{dimension} + 1) * sizeof(double);
}

void PcaDescent::look_at_outputs() {
    gram_ = cross_product(y_, y_, context_);
    if (iteration_ % iterations_between_records == 0) {
        const double value = objective();
        const double change = trace_.empty() ? 0.0 : trace_.back().objective - value;
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin_;
        trace_.push_back({iteration_, value, change, seconds.count()});
    }
}

double PcaDescent::objective() const {
    return sum_of_squares(gram_.values) - 2.0 * sum_of_squares(across_.values);
}

void PcaDescent::step() {
    const double length = symmetric_eigen(gram_, SpectrumOrder::Largest).values.front();
    const double gamma = options_.step / (hessian_bound * std::max(largest_, length));
    const double size = std::sqrt(trace_of(gram_));
    GramStep made = move_by_gram(points_, center_, across_, gram_, 4.0 * gamma, y_, context_);
    residual_ = size > 0.0 ? std::sqrt(made.squared_force) / (largest_ * size) : 0.0;
    at_rest_ = residual_ <= options_.tolerance && options_.tolerance > 0.0;
    across_ = std::move(made.across);
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

void pca_gradient(const PointsView& points, const WideVectors& y, WideVectors& gradient, const RunContext& context) {
    require_same_points(y, points);
    WideVectors centred = y;
    centre_rows(centred, context);
    const std::vector<double> center = mean_of(points, context);
    const DenseMatrix across = product_with_points(points, center, centred, context);
    const DenseMatrix gram = cross_product(centred, centred, context);
    gradient = centred;
    (void)move_by_gram(points, center, across, gram, -4.0, gradient, context);
    for (std::size_t k = 0; k < gradient.values.size(); ++k) {
        gradient.values[k] -= centred.values[k];
    }
}

}  // namespace isogon
