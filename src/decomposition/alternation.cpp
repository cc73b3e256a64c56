#include "decomposition/completion_updates.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "isogon/core/error.hpp"
#include "linalg/multi_vector_arithmetic.hpp"

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
    // z_[0] now holds the oldest Z, whose memory is reused: Z = P(L) + gamma (newer - older).
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
    const DenseMatrix left = gram(factors_.left, factors_.left, context_);
    const DenseMatrix right = gram(factors_.right, factors_.right, context_);
    double captured = 0.0;
    for (std::size_t k = 0; k < left.values.size(); ++k) {
        captured += left.values[k] * right.values[k];
    }
    const double level = (variance + std::max(0.0, squares - captured)) / problem_.known();
    // An exact L would give zero, by which the E-step divides.
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
        current_ = std::make_unique<StoredPair>(problem);
        trial_ = std::make_unique<StoredPair>(problem);
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

namespace {

Similarities upper_half(const ReluProblem& problem) {
    const CsrMatrix<double>& s = problem.forward.s;
    Similarities half;
    half.upper.rows = s.rows;
    half.upper.columns = s.columns;
    half.diagonal.assign(s.rows, 0.0F);
    half.squared_norm = problem.squared_norm;
    for (Index i = 0; i < s.rows; ++i) {
        for (std::size_t k = 0; k < s.row_indices(i).size(); ++k) {
            const Index j = s.row_indices(i)[k];
            const auto value = static_cast<float>(s.row_values(i)[k]);
            if (j == i) {
                half.diagonal[i] = value;
            } else if (j > i) {
                half.upper.indices.push_back(j);
                half.upper.values.push_back(value);
            }
        }
        half.upper.offsets.push_back(half.upper.indices.size());
    }
    return half;
}

/// Largest difference of mirrored entries, relative to the largest entry, that counts as symmetric: the rounding of a
/// matrix computed in float32.
constexpr double rounding = 1e-6;

/// An entry of a sparse matrix, 0 where it has none.
double entry(const CsrMatrix<double>& matrix, Index i, Index j) {
    const auto columns = matrix.row_indices(i);
    const auto found = std::ranges::lower_bound(columns, j);
    return found != columns.end() && *found == j
               ? matrix.row_values(i)[static_cast<std::size_t>(found - columns.begin())]
               : 0.0;
}

/// (W H + (W H)^T) / 2 = ((W + V) (W + V)^T - (W - V) (W - V)^T) / 4 with V = H^T.
LowRank symmetric_part(const ReluFactors& factors) {
    const Index n = factors.left.rows();
    const Index r = factors.rank();
    LowRank result{MultiVector<float>(n, 2 * r), std::vector<double>(2 * std::size_t{r}, 0.25)};
    for (Index i = 0; i < n; ++i) {
        for (Index k = 0; k < r; ++k) {
            const double w = factors.left.at(i, k);
            const double v = factors.right.at(i, k);
            result.factor.row(i)[k] = static_cast<float>(w + v);
            result.factor.row(i)[r + k] = static_cast<float>(w - v);
        }
    }
    std::fill(result.weights.begin() + static_cast<std::ptrdiff_t>(r), result.weights.end(), -0.25);
    return result;
}

}  // namespace

void require_symmetric(const ReluProblem& problem) {
    const CsrMatrix<double>& a = problem.forward.s;
    const CsrMatrix<double>& b = problem.backward.s;
    if (a.rows != a.columns) {
        throw InvalidArgument("algorithm", "symmetric",
                              "S is " + std::to_string(a.rows) + " x " + std::to_string(a.columns) +
                                  ", not square: choose another algorithm");
    }
    if (problem.forward.observed) {
        throw InvalidArgument("algorithm", "symmetric", "cannot complete missing entries: choose newton");
    }
    const double largest = *std::ranges::max_element(a.values);
    for (Index i = 0; i < a.rows; ++i) {
        for (std::size_t k = 0; k < a.row_indices(i).size(); ++k) {
            const Index j = a.row_indices(i)[k];
            if (std::abs(a.row_values(i)[k] - entry(b, i, j)) > rounding * largest) {
                throw InvalidArgument("algorithm", "symmetric",
                                      "S is not symmetric: row " + std::to_string(i) + ", column " + std::to_string(j) +
                                          " differs from its mirror image; choose another algorithm");
            }
        }
    }
}

SymmetricUpdate::SymmetricUpdate(const ReluProblem& problem, const ReluFactors& start, std::uint64_t seed,
                                 RunContext context)
    : similarities_(upper_half(problem)),
      context_(std::move(context)),
      state_(similarities_, symmetric_part(start), {.rank = start.rank(), .regularize = false, .seed = seed}, context_),
      factors_(start) {}

void SymmetricUpdate::read_off() {
    const LowRank& l = state_.matrix();
    factors_ = {MultiVector<double>(l.size(), l.rank()), MultiVector<double>(l.size(), l.rank())};
    for (Index i = 0; i < l.size(); ++i) {
        for (Index k = 0; k < l.rank(); ++k) {
            const double value = std::sqrt(std::abs(l.weights[k])) * double{l.factor.row(i)[k]};
            factors_.left.at(i, k) = value;
            factors_.right.at(i, k) = l.weights[k] < 0.0 ? -value : value;
        }
    }
}

void SymmetricUpdate::update() {
    state_.update();
    read_off();
}

}  // namespace isogon
