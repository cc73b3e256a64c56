#include "methods/tsm/tsm_sphere.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "decomposition/riemannian_lbfgs.hpp"
#include "decomposition/sphere_objective.hpp"
#include "linalg/truncated_svd.hpp"
#include "methods/input_points.hpp"
#include "methods/tsm/matching_steps.hpp"

namespace isogon {

namespace {

/// b and the damping of the preconditioner, by which points with many neighbours converge first. Where d is too small
/// both lower the deviation (an MNIST fold, d = 8: 3.4 degrees with 1 and 0, 3.2 with these); where it is large enough
/// they change the Jaccard index by a few thousandths.
constexpr SphereTerms terms_of_spheres{.off_support_weight = 0.8, .damping = 5.0};

void state_spheres(const TsmFit& fit, std::uint64_t copied, double density) {
    const DistributedPoints& x = fit.points;
    const auto d = static_cast<Index>(fit.options.dimension);
    constexpr std::uint64_t bytes_of_tie = 14;  // in S, and in the order of its tiles
    const auto own = static_cast<Index>(RiemannianLbfgs::shared_rows(x.count(), ranks_of(x), {}).own().size());
    state_matching(x, d, density,
                   {{"the points in another unit of length", copied},
                    {"the inputs of length 1", std::uint64_t{x.local().count} * x.dimension() * sizeof(float)},
                    {"pairs of isolated points, at most half of all", bytes_of_tie * ties_of_isolated * x.count() / 2},
                    {"the solver", RiemannianLbfgs::bytes(x.count(), own, d, {})},
                    {"a checkpoint", fit.extras.checkpoint ? RiemannianLbfgs::bytes(x.count(), x.count(), d, {}) : 0}},
                   fit.context);
}

Points with_lengths(const MultiVector<float>& directions, const std::vector<double>& lengths) {
    Points outputs(directions.rows(), directions.columns());
    for (Index i = 0; i < outputs.count(); ++i) {
        std::copy_n(directions.row(i), outputs.dimension(), outputs[i].begin());
    }
    set_norms(outputs, lengths);
    return outputs;
}

/// The user's start, or the directions' projections on their top singular directions (eq. 10).
Points start_of_spheres(const TsmFit& fit, const DistributedPoints& directions) {
    if (!fit.extras.start.empty()) {
        return given_start(fit.extras);
    }
    const PhaseTimer timer(fit.result.summary, "svd");
    const auto d = static_cast<Index>(fit.options.dimension);
    return project(directions, truncated_svd(directions, d, fit.context), fit.context);
}

void record_descent(const RiemannianLbfgs& descent, Summary& summary) {
    summary.trace = descent.trace();
    summary.count("violating_pairs", 0.5 * descent.value().violations);
    summary.measure("relative_residual", descent.relative_residual());
    summary.message = message_of({.termination = summary.termination,
                                  .updates = summary.trace.size(),
                                  .form = " on the spheres",
                                  .tolerance = rounded(descent.tolerance()),
                                  .residual = ", |S - max(0, L)| / |S| = " + rounded(descent.relative_residual())});
}

/// Steps 2 and 3, with a checkpoint between updates where one is due, and after an interruption.
void descend_on_spheres(const TsmFit& fit, SphereObjective& objective, MultiVector<float> start,
                        const std::vector<double>& lengths, Checkpoints& checkpoints) {
    const RunContext& context = fit.context;
    Embedding& result = fit.result;
    const PhaseTimer timer(result.summary, "matching");
    const DescentOptions how{.tolerance = fit.options.tolerance.value_or(0.0)};
    std::unique_ptr<RiemannianLbfgs> descent;
    const auto save = [&](Archive& archive) { descent->save(archive); };
    const auto help_save = [&] { descent->help_save(); };
    RunContext watched = context;
    watched.on_iteration = [&](const Progress& progress) {
        if (!descent || progress.phase != "matching") {
            return context.report(progress);
        }
        context.report(with_coordinates(progress, [&] { return with_lengths(descent->position(), lengths); }));
        checkpoints.take(save, false, help_save);
    };
    descent = std::make_unique<RiemannianLbfgs>(objective, std::move(start), how, watched, checkpoints.resume());
    const Termination end = descent->run_to(fit.options.iterations);
    if (was_interrupted(end)) {
        checkpoints.take(save, true, help_save);
    }
    result.summary.termination = end;
    record_descent(*descent, result.summary);
    if (result.summary.usable()) {
        result.coordinates = with_lengths(descent->position(), lengths);
    }
}

}  // namespace

void fit_on_spheres(TsmFit& fit, std::uint64_t copied, Checkpoints& checkpoints) {
    auto& [x, options, extras, context, result] = fit;
    Summary& summary = result.summary;
    const AngleHistograms angles = threshold_step(x, options.threshold, options.seed, summary, context);
    options.threshold = angles.threshold;
    result.options = tsm_option_table().values(options);
    state_spheres(fit, copied, 1.0 - angles.sparsity);

    PointsOfLengthOne unit = at_length_one(x, context);
    const DistributedPoints directions = x.with(unit.points.view());
    const std::vector<double> lengths = norms_of_all(x, context);
    MultiVector<float> start = on_spheres(start_of_spheres(fit, directions).view(), unit.lengths, options.seed);
    if (extras.start.empty()) {
        result.coordinates = with_lengths(start, lengths);
    }
    const Similarities s = tied_similarities(directions, angles.threshold, context, summary);
    unit.points = Points();
    SphereObjective objective(s, unit.lengths, terms_of_spheres);
    descend_on_spheres(fit, objective, std::move(start), lengths, checkpoints);
}

}  // namespace isogon
