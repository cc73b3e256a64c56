#include "decomposition/gauss_newton.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "decomposition/residual_sums.hpp"
#include "decomposition/row_newton.hpp"
#include "isogon/linalg/wide_arithmetic.hpp"

namespace isogon {

namespace {

// Of conjugate gradients: loose, as the next step linearises anew. Measured on 1% dense and half dense matrices, 0.01
// took half the updates and three times the products of 0.1.
constexpr double tolerance = 0.1;
constexpr double tolerance_near_exact = 0.01;
constexpr int most_products = 60;
// Of the squares, which rows on their own must take off to go on so. Tried: to begin so always, which from a good start
// (nuclear) takes twice the updates; 0.85 for 0.75, after which steps on both factors begin at worse places.
constexpr double least_fall_by_rows = 0.75 * 0.75;
// Steps that raise the objective are cut until they are lost in rounding.
constexpr double largest_damping = 1e12;

/// The kernels want rows of a multiple of 8 numbers.
WideVectors widened(const WideVectors& block) {
    const Index columns = (block.columns + 7) / 8 * 8;
    WideVectors result(block.rows, columns);
    for (Index i = 0; i < block.rows; ++i) {
        std::copy_n(block.row(i), block.columns, result.row(i));
    }
    return result;
}

/// Without the filling.
WideVectors narrowed(const WideVectors& block, Index columns) {
    WideVectors result(block.rows, columns);
    for (Index i = 0; i < block.rows; ++i) {
        std::copy_n(block.row(i), columns, result.row(i));
    }
    return result;
}

/// W + change, without the filling.
WideVectors moved(const WideVectors& block, const WideVectors& change) {
    WideVectors result = block;
    for (Index i = 0; i < block.rows; ++i) {
        for (Index k = 0; k < block.columns; ++k) {
            result.at(i, k) += change.at(i, k);
        }
    }
    return result;
}

}  // namespace

GaussNewton::GaussNewton(const ReluProblem& problem, ReluFactors start, Offset capacity, RunContext context)
    : problem_(problem), factors_(std::move(start)), capacity_(capacity), context_(std::move(context)) {}

void GaussNewton::adapt_damping(double ratio) {
    const double factor = 2.0 * ratio - 1.0;
    damping_ = std::max(1e-15, damping_ * std::max(1.0 / 3.0, 1.0 - factor * factor * factor));
    raise_ = 2.0;
}

void GaussNewton::step_by_rows() {
    const Index rank = factors_.rank();
    ReluFactors wide{widened(factors_.left), widened(factors_.right)};
    wide.left = row_newton_step(problem_.side(false), wide, context_).rows;
    std::swap(wide.left, wide.right);
    RowStep right = row_newton_step(problem_.side(true), wide, context_);
    factors_ = {narrowed(wide.right, rank), narrowed(right.rows, rank)};
    by_rows_ = right.squares < least_fall_by_rows * squares_;
    squares_ = right.squares;
}

void GaussNewton::damped_step(const ActiveSet& active) {
    const ReluFactors wide{widened(factors_.left), widened(factors_.right)};
    const NormalEquations equations(problem_, active, wide, context_);
    const double relative = std::sqrt(equations.squares() / problem_.squared_norm);
    const double wanted = std::clamp(relative, tolerance_near_exact, tolerance);
    while (damping_ < largest_damping) {
        const auto step = equations.solve(damping_ * equations.mean_diagonal(), wanted, most_products);
        products_ += step.products;
        ReluFactors trial{moved(factors_.left, step.change.left), moved(factors_.right, step.change.right)};
        const ReluResiduals sums = relu_residuals(problem_.forward, trial.left, trial.right, context_);
        const double counting = static_cast<double>(problem_.forward.s.entries()) + sums.violations;
        if (counting > static_cast<double>(capacity_)) {
            squares_ = equations.squares();
            step_by_rows();
            return;
        }
        if (sums.latent_squares < equations.squares()) {
            adapt_damping((equations.squares() - sums.latent_squares) / std::max(step.predicted, 1e-300));
            factors_ = std::move(trial);
            return;
        }
        damping_ *= raise_;
        raise_ *= 2.0;
    }
    at_rest_ = true;
}

void GaussNewton::update() {
    factors_ = balanced(factors_, context_);
    std::optional<ActiveSet> active;
    if (!by_rows_) {
        active = active_set(problem_.forward, factors_, capacity_, context_);
    }
    if (active) {
        damped_step(*active);
    } else {
        step_by_rows();
    }
}

}  // namespace isogon
