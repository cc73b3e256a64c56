#include "isogon/methods/tsm.hpp"

#include <algorithm>

#include "isogon/core/error.hpp"
#include "isogon/core/power_of_two_scaling.hpp"
#include "isogon/decomposition/dense_relu_decomposition.hpp"
#include "isogon/decomposition/low_rank.hpp"
#include "isogon/decomposition/relu_decomposition.hpp"
#include "isogon/linalg/truncated_svd.hpp"
#include "isogon/pairs/local_range.hpp"
#include "isogon/pairs/matching_problem.hpp"
#include "isogon/pairs/threshold.hpp"
#include "methods/input_points.hpp"

namespace isogon {

namespace {

/// tau as given or for 99% sparsity, and the sparsity of S estimated from a sample.
AngleHistograms threshold_for(const DistributedPoints& x, const TsmOptions& options, const RunContext& context) {
    const ThresholdOptions sample{.seed = options.seed};
    return options.threshold ? describe_threshold(x, *options.threshold, sample, context)
                             : choose_threshold(x, sample, context);
}

void state_memory(const DistributedPoints& x, std::uint64_t copied, const TsmOptions& options, double density,
                  const RunContext& context) {
    const auto d = static_cast<Index>(options.dimension);
    std::vector<MemoryItem> items{
        {"the points in another unit of length", copied},
        {"the similarities", similarities_bytes(x.count(), x.dimension(), density, context)},
        {"the matching", ReluDecomposition::bytes(x.count(), {.rank = d})},
        {"the product of the inputs with themselves", std::uint64_t{x.dimension()} * x.dimension() * 48}};
    if (options.recipe == TsmRecipe::Paper) {
        items.push_back({"Z and its predecessor", DenseReluDecomposition::bytes(x.count(), {.rank = d})});
    }
    require_memory(context, items, "raise the limit, the threshold (fewer similarities) or embed fewer points");
}

/// Step 2, streaming: L, and how it was reached.
LowRank match(const MatchingProblem& problem, LowRank start, const TsmOptions& options, const RunContext& context,
              Summary& summary) {
    ReluDecomposition state(problem.similarities, std::move(start),
                            {.rank = static_cast<Index>(options.dimension),
                             .regularize = options.regularize == Toggle::On,
                             .tolerance = options.tolerance,
                             .seed = options.seed},
                            context);
    summary.termination = state.run_to(options.iterations);
    summary.trace = state.trace();
    summary.count("violating_pairs", 0.5 * state.residual().violations);
    summary.measure("lift", state.lift());
    summary.measure("eigen_residual", state.eigen_residual());
    return state.matrix();
}

/// Step 2 as the paper prints it, with dense matrices.
LowRank match_as_published(const MatchingProblem& problem, LowRank start, const TsmOptions& options,
                           const RunContext& context, Summary& summary) {
    DenseReluDecomposition state(problem.similarities, std::move(start),
                                 {.rank = static_cast<Index>(options.dimension),
                                  .momentum = options.momentum,
                                  .regularize = options.regularize != Toggle::Off,
                                  .seed = options.seed},
                                 context);
    summary.termination = state.run_to(options.iterations);
    summary.trace = state.trace();
    summary.measure("lift", state.lift());
    return state.matrix();
}

/// Step 3, for the inputs themselves, with the spectrum of G in the summary.
Points read_off(const LowRank& l, const MatchingProblem& problem, double tau, const TsmOptions& options,
                const RunContext& context, Summary& summary) {
    const MatchedOutputs matched = outputs_from_matrix(l, tau, static_cast<Index>(options.dimension), context);
    summary.measure("negative_share", matched.negative_share);
    summary.count("negative_diagonal", matched.negative_diagonal);
    constexpr double large_share = 0.1;
    if (matched.negative_share > large_share) {
        summary.warn(
            "the Gram matrix of the outputs is far from positive: the dimension is too low for this threshold");
    }
    Points outputs(problem.inputs, static_cast<Index>(options.dimension));
    const std::vector<double> lengths = norms_of_all(problem.points);
    for (Index i = 0; i < problem.inputs; ++i) {
        if (lengths[i] > 0.0) {
            std::copy_n(matched.outputs[i].begin(), outputs.dimension(), outputs[i].begin());
        }
    }
    if (options.norms == OutputNorms::Exact) {
        set_norms(outputs, {lengths.begin(), lengths.begin() + problem.inputs});
    }
    return outputs;
}

/// Coordinates and lift in the unit of the input.
void restore_unit(const PowerOfTwoScaling& input, Embedding& result) {
    input.restore(result.coordinates);
    for (auto& [what, value] : result.summary.measures) {
        value *= what == "lift" ? input.unit() * input.unit() : 1.0;
    }
}

std::string message_for(const Summary& summary, const TsmOptions& options) {
    const std::string updates = std::to_string(summary.trace.size()) + " updates";
    const std::string residual =
        summary.trace.empty() ? "" : ", |S - max(0, L)| / |S| about " + to_text(summary.trace.back().objective);
    switch (summary.termination) {
        case Termination::Converged:
            return "the residual changed by less than " + to_text(options.tolerance) +
                   " in each of ten updates after " + updates + residual;
        case Termination::IterationLimit: return "all " + updates + " made" + residual;
        case Termination::NumericalFailure:
            return "the residual became infinite after " + updates + ": these are the coordinates of svd";
        default: return "ended after " + updates + residual;
    }
}

}  // namespace

const OptionTable<TsmOptions>& tsm_option_table() {
    static const OptionTable<TsmOptions> table =
        OptionTable<TsmOptions>()
            .integer("dimension", &TsmOptions::dimension, {.minimum = 1}, "numbers for each point; higher keeps more")
            .number("threshold", &TsmOptions::threshold, {.minimum = 0.0, .maximum = 1.0, .open = true},
                    "cosine above which angles must be kept; auto: the one that 1% of pairs exceed, lower where that "
                    "would leave "
                    "more than a quarter of the points without a neighbour above it")
            .choice("recipe", &TsmOptions::recipe, {{"fast", TsmRecipe::Fast}, {"paper", TsmRecipe::Paper}},
                    "fast: streaming, extrapolated; paper: dense, with momentum, to the letter (16 bytes for each pair "
                    "of points)")
            .integer("iterations", &TsmOptions::iterations, {.minimum = 1},
                     "most updates of L; more lower the residual")
            .number("tolerance", &TsmOptions::tolerance, {.minimum = 0.0},
                    "fast recipe: stop when ten updates in a row change the residual by a smaller share; 0: never")
            .only_with("recipe", {"fast"})
            .number("momentum", &TsmOptions::momentum, {.minimum = 0.0, .maximum = 0.999},
                    "paper's recipe: gamma of eq. 23; 0 is the plain alternation")
            .only_with("recipe", {"paper"})
            .choice("regularize", &TsmOptions::regularize,
                    {{"auto", Toggle::Auto}, {"on", Toggle::On}, {"off", Toggle::Off}},
                    "push the entries off the support down while their sum is too high (eqs. 19-22, the inequality "
                    "turned); auto: on for the paper's recipe only")
            .flag("virtual-inputs", &TsmOptions::virtual_inputs,
                  "lead from each isolated point to its nearest neighbour by points in between")
            .choice(
                "norms", &TsmOptions::norms, {{"exact", OutputNorms::Exact}, {"matched", OutputNorms::Matched}},
                "exact: scale each output to its input's length, which changes no angle; matched: as eq. 9 gives them")
            .integer("seed", &TsmOptions::seed, {.minimum = 0}, "of the threshold's sample and the guard vectors");
    return table;
}

Embedding tsm(const DistributedPoints& given, const TsmOptions& options, const RunContext& context) {
    tsm_option_table().validate(options);
    require_points(given, options.dimension);
    if (context.communicator != nullptr && options.recipe == TsmRecipe::Paper) {
        throw InvalidArgument("recipe", "paper", "must be fast where ranks share the work: Z cannot be divided");
    }
    require_same_on_all_ranks(given, tsm_option_table().values(options), context);
    const DistributedPoints x = distributed(given, context);
    const PowerOfTwoScaling input(x, context);
    const DistributedPoints points = x.with(input.points());
    Embedding result;
    Summary& summary = result.summary;
    summary.seed = options.seed;
    summary.threads = context.thread_count();
    TsmOptions used = options;
    result.options = tsm_option_table().values(used);
    try {
        const auto phase = [&](const char* name, auto&& work) {
            const PhaseTimer timer(summary, name);
            return work();
        };
        const AngleHistograms chosen = phase("threshold", [&] { return threshold_for(points, options, context); });
        const double tau = chosen.threshold;
        used.threshold = tau;
        result.options = tsm_option_table().values(used);
        summary.measure("threshold", tau);
        state_memory(points, input.bytes(), options, 1.0 - chosen.sparsity, context);

        const auto d = static_cast<Index>(options.dimension);
        const TruncatedSvd directions = phase("svd", [&] { return truncated_svd(points, d, context); });
        result.coordinates = project(points, directions, context);  // the result if the run ends before step 3
        const MatchingProblem problem = phase(
            "similarities", [&] { return prepare_matching(points, tau, options.virtual_inputs, context, summary); });
        LowRank start = initial_matrix(project(problem.points, directions, context), tau);
        const LowRank l = phase("matching", [&] {
            return options.recipe == TsmRecipe::Fast
                       ? match(problem, std::move(start), options, context, summary)
                       : match_as_published(problem, std::move(start), options, context, summary);
        });
        RunContext finishing = context;  // reading the result of an interrupted run takes about a second
        finishing.stop = {};
        finishing.deadline.reset();
        if (summary.usable()) {
            result.coordinates =
                phase("outputs", [&] { return read_off(l, problem, tau, options, finishing, summary); });
        }
        summary.message = message_for(summary, options);
    } catch (const Interruption& interruption) {
        summary.termination = interruption.reason;
        summary.message = result.coordinates.empty()
                              ? "ended before there were any coordinates"
                              : "ended before the matching began: these are the coordinates of svd";
    }
    restore_unit(input, result);
    return result;
}

Method tsm_method() {
    Method method{
        "tsm", "thresholded similarity matching: keeps angles below acos(threshold)",
        "Saul 2022, A geometrical connection between sparse and low-rank matrices and its application to manifold "
        "learning, TMLR",
        tsm_option_table().specs(), [](const PointsView& x, const OptionValues& values, const RunContext& context) {
            return tsm(x, tsm_option_table().make(values), context);
        }};
    method.distributes_pairs = true;
    method.embed_distributed = [](const DistributedPoints& x, const OptionValues& values, const RunContext& context,
                                  const FitExtras& /*extras*/) {
        return tsm(x, tsm_option_table().make(values), context);
    };
    return method;
}

}  // namespace isogon
