#include "decomposition/completion_updates.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linalg/multi_vector_arithmetic.hpp"

namespace isogon {

namespace {

/// numerator (G + ridge)^-1, with the pseudo-inverse of a singular G.
MultiVector<double> divided(const MultiVector<double>& numerator, const DenseMatrix& gram, double ridge,
                            const RunContext& context) {
    const SmallEigen eigen = symmetric_eigen(gram, SpectrumOrder::Largest);
    const std::size_t r = gram.rows;
    DenseMatrix inverse(r, r);
    for (std::size_t k = 0; k < r; ++k) {
        if (eigen.values[k] > 1e-14 * eigen.values[0]) {
            for (std::size_t j = 0; j < r; ++j) {
                for (std::size_t i = 0; i < r; ++i) {
                    inverse(i, j) += eigen.vectors(i, k) * eigen.vectors(j, k) / (eigen.values[k] + ridge);
                }
            }
        }
    }
    return multiply(numerator, inverse, context);
}

}  // namespace

ReluFactors block_step(const Completion& z, const ReluFactors& from, double ridge, const RunContext& context) {
    ReluFactors next;
    next.left = divided(product(z, false, from.right, context), gram(from.right, from.right, context), ridge, context);
    next.right = divided(product(z, true, next.left, context), gram(next.left, next.left, context), ridge, context);
    return next;
}

ThreeBlock::ThreeBlock(const ReluProblem& problem, ReluFactors start, const ThreeBlockOptions& options,
                       RunContext context)
    : problem_(problem),
      factors_(std::move(start)),
      previous_(factors_),
      options_(options),
      context_(std::move(context)) {
    if (options_.recursive) {
        stored_ = std::make_unique<StoredPair>(problem);
        extrapolate(factors_, 0.0, stored_->latent, stored_->latent, context_);
        stored_->z.complete(stored_->latent, 0.0, stored_->z, context_);
    }
}

ReluFactors ThreeBlock::stepped() {
    if (stored_) {
        stored_->z.complete(stored_->latent, options_.extrapolation, stored_->z, context_);
        return block_step(stored_->z, factors_, options_.ridge, context_);
    }
    const double beta = options_.extrapolation;
    const StreamedCompletion z(problem_, {{&factors_, 1.0 + beta}, {&previous_, -beta}}, context_);
    return block_step(z, factors_, options_.ridge, context_);
}

void ThreeBlock::add_factor_momentum(ReluFactors& next) const {
    const auto add = [&](MultiVector<double>& block, const MultiVector<double>& before) {
        for (std::size_t k = 0; k < block.values().size(); ++k) {
            block.values()[k] += options_.factor_momentum * (block.values()[k] - before.values()[k]);
        }
    };
    add(next.left, factors_.left);
    add(next.right, factors_.right);
}

void ThreeBlock::update() {
    ReluFactors next = stepped();
    if (options_.factor_momentum != 0.0) {
        add_factor_momentum(next);
    }
    if (stored_) {
        extrapolate(next, options_.extrapolation, stored_->latent, stored_->latent, context_);
    }
    previous_ = std::exchange(factors_, std::move(next));
}

namespace {

constexpr double slow = 0.8;           // delta: a decrease by less than a fifth is slow
constexpr double largest_alpha = 4.0;  // alpha_max

}  // namespace

ExtrapolatedBlock::ExtrapolatedBlock(const ReluProblem& problem, ReluFactors start, RunContext context)
    : problem_(problem), factors_(std::move(start)), context_(std::move(context)) {
    objective_ = latent_distance(problem_, factors_, context_);
}

ReluFactors ExtrapolatedBlock::step() const {
    const StreamedCompletion z(problem_, {{&factors_, 1.0}}, context_);
    // (alpha Z + (1 - alpha) W H) v
    const auto extrapolated = [&](bool back, const MultiVector<double>& v) {
        MultiVector<double> result = product(z, back, v, context_);
        const MultiVector<double>& outer = back ? factors_.right : factors_.left;
        const MultiVector<double>& inner = back ? factors_.left : factors_.right;
        for (double& value : result.values()) {
            value *= alpha_;
        }
        DenseMatrix coefficients = gram(inner, v, context_);
        for (double& value : coefficients.values) {
            value *= alpha_ - 1.0;
        }
        subtract_product(outer, coefficients, result, context_);
        return result;
    };
    ReluFactors next;
    next.left = orthonormal_columns(extrapolated(false, factors_.right), context_);
    next.right = extrapolated(true, next.left);
    return next;
}

void ExtrapolatedBlock::update() {
    ReluFactors next = step();
    const double objective = latent_distance(problem_, next, context_);
    if (!(objective < objective_)) {
        // At alpha = 1 only rounding can increase the objective.
        alpha_ = 1.0;
        return;
    }
    if (objective > slow * objective_) {
        mu_ = std::max(mu_, 0.25 * (alpha_ - 1.0));
        alpha_ = std::min(alpha_ + mu_, largest_alpha);
        alpha_ = alpha_ == largest_alpha ? 1.0 : alpha_;
    }
    factors_ = std::move(next);
    objective_ = objective;
}

}  // namespace isogon
