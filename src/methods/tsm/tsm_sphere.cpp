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

void state_spheres(const DistributedPoints& x, std::uint64_t copied, Index d, double density, bool checkpoints,
                   const RunContext& context) {
    constexpr std::uint64_t bytes_of_tie = 14;  // in S, and in the order of its tiles
    const auto own = static_cast<Index>(RiemannianLbfgs::shared_rows(x.count(), ranks_of(x), {}).own().size());
    state_matching(x, d, density,
                   {{"the points in another unit of length", copied},
                    {"the inputs of length 1", std::uint64_t{x.local().count} * x.dimension() * sizeof(float)},
                    {"pairs of isolated points, at most half of all", bytes_of_tie * ties_of_isolated * x.count() / 2},
                    {"the solver", RiemannianLbfgs::bytes(x.count(), own, d, {})},
                    {"a checkpoint", checkpoints ? RiemannianLbfgs::bytes(x.count(), x.count(), d, {}) : 0}},
                   context);
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
Points start_of_spheres(const DistributedPoints& directions, Index d, const FitExtras& extras,
                        const RunContext& context, Summary& summary) {
    if (!extras.start.empty()) {
        return given_start(extras);
    }
    const PhaseTimer timer(summary, "svd");
    return project(directions, truncated_svd(directions, d, context), context);
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
void descend_on_spheres(SphereObjective& objective, MultiVector<float> start, const std::vector<double>& lengths,
                        const TsmOptions& options, Checkpoints& checkpoints, const RunContext& context,
                        Embedding& result) {
    const PhaseTimer timer(result.summary, "matching");
    const DescentOptions how{.tolerance = options.tolerance.value_or(0.0)};
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
    const Termination end = descent->run_to(options.iterations);
    if (end == Termination::Cancelled || end == Termination::TimeLimit) {
        checkpoints.take(save, true, help_save);
    }
    result.summary.termination = end;
    record_descent(*descent, result.summary);
    if (result.summary.usable()) {
        result.coordinates = with_lengths(descent->position(), lengths);
    }
}

}  // namespace

void fit_on_spheres(const DistributedPoints& x, std::uint64_t copied, TsmOptions options, const FitExtras& extras,
                    Checkpoints& checkpoints, const RunContext& context, Embedding& result) {
    Summary& summary = result.summary;
    const auto d = static_cast<Index>(options.dimension);
    const AngleHistograms angles = threshold_step(x, options.threshold, options.seed, summary, context);
    options.threshold = angles.threshold;
    result.options = tsm_option_table().values(options);
    state_spheres(x, copied, d, 1.0 - angles.sparsity, bool{extras.checkpoint}, context);

    PointsOfLengthOne unit = at_length_one(x, context);
    const DistributedPoints directions = x.with(unit.points.view());
    const std::vector<double> lengths = norms_of_all(x, context);
    MultiVector<float> start =
        on_spheres(start_of_spheres(directions, d, extras, context, summary).view(), unit.lengths, options.seed);
    if (extras.start.empty()) {
        result.coordinates = with_lengths(start, lengths);
    }
    const Similarities s = tied_similarities(directions, angles.threshold, context, summary);
    unit.points = Points();
    SphereObjective objective(s, unit.lengths, terms_of_spheres);
    descend_on_spheres(objective, std::move(start), lengths, options, checkpoints, context, result);
}

}  // namespace isogon
