#include "decomposition/gauss_newton.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/parallel.hpp"
#include "decomposition/residual_kernel.hpp"
#include "linalg/multi_vector.hpp"

namespace isogon {

namespace {

constexpr std::size_t gauss_newton_row_block = 256;

ActiveRow row_of(const EntryPattern& pattern, std::size_t i, const MultiVector<double>& v) {
    return {pattern.row(i), v.row(0), v.columns()};
}

SupportRow support_of(const ReluSide& side, std::size_t i) {
    const auto row = static_cast<Index>(i);
    return {side.s.row_indices(row), side.s.row_values(row)};
}

double dot(const MultiVector<double>& a, const MultiVector<double>& b, const RunContext& context) {
    return parallel_sum(context, a.rows(), gauss_newton_row_block, [&](Range rows) {
        double sum = 0.0;
        for (std::size_t k = rows.begin * a.columns(); k < rows.end * a.columns(); ++k) {
            sum += a.values()[k] * b.values()[k];
        }
        return sum;
    });
}

double dot(const ReluFactors& a, const ReluFactors& b, const RunContext& context) {
    return dot(a.left, b.left, context) + dot(a.right, b.right, context);
}

/// out = in + factor * out, and the like for both factors.
void combine(const ReluFactors& in, double in_factor, ReluFactors& out, double out_factor) {
    const auto one = [&](const MultiVector<double>& from, MultiVector<double>& to) {
        for (std::size_t k = 0; k < to.values().size(); ++k) {
            to.values()[k] = in_factor * from.values()[k] + out_factor * to.values()[k];
        }
    };
    one(in.left, out.left);
    one(in.right, out.right);
}

ReluFactors zeros_like(const ReluFactors& factors) {
    return {MultiVector<double>(factors.left.rows(), factors.left.columns()),
            MultiVector<double>(factors.right.rows(), factors.right.columns())};
}

}  // namespace

NormalEquations::NormalEquations(const ReluProblem& problem, const ActiveSet& active, const ReluFactors& factors,
                                 RunContext context)
    : active_(active), factors_(factors), context_(std::move(context)), gradient_(zeros_like(factors)) {
    const auto add_gradient = [&](bool back, const MultiVector<double>& w, const MultiVector<double>& v,
                                  MultiVector<double>& gradient) {
        return parallel_sum(context_, w.rows(), gauss_newton_row_block, [&](Range rows) {
            double squares = 0.0;
            for (std::size_t i = rows.begin; i < rows.end; ++i) {
                squares += residual_row(row_of(active_.side(back), i, v), support_of(problem.side(back), i), w.row(i),
                                        gradient.row(i));
            }
            return squares;
        });
    };
    squares_ = add_gradient(false, factors.left, factors.right, gradient_.left);
    add_gradient(true, factors.right, factors.left, gradient_.right);
    left_grams_ = grams(false);
    right_grams_ = grams(true);
    double trace = 0.0;
    double counted = 0.0;
    for (const Blocks* blocks : {&left_grams_, &right_grams_}) {
        const std::size_t r = factors.rank();
        for (std::size_t block = 0; block < blocks->size(); block += r * r) {
            for (std::size_t k = 0; k < r; ++k) {
                const double value = (*blocks)[block + k * r + k];
                trace += value;
                counted += value > 0.0 ? 1.0 : 0.0;
            }
        }
    }
    mean_diagonal_ = counted > 0.0 ? trace / counted : 0.0;
}

NormalEquations::Blocks NormalEquations::grams(bool back) {
    const EntryPattern& pattern = active_.side(back);
    const MultiVector<double>& v = back ? factors_.left : factors_.right;
    const std::size_t r = factors_.rank();
    Blocks blocks(std::size_t{pattern.rows()} * r * r);
    parallel_blocks(context_, pattern.rows(), gauss_newton_row_block, [&](Range rows) {
        throw_if_cancelled_in_task(context_);
        std::vector<double> gram(r * r);
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            std::ranges::fill(gram, 0.0);
            gram_row(row_of(pattern, i, v), gram.data());
            std::ranges::transform(gram, blocks.begin() + static_cast<std::ptrdiff_t>(i * r * r),
                                   [](double value) { return static_cast<float>(value); });
        }
    });
    return blocks;
}

NormalEquations::Blocks NormalEquations::factored(const Blocks& grams, double damping) const {
    const std::size_t r = factors_.rank();
    Blocks factor = grams;
    parallel_blocks(context_, factor.size() / (r * r), gauss_newton_row_block, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            float* block = factor.data() + i * r * r;
            for (std::size_t k = 0; k < r; ++k) {
                block[k * r + k] += static_cast<float>(damping);
            }
            cholesky_in_place(block, r);
        }
    });
    return factor;
}

void NormalEquations::precondition(const Blocks& inverse, const MultiVector<double>& in,
                                   MultiVector<double>& out) const {
    const std::size_t r = in.columns();
    parallel_blocks(context_, in.rows(), gauss_newton_row_block, [&](Range rows) {
        std::vector<float> x(r);
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            // Scaled by the row's largest magnitude, so that small residuals near the solution do not underflow in
            // float32.
            const double* from = in.row(i);
            double largest = 0.0;
            for (std::size_t k = 0; k < r; ++k) {
                largest = std::max(largest, std::abs(from[k]));
            }
            const double unit = largest > 0.0 ? largest : 1.0;
            for (std::size_t k = 0; k < r; ++k) {
                x[k] = static_cast<float>(from[k] / unit);
            }
            cholesky_solve(inverse.data() + i * r * r, r, x.data());
            for (std::size_t k = 0; k < r; ++k) {
                out.row(i)[k] = unit * double{x[k]};
            }
        }
    });
}

