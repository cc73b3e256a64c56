#include "methods/tsm.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "core/power_of_two_scaling.hpp"
#include "decomposition/low_rank.hpp"
#include "decomposition/relu_decomposition.hpp"
#include "isogon/core/error.hpp"
#include "linalg/truncated_svd.hpp"
#include "methods/checkpoints.hpp"
#include "methods/input_points.hpp"
#include "methods/method_frame.hpp"
#include "methods/tsm/matching_steps.hpp"
#include "methods/tsm/tsm_sphere.hpp"
#include "pairs/matching_problem.hpp"

namespace isogon {

namespace {

/// Whether entries off the support are pushed down while their sum is too high (eqs. 19-22; the inequality as printed
/// never acts, so it is turned). On digits, words and objects that keeps more neighbours everywhere, and from 16
/// dimensions on with angles as good; below, angles are worse by up to a fifth (docs/methods/tsm.md).
bool regularized(const TsmOptions& options) {
    constexpr int enough_dimensions = 16;
    return options.dimension >= enough_dimensions;
}

/// Why they differ: methods/tsm.hpp.
std::optional<double> tolerance_of(const TsmOptions& options) {
    return options.tolerance ? options.tolerance : options.solver == TsmSolver::Sphere ? 5e-4 : 1e-3;
}

void state_memory(const TsmFit& fit, std::uint64_t copied, double density) {
    const auto d = static_cast<Index>(fit.options.dimension);
    state_matching(fit.points, d, density,
                   {{"the points in another unit of length", copied},
                    {"the matching", ReluDecomposition::bytes(fit.points.count(), {.rank = d})}},
                   fit.context);
}

/// Step 3 of an L, for a callback that asks.
using Outputs = std::function<Points(const LowRank&)>;

/// The context of step 2, whose callback gets the outputs of `state` as it is after an update. Refers to all of them.
RunContext showing_outputs(const RunContext& context, const std::optional<ReluDecomposition>& state,
                           const Outputs& outputs) {
    RunContext shown = context;
    if (context.on_iteration) {
        shown.on_iteration = [&](const Progress& progress) {
            context.report(with_coordinates(progress, [&] { return outputs(state->matrix()); }));
        };
    }
    return shown;
}

/// Step 2 (eqs. 5 and 6): L, and how it was reached. The extrapolation of ReluDecomposition stands for the paper's
/// momentum (eq. 23, gamma = 0.9), which needs Z and its predecessor as dense n x n matrices: at d = 16 that ended at
/// smaller Jaccard indexes, and took over ten times as long (bench/tsm-quality).
LowRank match(const TsmFit& fit, const MatchingProblem& problem, LowRank start, const Outputs& outputs) {
    const TsmOptions& options = fit.options;
    Summary& summary = fit.result.summary;
    std::optional<ReluDecomposition> state;
    state.emplace(problem.similarities, std::move(start),
                  ReluOptions{.rank = static_cast<Index>(options.dimension),
                              .regularize = regularized(options),
                              .tolerance = *options.tolerance,
                              .seed = options.seed},
                  showing_outputs(fit.context, state, outputs));
    summary.termination = state->run_to(options.iterations);
    summary.trace = state->trace();
    summary.count("violating_pairs", 0.5 * state->residual().violations);
    summary.measure("lift", state->lift());
    summary.measure("eigen_residual", state->eigen_residual());
    return state->matrix();
}

/// Step 3 (eqs. 8 and 9), for the inputs without the virtual ones, with the spectrum of G in the summary.
Points read_off(const LowRank& l, const MatchingProblem& problem, const TsmOptions& options, const RunContext& context,
                Summary& summary) {
    const auto d = static_cast<Index>(options.dimension);
    const MatchedOutputs matched = outputs_from_matrix(l, *options.threshold, d, context);
    summary.measure("negative_share", matched.negative_share);
    summary.count("negative_diagonal", matched.negative_diagonal);
    constexpr double large_share = 0.1;
    if (matched.negative_share > large_share) {
        summary.warn(
            "the Gram matrix of the outputs is far from positive: the dimension is too low for this threshold");
    }
    Points outputs(problem.inputs, d);
    const std::vector<double> lengths = norms_of_all(problem.points);
    for (Index i = 0; i < problem.inputs; ++i) {
        if (lengths[i] > 0.0) {
            std::copy_n(matched.outputs[i].begin(), outputs.dimension(), outputs[i].begin());
        }
    }
    // The lengths of eq. 9 are off where d is small; scaling changes no angle.
    set_norms(outputs, {lengths.begin(), lengths.begin() + problem.inputs});
    return outputs;
}

void record_end(const TsmOptions& options, Summary& summary) {
    summary.message = message_of(
        {.termination = summary.termination,
         .updates = summary.trace.size(),
         .tolerance = to_text(*options.tolerance),
         .residual =
             summary.trace.empty() ? "" : ", |S - max(0, L)| / |S| about " + rounded(summary.trace.back().objective),
         .fallback = ": these are the coordinates of svd"});
}

/// The three steps of the method, for inputs in a unit of length in which products fit.
void fit_low_rank(TsmFit& fit, std::uint64_t copied) {
    TsmOptions& options = fit.options;
    const RunContext& context = fit.context;
    Embedding& result = fit.result;
    Summary& summary = result.summary;
    const auto phase = [&](const char* name, auto&& work) {
        const PhaseTimer timer(summary, name);
        return work();
    };
    const AngleHistograms angles = threshold_step(fit.points, options.threshold, options.seed, summary, context);
    const double tau = angles.threshold;
    options.threshold = tau;
    result.options = tsm_option_table().values(options);
    state_memory(fit, copied, 1.0 - angles.sparsity);

    // Eq. 10; the result if the run ends before step 3.
    const TruncatedSvd directions =
        phase("svd", [&] { return truncated_svd(fit.points, static_cast<Index>(options.dimension), context); });
    result.coordinates = project(fit.points, directions, context);
    // Step 1: S (eq. 3), with virtual inputs, for S says nothing of isolated points.
    const MatchingProblem problem =
        phase("similarities", [&] { return prepare_matching(fit.points, tau, true, context, summary); });
    // Step 2: L of rank d with S = max(0, L), from eq. 17.
    LowRank start = initial_matrix(project(problem.points, directions, context), tau);
    Summary of_steps;
    const Outputs outputs_of_step = [&](const LowRank& l) {
        return read_off(l, problem, options, uninterrupted(context), of_steps);
    };
    const LowRank l = phase("matching", [&] { return match(fit, problem, std::move(start), outputs_of_step); });
    // Step 3: y from G.
    if (summary.usable()) {
        result.coordinates =
            phase("outputs", [&] { return read_off(l, problem, options, uninterrupted(context), summary); });
    }
    record_end(options, summary);
}

/// Coordinates and lift in the unit of the input.
void restore_lift(const PowerOfTwoScaling& input, Embedding& result) {
    restore_unit(input, result);
    for (auto& [what, value] : result.summary.measures) {
        value *= what == "lift" ? input.unit() * input.unit() : 1.0;
    }
}

void require_sphere_for(const FitExtras& extras, TsmSolver solver) {
    const bool wanted = !extras.start.empty() || extras.resume != nullptr || extras.checkpoint;
    if (wanted && solver != TsmSolver::Sphere) {
        throw InvalidArgument("solver", "low-rank",
                              "has neither a start nor checkpoints: choose sphere, or leave them out");
    }
}

}  // namespace

Embedding tsm(const DistributedPoints& given, const TsmOptions& options, const RunContext& own_context,
              const FitExtras& extras) {
    tsm_option_table().validate(options);
    require_sphere_for(extras, options.solver);
    require_points(given, options.dimension);
    require_start_shape(extras.start, given.count(), options.dimension);
    require_same_on_all_ranks(given, tsm_option_table().values(options));
    const DistributedPoints x = distributed(given);
    const RunContext agreeing = ranks_of(x).agreeing(own_context);
    const PowerOfTwoScaling input(x.local(), norms_of_all(x, agreeing), agreeing);
    const std::function<void(Points&)> restore = [&](Points& coordinates) { input.restore(coordinates); };
    const RunContext context = restoring(agreeing, restore);
    Checkpoints checkpoints("tsm", tsm_option_table().values(options), x, extras);
    Embedding result = unfitted(tsm_option_table().values(options), options.seed, context);
    run_steps(
        result,
        [&] {
            TsmFit fit{x.with(input.points()), options, extras, context, result};
            fit.options.tolerance = tolerance_of(options);
            if (options.solver == TsmSolver::Sphere) {
                fit_on_spheres(fit, input.bytes(), checkpoints);
            } else {
                fit_low_rank(fit, input.bytes());
            }
        },
        "ended before there were any coordinates", "ended before the matching began: these are the coordinates of svd");
    restore_lift(input, result);
    return result;
}

Method tsm_method() {
    return method_entry(
        {.name = "tsm",
         .title = "thresholded similarity matching: keeps angles below acos(threshold)",
         .source = "Saul 2022, A geometrical connection between sparse and low-rank matrices and its application to "
                   "manifold learning, TMLR",
         .accepts_init = true,
         .resumes = true},
        tsm_option_table(), tsm);
}

}  // namespace isogon
