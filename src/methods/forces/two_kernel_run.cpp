#include "methods/forces/two_kernel_run.hpp"

#include <optional>
#include <string>
#include <utility>

#include "isogon/core/error.hpp"
#include "isogon/core/power_of_two_scaling.hpp"
#include "isogon/forces/monotone_descent.hpp"
#include "isogon/graph/symmetric_graph.hpp"
#include "methods/fit_steps.hpp"
#include "methods/forces/layout_start.hpp"
#include "methods/forces/mixture_of_nearest.hpp"
#include "methods/input_points.hpp"
#include "methods/spectral/spectral_neighbors.hpp"

namespace isogon {

namespace {

// Starts of layout_start.hpp are 1e-4 wide, for schedules that exaggerate first. Here outputs begin as wide as the
// kernel, where its values differ between near and far pairs.
constexpr double width_of_start = 1e4;

constexpr const char* less_memory_of_layout = "raise the limit, take fewer neighbours or embed fewer points";

/// Bytes while neighbours become attractions; the number of these is known only afterwards.
void state_graph(const PointsView& x, const TwoKernelRun& run, const RunContext& context) {
    const auto k = static_cast<Index>(run.neighbors);
    require_memory(context,
                   {{"the neighbours", std::uint64_t{x.count} * k * (sizeof(Index) + sizeof(float))},
                    {"their graph", symmetric_graph_bytes(x.count, k)}},
                   less_memory_of_layout);
}

void state_layout(const TwoKernelObjective& objective, const PointsView& x, const TwoKernelRun& run,
                  const RunContext& context) {
    const auto d = static_cast<Index>(run.dimension);
    require_memory(
        context,
        {{"the neighbours", std::uint64_t{x.count} * run.neighbors * (sizeof(Index) + sizeof(float))},
         {"the attractions", objective.attractions.entries() * (sizeof(Index) + sizeof(double))},
         {"the outputs on their way", MultiVector<double>::bytes(x.count, d) + MonotoneDescent::bytes(x.count, d)}},
        less_memory_of_layout);
}

MultiVector<double> start_of(const PointsView& points, const TwoKernelRun& run, const FitExtras& extras,
                             const RunContext& context) {
    MultiVector<double> y =
        layout_start(points, extras, static_cast<Index>(run.dimension), run.random_start, run.seed, context);
    for (double& value : y.values()) {
        value *= extras.start.empty() ? width_of_start : 1.0;
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
        summary.message = "at rest after " + made + " with an objective of " + value;
    } else if (end == Termination::Stalled) {
        summary.message =
            "after " + made + " no step lowers the objective of " + value + ": rounding is all that is left";
    } else {
        summary.message = "ended after " + made + " with an objective of " + value + ", which was still falling";
    }
}

void lay_out(const PointsView& points, const TwoKernelRun& run, const NeighborsWanted& wanted, const FitExtras& extras,
             const RunContext& context, Embedding& result) {
    const NeighborLists lists = neighbors_of(points, wanted, result.summary, context);
    std::optional<PhaseTimer> timer(std::in_place, result.summary, "objective");
    const std::uint64_t neighbors = std::uint64_t{points.count} * run.neighbors * (sizeof(Index) + sizeof(float));
    const TwoKernelObjective objective = run.objective(points, lists, beside(context, neighbors));
    result.summary.count("entries", static_cast<double>(objective.attractions.entries()));
    state_layout(objective, points, run, context);
    timer.emplace(result.summary, "start");
    MultiVector<double> start = start_of(points, run, extras, context);
    timer.emplace(result.summary, "layout");
    MonotoneDescent descent([&](const MultiVector<double>& y, MultiVector<double>& gradient,
                                const RunContext& running) { return objective.gradient(y, gradient, running); },
                            std::move(start), run.tolerance, context);
    const Termination end = descent.run_to(run.iterations);
    result.coordinates = to_points(descent.outputs());
    record_end(descent, end, result.summary);
    result.barycentric_map = mixture_of_nearest(result.coordinates);
}

}  // namespace

Embedding lay_out_by_two_kernels(const PointsView& x, const TwoKernelRun& run, const FitExtras& extras,
                                 const RunContext& context) {
    require_points(x, run.dimension);
    require_start(extras.start, x.count, run.dimension, largest_start);
    const PowerOfTwoScaling unit(x, context);
    const NeighborsWanted wanted{run.neighbors,    Metric::Euclidean, run.seed,
                                 extras.neighbors, unit.unit(),       extras.shared};
    require_neighbors(wanted, x.count);
    const RunContext rest = beside(context, unit.bytes());
    state_graph(x, run, rest);
    Embedding result = unfitted({}, run.seed, context);
    run_steps(result, [&] { lay_out(unit.points(), run, wanted, extras, rest, result); });
    return result;
}

}  // namespace isogon