void NormalEquations::apply(const ReluFactors& in, double damping, ReluFactors& out) const {
    throw_if_cancelled(context_);
    const auto one = [&](bool back, const MultiVector<double>& w, const MultiVector<double>& v,
                         const MultiVector<double>& p, const MultiVector<double>& q, MultiVector<double>& result) {
        parallel_blocks(context_, w.rows(), gauss_newton_row_block, [&](Range rows) {
            for (std::size_t i = rows.begin; i < rows.end; ++i) {
                for (Index k = 0; k < w.columns(); ++k) {
                    result.at(i, k) = damping * p.at(i, k);
                }
                normal_row(row_of(active_.side(back), i, v), w.row(i), p.row(i), q.row(0), result.row(i));
            }
        });
    };
    one(false, factors_.left, factors_.right, in.left, in.right, out.left);
    one(true, factors_.right, factors_.left, in.right, in.left, out.right);
}

NormalEquations::Step NormalEquations::solve(double damping, double tolerance, int most_products) const {
    const Blocks left_inverse = factored(left_grams_, damping);
    const Blocks right_inverse = factored(right_grams_, damping);
    Step step{zeros_like(factors_)};
    ReluFactors residual = gradient_;
    ReluFactors direction = zeros_like(factors_);
    ReluFactors preconditioned = zeros_like(factors_);
    ReluFactors product = zeros_like(factors_);
    double previous = 0.0;
    double first = 0.0;
    while (true) {
        precondition(left_inverse, residual.left, preconditioned.left);
        precondition(right_inverse, residual.right, preconditioned.right);
        const double size = dot(residual, preconditioned, context_);
        first = step.products == 0 ? size : first;
        if (step.products == most_products || !(size > tolerance * tolerance * first)) {
            break;
        }
        combine(preconditioned, 1.0, direction, step.products == 0 ? 0.0 : size / previous);
        apply(direction, damping, product);
        const double length = size / dot(direction, product, context_);
        combine(direction, length, step.change, 1.0);
        combine(product, -length, residual, 1.0);
        previous = size;
        ++step.products;
    }
    // |r - J x|^2 = |r|^2 - 2 x.g + x.(J^T J x), and J^T J x = g - residual - damping x.
    step.predicted = dot(step.change, gradient_, context_) + dot(step.change, residual, context_) +
                     damping * dot(step.change, step.change, context_);
    return step;
}

std::uint64_t NormalEquations::bytes(Index rows, Index columns, Index rank) {
    const std::uint64_t both = std::uint64_t{rows} + columns;
    const std::uint64_t padded = (std::uint64_t{rank} + 7) / 8 * 8;
    return both * padded * padded * 2 * sizeof(float) + 7 * both * padded * sizeof(double);
}

namespace {

// Tolerance of conjugate gradients: loose, as the next step linearises again. Measured on 1% dense and half dense
// matrices: 0.01 took half the updates and three times the products of 0.1.
constexpr double tolerance = 0.1;
constexpr double tolerance_near_exact = 0.01;
constexpr int most_products = 60;
// Updates by rows continue while each reduces the squares at least to this share. Tried and rejected: updates by rows
// from the beginning, which from a good start (nuclear) take twice the updates; 0.85 for 0.75, after which steps on
// both factors begin at worse points.
constexpr double least_fall_by_rows = 0.75 * 0.75;
// While a step increases the objective the damping is raised; at this damping the step is below rounding.
constexpr double largest_damping = 1e12;

/// The block with so many columns: the first of its own, or all and zeros.
MultiVector<double> with_columns(const MultiVector<double>& block, Index columns) {
    MultiVector<double> result(block.rows(), columns);
    for (Index i = 0; i < block.rows(); ++i) {
        std::copy_n(block.row(i), std::min(columns, block.columns()), result.row(i));
    }
    return result;
}

/// The kernels need rows of a multiple of 8 numbers.
ReluFactors widened(const ReluFactors& factors) {
    const Index columns = (factors.rank() + 7) / 8 * 8;
    return {with_columns(factors.left, columns), with_columns(factors.right, columns)};
}

/// W + change, without the padding.
MultiVector<double> moved(const MultiVector<double>& block, const MultiVector<double>& change) {
    MultiVector<double> result = block;
    for (Index i = 0; i < block.rows(); ++i) {
        for (Index k = 0; k < block.columns(); ++k) {
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
    ReluFactors wide = widened(factors_);
    wide.left = row_newton_step(problem_.side(false), wide, context_).rows;
    std::swap(wide.left, wide.right);
    RowStep right = row_newton_step(problem_.side(true), wide, context_);
    factors_ = {with_columns(wide.right, rank), with_columns(right.rows, rank)};
    by_rows_ = right.squares < least_fall_by_rows * squares_;
    squares_ = right.squares;
}

void GaussNewton::damped_step(const ActiveSet& active) {
    const ReluFactors wide = widened(factors_);
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
