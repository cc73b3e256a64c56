#include "isogon/methods/faithful.hpp"

#include <algorithm>
#include <utility>

#include "isogon/core/power_of_two_scaling.hpp"
#include "isogon/linalg/truncated_svd.hpp"
#include "isogon/pairs/isolated_points.hpp"
#include "isogon/pairs/matching_problem.hpp"
#include "methods/input_points.hpp"
#include "methods/matching/faithful_record.hpp"
#include "methods/matching/faithful_start.hpp"
#include "methods/matching/local_faithful.hpp"
#include "methods/matching/matching_steps.hpp"
#include "methods/method_frame.hpp"

namespace isogon {

namespace {

/// Projections on the top singular directions (eq. 10), which are also the best there is if the run ends before the
/// matching begins; or the start that the user gives.
Points first_coordinates(const DistributedPoints& x, const DistributedPoints& weighted, const FaithfulOptions& options,
                         const FitExtras& extras, const RunContext& context, Embedding& result) {
    if (!extras.start.empty()) {
        Points start(extras.start.count, extras.start.dimension);
        for (Index i = 0; i < start.count(); ++i) {
            std::copy(extras.start[i].begin(), extras.start[i].end(), start[i].begin());
        }
        return start;
    }
    const PhaseTimer timer(result.summary, "svd");
    Points start = project(weighted, truncated_svd(weighted, static_cast<Index>(options.dimension), context), context);
    if (options.output == FaithfulOutput::Cosine) {
        result.coordinates = start;
        set_norms(result.coordinates, norms_of_all(x));
    }
    return start;
}

/// S of eq. 3, with isolated points tied to their nearest neighbours, as it says nothing of them.
Similarities tied_similarities(const DistributedPoints& points, double tau, const RunContext& context,
                               Summary& summary) {
    constexpr Index neighbors = 10;
    const PhaseTimer timer(summary, "similarities");
    MatchingProblem problem = prepare_matching(points, tau, false, context, summary);
    const IsolatedSupport tied =
        support_isolated(points, isolated_points(problem.similarities), neighbors, problem.similarities, context);
    summary.count("isolated_pairs", static_cast<double>(tied.added));
    if (tied.unreachable > 0) {
        summary.warn(std::to_string(tied.unreachable) +
                     " points lie 90 degrees or more from all others: nothing ties them to the rest");
    }
    return std::move(problem.similarities);
}

/// Outputs of the lengths of the inputs; or [y_i, s_i] of length-1 inputs, for searching by inner product.
Points read_off(const FaithfulPath& path, const DistributedPoints& x, const std::vector<float>& lengths,
                FaithfulOutput output, const RunContext& context) {
    if (output == FaithfulOutput::Cosine) {
        Points outputs = path.outputs(context);
        set_norms(outputs, norms_of_all(x));
        return outputs;
    }
    Points lifted = path.lifted_outputs();
    for (Index i = 0; i < lifted.count(); ++i) {
        for (float& value : lifted[i]) {
            value = lengths[i] > 0.0F ? value / lengths[i] : 0.0F;
        }
    }
    return lifted;
}

/// The outputs y_i whose L_ij = y_i.y_j - tau |y_i||y_j| has S = max(0, L) (eq. 2), by the path from spheres to the
/// form that d dimensions allow (docs/methods/faithful.md).
void match(const Similarities& s, const std::vector<float>& lengths, MultiVector<float> start,
           const DistributedPoints& x, const FaithfulOptions& options, Checkpoints& checkpoints,
           const RunContext& context, Embedding& result) {
    const PhaseTimer timer(result.summary, "matching");
    const FollowedPath followed = follow_path(s, lengths, std::move(start),
                                              {.favor = options.favor,
                                               .off_support_weight = options.off_support_weight,
                                               .iterations = options.iterations,
                                               .tolerance = options.tolerance},
                                              checkpoints, context);
    record_path(followed, options.dimension, result.summary);
    if (result.summary.usable()) {
        result.coordinates = read_off(*followed.path, x, lengths, options.output, uninterrupted(context));
    }
}

/// The steps of the method, for inputs in a unit of length in which products fit.
void fit(const DistributedPoints& x, FaithfulOptions options, const FitExtras& extras, Checkpoints& checkpoints,
         const RunContext& context, Embedding& result) {
    const AngleHistograms angles = threshold_step(x, options.threshold, options.seed, result.summary, context);
    const double tau = angles.threshold;
    options.threshold = tau;
    result.options = faithful_option_table().values(options);
    state_faithful(x, options, 1.0 - angles.sparsity, bool{extras.checkpoint}, context);

    WeightedPoints weighted = weighted_points(x, options.weights == PairWeights::Unit, context);
    const DistributedPoints points = x.with(weighted.points.view());
    Points start = first_coordinates(x, points, options, extras, context, result);
    const Similarities s = tied_similarities(points, tau, context, result.summary);
    if (options.start == FaithfulStart::Tsm && extras.start.empty()) {
        const PhaseTimer timer(result.summary, "start");
        start = tsm_start(s, start, options, context);
    }
    weighted.points = Points();  // S is all that is needed of them from here on
    match(s, weighted.lengths, on_spheres(start.view(), weighted.lengths, options.seed), x, options, checkpoints,
          context, result);
}

}  // namespace

Embedding faithful(const DistributedPoints& given, const FaithfulOptions& options, const RunContext& own_context,
                   const FitExtras& extras) {
    faithful_option_table().validate(options);
    require_points(given, options.dimension);
    require_same_on_all_ranks(given, faithful_option_table().values(options));
    const DistributedPoints x = distributed(given);
    const RunContext context = ranks_of(x).agreeing(own_context);
    require_start_shape(extras.start, x.count(), options.dimension);
    const PowerOfTwoScaling input(x.local(), norms_of_all(x), context);
    Checkpoints checkpoints("faithful", faithful_option_table().values(options), x, extras);
    Embedding result = unfitted(faithful_option_table().values(options), options.seed, context);
    run_steps(
        result,
        [&] {
            const auto steps = options.neighbors > 0 ? fit_local : fit;
            steps(x.with(input.points()), options, extras, checkpoints, context, result);
        },
        "ended before there were any coordinates", "ended before the matching began: these are the directions of svd");
    if (options.output == FaithfulOutput::Cosine) {
        input.restore(result.coordinates);
    }
    return result;
}

Method faithful_method() {
    Method method = method_entry(
        {.name = "faithful",
         .title = "the equation itself: lengths exact, angles below acos(threshold) kept, at full size",
         .source = "Saul 2022, A geometrical connection between sparse and low-rank matrices and its application to "
                   "manifold learning, TMLR, eq. 2; solved on spheres by this project"},
        faithful_option_table(), faithful);
    method.accepts_init = true;
    method.resumes = true;
    return method;
}

}  // namespace isogon
