#include "methods/forces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "core/power_of_two_scaling.hpp"
#include "forces/pca_descent.hpp"
#include "isogon/core/error.hpp"
#include "linalg/truncated_svd.hpp"
#include "methods/distinct_points.hpp"
#include "methods/forces/layout_outputs.hpp"
#include "methods/input_points.hpp"
#include "methods/method_frame.hpp"

namespace isogon {

namespace {

// Relative to the data's longest direction: well within the range for which steps are proven, and not so small that
// convergence takes long.
constexpr double pca_size_of_start = 0.1;
constexpr double deviation_of_random_start = 1e-4;

void state_memory(const PointsView& x, const PcaForcesOptions& options, const PowerOfTwoScaling& unit,
                  const RunContext& context) {
    const auto d = static_cast<Index>(options.dimension);
    require_memory(context,
                   {{"the points in another unit of length", unit.bytes()},
                    {"the singular directions", truncated_svd_bytes(x.count, x.dimension, d)},
                    {"the outputs on their way", 3 * MultiVector<double>::bytes(x.count, d)},
                    {"sums over the points", PcaDescent::bytes(x, d)}},
                   "raise the limit or embed fewer points");
}

using PcaForcesFit = RunningFit<PcaForcesOptions>;

MultiVector<double> start_of(const PcaForcesFit& fit, double largest, double unit) {
    const auto& [x, options, extras, context, result] = fit;
    MultiVector<double> y = extras.start.empty()
                                ? random_start(x.count, static_cast<Index>(options.dimension), options.seed)
                                : given_start(extras.start);
    const double factor = extras.start.empty() ? pca_size_of_start * std::sqrt(largest / static_cast<double>(x.count)) /
                                                     deviation_of_random_start
                                               : 1.0 / unit;
    for (double& value : y.values()) {
        value *= factor;
    }
    if (extras.start.empty()) {  // equal rows begin in one place, and so have the same forces
        const DistinctPoints equal = distinct_points(x);
        for (std::size_t i = 0; i < y.rows(); ++i) {
            std::copy_n(y.row(equal.rows[equal.place[i]]), y.columns(), y.row(i));
        }
    }
    return y;
}

/// The objective's least value, at PCA's embedding.
double least_objective(const TruncatedSvd& svd, int dimension) {
    double sum = 0.0;
    for (int a = 0; a < dimension; ++a) {
        const double value = svd.singular_values[static_cast<std::size_t>(a)];
        const double square = value * value;
        sum -= square * square;
    }
    return sum;
}

/// The objective above its minimum, relative to the reduction that an embedding can achieve: 1 with all outputs equal,
/// 0 at PCA's embedding.
double excess(double objective, double least) {
    return 1.0 - objective / least;
}

void record_end(const PcaDescent& descent, Termination end, double least, Summary& summary) {
    summary.termination = end;
    summary.trace = descent.trace();
    for (IterationRecord& line : summary.trace) {
        line.objective = excess(line.objective, least);
        line.change = -line.change / least;
    }
    summary.count("iterations", static_cast<double>(descent.iteration()));
    summary.measure("excess", excess(descent.objective(), least));
    summary.measure("residual", descent.residual());
    const std::string made = std::to_string(descent.iteration()) + " iterations";
    summary.message = end == Termination::Converged
                          ? "after " + made + ", forces " + rounded(descent.residual()) + " of those of the data"
                          : "ended after " + made + " with forces " + rounded(descent.residual()) +
                                " of those of the data, which the tolerance would have smaller";
}

void descend(const PcaForcesFit& fit, double unit) {
    const auto& [x, options, extras, context, result] = fit;
    std::optional<PhaseTimer> timer(std::in_place, result.summary, "svd");
    const TruncatedSvd svd = truncated_svd(x, static_cast<Index>(options.dimension), true, context);
    const double largest = svd.singular_values[0] * svd.singular_values[0];
    if (!(largest > 0.0)) {
        throw InputError("input", "", "its points differ by so little that their mean hides it: shift them to it");
    }
    timer.emplace(result.summary, "descent");
    PcaDescent descent(x, start_of(fit, largest, unit), largest, options.tolerance, context);
    const Termination end = descent.run_to(options.iterations);
    result.coordinates = to_points(descent.outputs());
    record_end(descent, end, least_objective(svd, options.dimension), result.summary);
}

}  // namespace

const OptionTable<PcaForcesOptions>& pca_forces_option_table() {
    static const OptionTable<PcaForcesOptions> table =
        OptionTable<PcaForcesOptions>()
            .integer("dimension", &PcaForcesOptions::dimension, {.minimum = 1},
                     "numbers for each point; higher keeps more")
            .integer("iterations", &PcaForcesOptions::iterations, {.minimum = 1},
                     "at most; directions of nearly the same variance take many")
            .number("tolerance", &PcaForcesOptions::tolerance, {.minimum = 0.0, .maximum = 1.0},
                    "converged when forces are so small as compared with those of the data alone; 0: never")
            .integer("seed", &PcaForcesOptions::seed, {.minimum = 0}, "of the random start");
    return table;
}

Embedding pca_forces(const PointsView& x, const PcaForcesOptions& options, const RunContext& context,
                     const FitExtras& extras) {
    pca_forces_option_table().validate(options);
    require_points(x, options.dimension);
    require_start(extras.start, x.count, options.dimension, std::numeric_limits<float>::max());
    const PowerOfTwoScaling unit(x, context);
    state_memory(x, options, unit, context);
    Embedding result = unfitted(pca_forces_option_table().values(options), options.seed, context);
    run_steps(result, [&] {
        descend({unit.points(), options, extras, context, result}, unit.unit());
        unit.restore(result.coordinates);
        result.barycentric_map = mixture_of_nearest(result.coordinates);
    });
    return result;
}

Method pca_forces_method() {
    return method_entry({.name = "pca-forces",
                         .title = "principal components by attraction and repulsion, from a random start",
                         .source = "Draganov and Dohn, Unexplainable Explanations, 2023, section 4",
                         .accepts_init = true},
                        pca_forces_option_table(), pca_forces);
}

}  // namespace isogon
