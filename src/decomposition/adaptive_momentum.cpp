#include "decomposition/adaptive_momentum.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "decomposition/completion_svd.hpp"
#include "decomposition/residual_sums.hpp"
#include "decomposition/streamed_completion.hpp"

namespace isogon {

namespace {

constexpr Index guard = 8;
constexpr double growth = 1.1;         // gamma
constexpr double bound_growth = 1.05;  // gamma bar
constexpr double cut = 0.4;            // eta

double streamed_objective(const ReluProblem& problem, const ReluFactors& factors, const RunContext& context) {
    return std::sqrt(relu_residuals(problem.forward, factors.left, factors.right, context).latent_squares);
}

}  // namespace

AdaptiveMomentum::AdaptiveMomentum(const ReluProblem& problem, ReluFactors start, bool recursive, std::uint64_t seed,
                                   RunContext context)
    : problem_(problem),
      factors_(std::move(start)),
      previous_(factors_),
      context_(std::move(context)),
      basis_(with_guard(factors_.right, guard, seed)) {
    if (recursive) {
        current_ = std::make_unique<Stored>(problem);
        trial_ = std::make_unique<Stored>(problem);
        extrapolate(factors_, 0.0, current_->latent, current_->latent, context_);
        current_->z.complete(current_->latent, 0.0, current_->z, context_);
        objective_ = current_->z.distance(current_->latent, context_);
    } else {
        objective_ = streamed_objective(problem_, factors_, context_);
    }
}

ReluFactors AdaptiveMomentum::approximation(const Completion& z) {
    CompletionSvd svd = completion_svd(z, basis_, {.rank = factors_.rank()}, context_);
    basis_ = std::move(svd.right);
    return std::move(svd.factors);
}

void AdaptiveMomentum::adapt(bool fell) {
    if (fell) {
        last_accepted_ = beta_;
        beta_ = std::min(bound_, growth * beta_);
        bound_ = std::min(1.0, bound_growth * bound_);
    } else {
        bound_ = last_accepted_;
        beta_ *= cut;
    }
}

void AdaptiveMomentum::update_stored() {
    trial_->z.complete(current_->latent, beta_, current_->z, context_);
    ReluFactors next = approximation(trial_->z);
    extrapolate(next, beta_, current_->latent, trial_->latent, context_);
    const double objective = trial_->z.distance(trial_->latent, context_);
    const bool fell = objective < objective_;
    if (fell) {
        std::swap(current_, trial_);
        factors_ = std::move(next);
        objective_ = objective;
    }
    adapt(fell);
}

void AdaptiveMomentum::update_streamed() {
    const StreamedCompletion z(problem_, {{&factors_, 1.0 + beta_}, {&previous_, -beta_}}, context_);
    ReluFactors next = approximation(z);
    const double objective = streamed_objective(problem_, next, context_);
    const bool fell = objective < objective_;
    if (fell) {
        previous_ = std::exchange(factors_, std::move(next));
        objective_ = objective;
    }
    adapt(fell);
}

void AdaptiveMomentum::update() {
    if (current_) {
        update_stored();
    } else {
        update_streamed();
    }
}

}  // namespace isogon
