#include "methods/forces.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "core/power_of_two_scaling.hpp"
#include "forces/descent.hpp"
#include "forces/two_kernels.hpp"
#include "graph/barycentric_weights.hpp"
#include "graph/calibrated_affinities.hpp"
#include "graph/symmetric_graph.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/methods/method.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "methods/forces/layout_outputs.hpp"
#include "methods/input_points.hpp"
#include "methods/method_frame.hpp"
#include "methods/spectral/spectral_neighbors.hpp"

namespace isogon {

namespace {

/// The steps that pca2 and lle2 share: neighbours, an objective made from them, a start, a descent, and the summary.
struct TwoKernelRun {
    int dimension = 2;
    int neighbors = 15;
    int iterations = 300;
    double tolerance = 1e-5;
    bool random_start = false;  ///< else the directions of most variance
    std::uint64_t seed = 0;
    /// Makes the objective from points scaled so that products fit, and neighbours with distances.
    std::function<TwoKernelObjective(const PointsView&, const NeighborLists&, const RunContext&)> objective{};
};

/// The parameters that both methods' options hold under the same names; the objective is left to the caller.
template <class Options>
TwoKernelRun run_of(const Options& options) {
    return {.dimension = options.dimension,
            .neighbors = options.neighbors,
            .iterations = options.iterations,
            .tolerance = options.tolerance,
            .random_start = options.start == LayoutStart::Random,
            .seed = options.seed};
}

/// The option table of one of the two methods, ended by what both say of the descent.
template <class Options>
OptionTable<Options> with_layout_options(OptionTable<Options> table) {
    return table.integer("iterations", &Options::iterations, {.minimum = 1}, "at most; each looks at all pairs")
        .number("tolerance", &Options::tolerance, {.minimum = 0.0, .maximum = 1.0},
                "converged when ten iterations lower the objective by a smaller share of it; 0: never")
        .choice("start", &Options::start, {{"pca", LayoutStart::Pca}, {"random", LayoutStart::Random}},
                "where outputs begin; pca leaves large shapes where they are in the data")
        .integer("seed", &Options::seed, {.minimum = 0},
                 "of random starts, the noise on others, and approximate neighbours");
}

// Starts of layout_outputs.hpp are 1e-4 wide, for schedules that exaggerate first. Here outputs begin as wide as the
// kernel, where its values differ between near and far pairs.
constexpr double width_of_start = 1e4;

constexpr const char* less_memory_of_layout = "raise the limit, take fewer neighbours or embed fewer points";

/// Bytes while neighbours become attractions; the number of these is known only afterwards.
void state_graph(const PointsView& x, const TwoKernelRun& run, const RunContext& context) {
    const auto k = static_cast<Index>(run.neighbors);
    require_memory(context,
                   {{"the neighbours", neighbor_bytes(x.count, k)}, {"their graph", symmetric_graph_bytes(x.count, k)}},
                   less_memory_of_layout);
}

void state_layout(const TwoKernelObjective& objective, const PointsView& x, const TwoKernelRun& run,
                  const RunContext& context) {
    const auto d = static_cast<Index>(run.dimension);
    require_memory(
        context,
        {{"the neighbours", neighbor_bytes(x.count, run.neighbors)},
         {"the attractions", objective.attractions.bytes()},
         {"the outputs on their way", MultiVector<double>::bytes(x.count, d) + MonotoneDescent::bytes(x.count, d)}},
        less_memory_of_layout);
}

using TwoKernelFit = RunningFit<TwoKernelRun>;

MultiVector<double> start_of(const TwoKernelFit& fit) {
    if (!fit.extras.start.empty()) {
        return given_start(fit.extras.start);
    }
    const TwoKernelRun& run = fit.options;
    const auto d = static_cast<Index>(run.dimension);
    MultiVector<double> y = run.random_start ? random_start(fit.points.count, d, run.seed)
                                             : pca_start(fit.points, d, run.seed, fit.context);
    for (double& value : y.values()) {
        value *= width_of_start;
    }
    return y;
}

void record_end(const MonotoneDescent& descent, Termination end, Summary& summary) {
    summary.termination = end;
    summary.trace = descent.trace();
    summary.count("iterations", static_cast<double>(descent.iteration()));
    summary.count("evaluations", static_cast<double>(descent.evaluations()));
    summary.measure("objective", descent.objective());
    summary.measure("slope", descent.slope());
    const std::string made = std::to_string(descent.iteration()) + " iterations";
    const std::string value = rounded(descent.objective());
    if (end == Termination::Converged) {
        summary.message = "after " + made + " with an objective of " + value;
    } else if (end == Termination::Stalled) {
        summary.message =
            "after " + made + " no step lowers the objective of " + value + ": rounding is all that is left";
    } else {
        summary.message = "ended after " + made + " with an objective of " + value + ", which was still falling";
    }
}

void lay_out(const TwoKernelFit& fit, const NeighborsWanted& wanted) {
    const auto& [points, run, extras, context, result] = fit;
    const NeighborLists lists = neighbors_of(points, wanted, result.summary, context);
    std::optional<PhaseTimer> timer(std::in_place, result.summary, "objective");
    const std::uint64_t held = neighbor_bytes(points.count, run.neighbors);
    const TwoKernelObjective objective = run.objective(points, lists, beside(context, held));
    result.summary.count("entries", static_cast<double>(objective.attractions.entries()));
    state_layout(objective, points, run, context);
    timer.emplace(result.summary, "start");
    MultiVector<double> start = start_of(fit);
    timer.emplace(result.summary, "layout");
    MonotoneDescent descent([&](const MultiVector<double>& y, MultiVector<double>& gradient,
                                const RunContext& running) { return objective.gradient(y, gradient, running); },
                            std::move(start), run.tolerance, context);
    const Termination end = descent.run_to(run.iterations);
    result.coordinates = to_points(descent.outputs());
    record_end(descent, end, result.summary);
    result.barycentric_map = mixture_of_nearest(result.coordinates);
}

/// Everything but Embedding::options. Throws as the methods do. An interruption is recorded in the summary.
Embedding lay_out_by_two_kernels(const PointsView& x, const TwoKernelRun& run, const FitExtras& extras,
                                 const RunContext& context) {
    require_points(x, run.dimension, MostNumbers::OfPoints);
    require_start(extras.start, x.count, run.dimension, largest_start);
    const PowerOfTwoScaling unit(x, context);
    const NeighborsWanted wanted{run.neighbors,    Metric::Euclidean, run.seed,
                                 extras.neighbors, unit.unit(),       extras.shared};
    require_neighbors(wanted, x.count);
    const RunContext rest = beside(context, unit.bytes());
    state_graph(x, run, rest);
    Embedding result = unfitted({}, run.seed, context);
    run_steps(result, [&] { lay_out({unit.points(), run, extras, rest, result}, wanted); });
    return result;
}

}  // namespace

const OptionTable<Pca2Options>& pca2_option_table() {
    static const OptionTable<Pca2Options> table = with_layout_options(
        OptionTable<Pca2Options>()
            .integer("dimension", &Pca2Options::dimension, {.minimum = 1}, "numbers for each point; two make a picture")
            .integer("neighbors", &Pca2Options::neighbors, {.minimum = 1},
                     "nearest points to which the input kernel is not 0; more widen it"));
    return table;
}

Embedding pca2(const PointsView& x, const Pca2Options& options, const RunContext& context, const FitExtras& extras) {
    pca2_option_table().validate(options);
    TwoKernelRun run = run_of(options);
    run.objective = [](const PointsView& /*points*/, const NeighborLists& lists, const RunContext& running) {
        return pca_with_two_kernels(fuzzy_affinities(lists, 1.0, running));
    };
    Embedding result = lay_out_by_two_kernels(x, run, extras, context);
    result.options = pca2_option_table().values(options);
    return result;
}

Method pca2_method() {
    return method_entry({.name = "pca2",
                         .title = "principal components with a kernel on the outputs too, by forces between all pairs",
                         .source = "Draganov and Dohn, Unexplainable Explanations, 2023, section 5.1",
                         .accepts_init = true,
                         .uses_neighbors = true},
                        pca2_option_table(), pca2);
}

const OptionTable<Lle2Options>& lle2_option_table() {
    static const OptionTable<Lle2Options> table = with_layout_options(
        OptionTable<Lle2Options>()
            .integer("dimension", &Lle2Options::dimension, {.minimum = 1}, "numbers for each point; two make a picture")
            .integer("neighbors", &Lle2Options::neighbors, {.minimum = 1},
                     "nearest points that rebuild each; more rebuild it from farther away"));
    return table;
}

Embedding lle2(const PointsView& x, const Lle2Options& options, const RunContext& context, const FitExtras& extras) {
    lle2_option_table().validate(options);
    TwoKernelRun run = run_of(options);
    run.objective = [](const PointsView& points, const NeighborLists& lists, const RunContext& running) {
        return lle_with_two_kernels(barycentric_weights(points, lists, usual_ridge, running), running);
    };
    Embedding result = lay_out_by_two_kernels(x, run, extras, context);
    result.options = lle2_option_table().values(options);
    return result;
}

Method lle2_method() {
    return method_entry({.name = "lle2",
                         .title = "locally linear embedding with a kernel on the outputs, by forces, for pictures",
                         .source = "Draganov and Dohn, Unexplainable Explanations, 2023, section 5.2",
                         .accepts_init = true,
                         .uses_neighbors = true},
                        lle2_option_table(), lle2);
}

}  // namespace isogon
