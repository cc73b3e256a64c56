#include "decomposition/extrapolated_block.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "decomposition/completion_svd.hpp"
#include "decomposition/residual_sums.hpp"
#include "decomposition/streamed_completion.hpp"
#include "isogon/linalg/wide_arithmetic.hpp"

namespace isogon {

namespace {

constexpr double slow = 0.8;           // delta: a fall of less than a fifth is slow
constexpr double largest_alpha = 4.0;  // alpha_max

double objective_of(const ReluProblem& problem, const ReluFactors& factors, const RunContext& context) {
    return std::sqrt(relu_residuals(problem.forward, factors.left, factors.right, context).latent_squares);
}

}  // namespace

ExtrapolatedBlock::ExtrapolatedBlock(const ReluProblem& problem, ReluFactors start, RunContext context)
    : problem_(problem), factors_(std::move(start)), context_(std::move(context)) {
    objective_ = objective_of(problem_, factors_, context_);
}

ReluFactors ExtrapolatedBlock::step() const {
    const StreamedCompletion z(problem_, {{&factors_, 1.0}}, context_);
    // (alpha Z + (1 - alpha) W H) v
    const auto extrapolated = [&](bool back, const WideVectors& v) {
        WideVectors result = product(z, back, v, context_);
        const WideVectors& outer = back ? factors_.right : factors_.left;
        const WideVectors& inner = back ? factors_.left : factors_.right;
        for (double& value : result.values) {
            value *= alpha_;
        }
        DenseMatrix coefficients = cross_product(inner, v, context_);
        for (double& value : coefficients.values) {
            value *= alpha_ - 1.0;
        }
        subtract_combination(outer, coefficients, result, context_);
        return result;
    };
    ReluFactors next;
    next.left = orthonormal_columns(extrapolated(false, factors_.right), context_);
    next.right = extrapolated(true, next.left);
    return next;
}

void ExtrapolatedBlock::update() {
    ReluFactors next = step();
    const double objective = objective_of(problem_, next, context_);
    if (!(objective < objective_)) {
        // At alpha = 1 only rounding can raise it.
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
