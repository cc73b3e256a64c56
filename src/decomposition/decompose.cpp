#include "decomposition/decompose.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "decomposition/completion_updates.hpp"
#include "decomposition/gauss_newton.hpp"
#include "decomposition/relu_problem.hpp"
#include "decomposition/relu_start.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

using Clock = std::chrono::steady_clock;

std::unique_ptr<ReluUpdate> make_update(const ReluProblem& problem, const DecomposeOptions& options, ReluFactors start,
                                        const RunContext& context) {
    const bool recursive = is_recursive(size_of(problem), options.history);
    const auto alternation = [&](double momentum, bool gaussian) {
        return std::make_unique<Alternation>(
            problem, std::move(start),
            AlternationOptions{
                .momentum = momentum, .recursive = recursive, .gaussian = gaussian, .seed = options.seed},
            context);
    };
    switch (options.algorithm) {
        case ReluAlgorithm::Alternating: return alternation(0.0, false);
        case ReluAlgorithm::Momentum: return alternation(options.momentum, false);
        case ReluAlgorithm::Em: return alternation(options.momentum, true);
        case ReluAlgorithm::AdaptiveMomentum:
            return std::make_unique<AdaptiveMomentum>(problem, std::move(start), recursive, options.seed, context);
        case ReluAlgorithm::ThreeBlock:
            return std::make_unique<ThreeBlock>(
                problem, std::move(start),
                ThreeBlockOptions{.extrapolation = options.extrapolation, .recursive = recursive}, context);
        case ReluAlgorithm::Tikhonov: {
            const double unit = std::sqrt(problem.squared_norm / options.rank);
            return std::make_unique<ThreeBlock>(problem, std::move(start),
                                                ThreeBlockOptions{.extrapolation = options.extrapolation,
                                                                  .ridge = options.ridge * unit,
                                                                  .factor_momentum = -0.05,
                                                                  .recursive = recursive},
                                                context);
        }
        case ReluAlgorithm::ExtrapolatedBlock:
            return std::make_unique<ExtrapolatedBlock>(problem, std::move(start), context);
        case ReluAlgorithm::Symmetric: return std::make_unique<SymmetricUpdate>(problem, start, options.seed, context);
        case ReluAlgorithm::GaussNewton: break;
    }
    return std::make_unique<GaussNewton>(problem, std::move(start), active_capacity(size_of(problem)), context);
}

ReluResidual relative(const ReluResiduals& sums, double squared_norm) {
    return {std::sqrt(sums.latent_squares / squared_norm), std::sqrt(sums.output_squares / squared_norm),
            sums.violations};
}

/// A run of updates with its trace, its ends, and the best factors so far.
class Run {
public:
    Run(const ReluProblem& problem, const DecomposeOptions& options, const RunContext& context)
        : problem_(problem), options_(options), context_(context) {}

    Decomposition operator()(const ReluFactors* start) {
        Summary& summary = result_.summary;
        try {
            ReluFactors first;
            {
                const PhaseTimer timer(summary, "start");
                first = balanced(start != nullptr ? *start : chosen_start(problem_, options_, context_), context_);
                look_at(first);
            }
            const PhaseTimer timer(summary, "updates");
            if (options_.iterations > 0) {
                update_ = make_update(problem_, options_, std::move(first), context_);
            }
            summary.termination = run();
        } catch (const Interruption& interruption) {
            summary.termination = interruption.reason;
        }
        finish();
        return std::move(result_);
    }

private:
    /// Measures the factors, and keeps them if they are the best so far. False if they are not finite.
    bool look_at(const ReluFactors& factors) {
        now_ = relative(relu_residuals(problem_.forward, factors.left, factors.right, context_), problem_.squared_norm);
        if (!std::isfinite(now_.latent) || !std::isfinite(now_.output)) {
            return false;
        }
        if (result_.factors.left.rows() == 0 || now_.output < best_.output) {
            best_ = now_;
            result_.factors = factors;
        }
        return true;
    }

    Termination run() {
        for (int iteration = 1; iteration <= options_.iterations; ++iteration) {
            const double before = now_.latent;
            update_->update();
            if (!look_at(update_->factors())) {
                return Termination::NumericalFailure;
            }
            record(iteration, before);
            if (now_.latent <= options_.latent_tolerance || now_.output <= options_.output_tolerance) {
                return Termination::Converged;
            }
            if (update_->at_rest() || stalled()) {
                return Termination::Stalled;
            }
            throw_if_cancelled(context_);
        }
        return Termination::IterationLimit;
    }

