#include "decomposition/alternation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "decomposition/completion.hpp"
#include "decomposition/relu_problem.hpp"
#include "isogon/linalg/wide_arithmetic.hpp"

namespace isogon {

namespace {

constexpr Index guard = 8;

/// The standard deviation of all entries of S: the published first noise level.
double spread_of_entries(const ReluProblem& problem) {
    double sum = 0.0;
    for (const double value : problem.forward.s.values) {
        sum += value;
    }
    const double count = problem.known();
    return std::sqrt(std::max(0.0, problem.squared_norm / count - sum / count * (sum / count)));
}

}  // namespace

Alternation::Alternation(const ReluProblem& problem, ReluFactors start, const AlternationOptions& options,
                         RunContext context)
    : problem_(problem),
      factors_(std::move(start)),
      previous_(factors_),
      options_(options),
      context_(std::move(context)),
      basis_(with_guard(factors_.right, guard, options.seed)),
      noise_(options.gaussian ? spread_of_entries(problem) : 0.0) {
    if (options_.recursive && (options_.momentum == 0.0 || options_.gaussian)) {
        z_[0] = std::make_unique<StoredCompletion>(problem);
    } else if (options_.recursive) {
        latent_ = std::make_unique<TileArray>(problem.forward.rows(), problem.forward.columns());
        extrapolate(factors_, 0.0, *latent_, *latent_, context_);
        for (auto& z : z_) {
            z = std::make_unique<StoredCompletion>(problem);
            z->complete(*latent_, 0.0, *z, context_);
        }
    }
}

void Alternation::approximate(const Completion& z) {
    CompletionSvd svd = completion_svd(z, basis_, {.rank = factors_.rank()}, context_);
    basis_ = std::move(svd.right);
    previous_ = std::exchange(factors_, std::move(svd.factors));
}

void Alternation::update_stored() {
    std::swap(z_[2], z_[1]);
    std::swap(z_[1], z_[0]);
    // z_[0] is now the oldest but one update: it is added before it is written over.
    StoredCompletion& z = *z_[0];
    const StoredCompletion& newer = *z_[1];
    const StoredCompletion& older = *z_[2];
    z.complete(*latent_, 0.0, z, context_);
    z.add_difference(options_.momentum, newer, older, context_);
    approximate(z);
    extrapolate(factors_, 0.0, *latent_, *latent_, context_);
}

void Alternation::update_streamed() {
    const double gamma = options_.momentum;
    std::vector<ReluTerm> terms{{&factors_, 1.0 + gamma}};
    if (gamma != 0.0) {
        terms.push_back({&previous_, -gamma});
    }
    const StreamedCompletion streamed(problem_, terms, context_, noise_);
    if (z_[0]) {
        z_[0]->hold(streamed, context_);
    }
    const Completion& z = z_[0] ? static_cast<const Completion&>(*z_[0]) : streamed;
    const double variance = options_.gaussian ? streamed.variance(context_) : 0.0;
    const double squares = options_.gaussian ? squared_norm(z, context_) : 0.0;
    approximate(z);
    if (options_.gaussian) {
        update_noise(variance, squares);
    }
}

void Alternation::update_noise(double variance, double squares) {
    // |Z - L|^2 = |Z|^2 - |L|^2, as L is a projection of Z.
    const DenseMatrix left = cross_product(factors_.left, factors_.left, context_);
    const DenseMatrix right = cross_product(factors_.right, factors_.right, context_);
    double captured = 0.0;
    for (std::size_t k = 0; k < left.values.size(); ++k) {
        captured += left.values[k] * right.values[k];
    }
    const double level = (variance + std::max(0.0, squares - captured)) / problem_.known();
    // An exact L would leave none, and the E-step divides by it.
    noise_ = std::max(std::sqrt(level), 1e-12 * std::sqrt(problem_.squared_norm / problem_.known()));
}

void Alternation::update() {
    if (latent_) {
        update_stored();
    } else {
        update_streamed();
    }
}

namespace {

constexpr double growth = 1.1;         // gamma
constexpr double bound_growth = 1.05;  // gamma bar
constexpr double cut = 0.4;            // eta

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
        objective_ = latent_distance(problem_, factors_, context_);
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
    const double objective = latent_distance(problem_, next, context_);
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