    void record(int iteration, double before) {
        result_.summary.trace.push_back({iteration, now_.latent, (before - now_.latent) / std::max(before, 1e-300),
                                         std::chrono::duration<double>(Clock::now() - began_).count()});
        result_.output_residuals.push_back(now_.output);
        context_.report({"updates", static_cast<std::uint64_t>(iteration),
                         static_cast<std::uint64_t>(options_.iterations), now_.latent});
    }

    /// Whether ten updates have changed the residual by a smaller share of itself than the tolerance.
    bool stalled() {
        constexpr std::size_t window = 10;
        recent_.push_back(now_.latent);
        if (recent_.size() <= window) {
            return false;
        }
        const double change = std::abs(recent_.front() - now_.latent);
        recent_.pop_front();
        return change < options_.stall_tolerance * now_.latent;
    }

    void finish() {
        Summary& summary = result_.summary;
        summary.seed = options_.seed;
        summary.threads = context_.thread_count();
        if (result_.factors.left.rows() != 0) {
            result_.factors = balanced(result_.factors, {.threads = context_.threads});
            summary.measure("latent_residual", best_.latent);
            summary.measure("output_residual", best_.output);
            summary.count("violations", best_.violations);
        }
        if (const auto* em = dynamic_cast<const Alternation*>(update_.get());
            em != nullptr && options_.algorithm == ReluAlgorithm::Em) {
            summary.measure("noise_level", em->noise());
        }
        if (const auto* newton = dynamic_cast<const GaussNewton*>(update_.get())) {
            summary.count("products", newton->products());
        }
        summary.message = std::string(name(summary.termination)) + " after " + std::to_string(summary.trace.size()) +
                          " updates" + residual_text();
    }

    [[nodiscard]] std::string residual_text() const {
        return result_.factors.left.rows() == 0 ? ", before there were any factors"
                                                : ": |Z - L| / |S| = " + to_text(best_.latent) +
                                                      ", |S - max(0, L)| / |S| = " + to_text(best_.output);
    }

    const ReluProblem& problem_;
    const DecomposeOptions& options_;
    const RunContext& context_;
    std::unique_ptr<ReluUpdate> update_;
    ReluResidual now_;
    ReluResidual best_;
    std::deque<double> recent_;
    Clock::time_point began_ = Clock::now();
    Decomposition result_;
};

void require_fit(const ReluFactors& factors, const CsrMatrix<double>& s, const char* what) {
    if (factors.left.rows() != s.rows || factors.right.rows() != s.columns ||
        factors.left.columns() != factors.right.columns()) {
        throw InvalidArgument(
            what,
            "W of " + std::to_string(factors.left.rows()) + " x " + std::to_string(factors.left.columns()) +
                " and H of " + std::to_string(factors.right.columns()) + " x " + std::to_string(factors.right.rows()),
            "must make a matrix of the shape of S, " + std::to_string(s.rows) + " x " + std::to_string(s.columns));
    }
}

void require_usable(const CsrMatrix<double>& s, const DecomposeOptions& options, const ReluFactors* start) {
    decompose_option_table().validate(options);
    const Index shorter = std::min(s.rows, s.columns);
    if (static_cast<Index>(options.rank) > shorter) {
        throw InvalidArgument("rank", std::to_string(options.rank),
                              "must be at most the shorter side of S, " + std::to_string(shorter));
    }
    if (start != nullptr) {
        require_fit(*start, s, "start");
        if (start->rank() != static_cast<Index>(options.rank)) {
            throw InvalidArgument("rank", std::to_string(options.rank),
                                  "must be that of the start, " + std::to_string(start->rank()));
        }
    }
}

}  // namespace

const OptionTable<DecomposeOptions>& decompose_option_table() {
    using O = DecomposeOptions;
    static const auto table =
        OptionTable<O>()
            .choice("algorithm", &O::algorithm,
                    {{"newton", ReluAlgorithm::GaussNewton},
                     {"alternating", ReluAlgorithm::Alternating},
                     {"momentum", ReluAlgorithm::Momentum},
                     {"a-nmd", ReluAlgorithm::AdaptiveMomentum},
                     {"3b", ReluAlgorithm::ThreeBlock},
                     {"ebcd", ReluAlgorithm::ExtrapolatedBlock},
                     {"em", ReluAlgorithm::Em},
                     {"tikhonov", ReluAlgorithm::Tikhonov},
                     {"symmetric", ReluAlgorithm::Symmetric}},
                    "how L is found: newton is this project's and reaches the smallest error; the others are published")
            .integer("rank", &O::rank, {1, 4096}, "of L; more fit S better")
            .choice("start", &O::start,
                    {{"auto", ReluStart::Auto},
                     {"shifted", ReluStart::Shifted},
                     {"spherical", ReluStart::Spherical},
                     {"svd", ReluStart::Svd},
                     {"nuclear", ReluStart::Nuclear},
                     {"random", ReluStart::Random}},
                    "where L begins: the nearer of the next two; the best one of S with minus its mean positive entry "
                    "for zeros; this with rows and columns as points on a sphere; the best one of S itself; after "
                    "steps on the nuclear norm (dense); random")
            .integer("iterations", &O::iterations, {0, 1000000}, "most updates; 0: the start itself")
            .number("latent-tolerance", &O::latent_tolerance, {0.0, 1.0}, "stop once |Z - L| / |S| is at most this")
            .number("output-tolerance", &O::output_tolerance, {0.0, 1.0},
                    "stop once |S - max(0, L)| / |S| is at most this")
            .number("stall-tolerance", &O::stall_tolerance, {0.0, 1.0},
                    "stop once ten updates changed |Z - L| by a smaller share of itself; 0: never")
            .number("momentum", &O::momentum, {0.0, 0.999}, "of momentum and em: gamma of eq. 23")
            .only_with("algorithm", {"momentum", "em"})
            .number("extrapolation", &O::extrapolation, {0.0, 0.999}, "of 3b and tikhonov: beta")
            .only_with("algorithm", {"3b", "tikhonov"})
            .number("ridge", &O::ridge, {0.0, std::nullopt},
                    "of tikhonov: lambda, in units of |S| / sqrt(rank); more keeps factors smaller")
            .only_with("algorithm", {"tikhonov"})
            .choice("history", &O::history,
                    {{"auto", ReluHistory::Auto},
                     {"recursive", ReluHistory::Recursive},
                     {"last-two", ReluHistory::LastTwo}},
                    "of momentum, a-nmd, 3b and tikhonov: extrapolate from all updates, as published, with m x n "
                    "arrays, or from the last two without (alternating and em: hold Z in one, for speed, or not); "
                    "auto: the first where at least an eighth of S is above 0")
            .only_with("algorithm", {"momentum", "a-nmd", "3b", "tikhonov", "alternating", "em"})
            .integer("seed", &O::seed, {0, std::nullopt}, "of the random numbers");
    return table;
}

Decomposition decompose(const CsrMatrix<double>& s, const CsrMatrix<double>* observed, const DecomposeOptions& options,
                        const ReluFactors* start, const RunContext& context) {
    require_usable(s, options, start);
    state_memory({s.rows, s.columns, s.entries(), observed != nullptr ? observed->entries() : 0}, options,
                 start == nullptr, context);
    const ReluProblem problem = relu_problem(s, observed, unit_of(s));
    if (options.algorithm == ReluAlgorithm::Symmetric) {
        require_symmetric(problem);
    }
    const double root = std::sqrt(problem.unit);  // exact: the unit is a power of four
    std::optional<ReluFactors> first;
    if (start != nullptr) {
        first = scaled(*start, 1.0 / root);
    }
    Decomposition result = Run(problem, options, context)(first ? &*first : nullptr);
    result.factors = scaled(std::move(result.factors), root);
    for (auto& [what, value] : result.summary.measures) {
        value *= what == "noise_level" ? problem.unit : 1.0;
    }
    return result;
}

ReluResidual relu_residual(const CsrMatrix<double>& s, const CsrMatrix<double>* observed, const ReluFactors& factors,
                           const RunContext& context) {
    require_fit(factors, s, "factors");
    const ReluProblem problem = relu_problem(s, observed, unit_of(s));
    const ReluFactors same = scaled(factors, 1.0 / std::sqrt(problem.unit));
    return relative(relu_residuals(problem.forward, same.left, same.right, context), problem.squared_norm);
}

}  // namespace isogon
