#include "isogon/methods/faithful.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "isogon/core/error.hpp"
#include "isogon/core/power_of_two_scaling.hpp"
#include "isogon/linalg/truncated_svd.hpp"
#include "isogon/pairs/isolated_points.hpp"
#include "isogon/pairs/matching_problem.hpp"
#include "isogon/pairs/row_sample.hpp"
#include "isogon/pairs/threshold.hpp"
#include "methods/input_points.hpp"
#include "methods/matching/dimension_search.hpp"
#include "methods/matching/faithful_neighbors.hpp"
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
        return given_start(extras);
    }
    const PhaseTimer timer(result.summary, "svd");
    Points start = project(weighted, start_directions(weighted, dimension_of(options), options.seed, context), context);
    if (options.output == FaithfulOutput::Cosine) {
        result.coordinates = start;
        set_norms(result.coordinates, norms_of_all(x, context));
    }
    return start;
}

/// Outputs of the lengths of the inputs; or [y_i, s_i] of length-1 inputs, for searching by inner product.
Points read_off(const FaithfulPath& path, const std::vector<double>& norms, const std::vector<float>& lengths,
                FaithfulOutput output, const RunContext& context) {
    if (output == FaithfulOutput::Cosine) {
        Points outputs = path.outputs(context);
        set_norms(outputs, norms);
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

/// A problem of matching: S, the lengths of its points, and of the local form their K neighbours.
struct Problem {
    Similarities s;
    std::vector<float> lengths;
    NeighborLists lists{};
    bool one_threshold = false;  ///< d numbers are not enough for the local form: the lists only judge
    std::size_t warnings = 0;    ///< of the summary, before S gave its own
};

/// The outputs y_i whose L_ij = y_i.y_j - tau |y_i||y_j| has S = max(0, L) (eq. 2), by the path from spheres to the
/// form that d dimensions allow; where they allow the spheres, by the local form from there
/// (docs/methods/faithful.md).
void match(Problem& problem, MultiVector<float> start, const DistributedPoints& x, const FaithfulOptions& options,
           Checkpoints& checkpoints, const RunContext& context, Embedding& result) {
    Summary& summary = result.summary;
    const bool locally = problem.lists.size > 0 && !problem.one_threshold;
    const auto go_on_locally = [&](MultiVector<float> from, double trial_residual) {
        summary.warnings.resize(problem.warnings);  // every point has near pairs: none is isolated
        (void)match_locally(std::move(problem.s), problem.lists, problem.lengths, std::move(from), trial_residual, x,
                            options, checkpoints, context, result);  // no trial, so it is not given up
    };
    if (const Archive* saved = checkpoints.resume(); locally && is_of_local_form(saved)) {
        return go_on_locally(std::move(start), trial_residual_in(*saved, FaithfulPath::solvable));
    }
    const std::vector<double> norms = norms_of_all(x, context);
    const auto coordinates = [&](const FaithfulPath& path) {
        return read_off(path, norms, problem.lengths, options.output, uninterrupted(context));
    };
    std::optional<PhaseTimer> timer(std::in_place, summary, "matching");
    FollowedPath followed = follow_path(problem.s, problem.lengths, std::move(start),
                                        {.favor = options.favor.value_or(Favor::Balanced),
                                         .off_support_weight = options.off_support_weight,
                                         .iterations = options.iterations,
                                         .tolerance = options.tolerance,
                                         .only_trial = locally},
                                        coordinates, checkpoints, context);
    timer.reset();
    if (locally && followed.path->is_solvable()) {
        MultiVector<float> from = followed.path->descent().position();
        const double residual = followed.path->trial_residual();
        followed.path.reset();
        return go_on_locally(std::move(from), residual);
    }
    FaithfulOptions used = options;
    used.neighbors = 0;
    result.options = faithful_option_table().values(used);
    record_path(followed, dimension_of(options), summary);
    warn_of_pictures(dimension_of(options), followed.path->trial_residual(), summary);
    if (summary.usable()) {
        result.coordinates = coordinates(*followed.path);
    }
}

/// S and the neighbours, which no dimension changes; `found` are those that were looked for before.
Problem pose(const DistributedPoints& points, std::vector<float> lengths, const FaithfulOptions& options,
             NeighborLists found, const FitExtras& extras, const RunContext& context, Summary& summary) {
    Problem problem{
        .s = {}, .lengths = std::move(lengths), .lists = std::move(found), .warnings = summary.warnings.size()};
    problem.s = tied_similarities(points, options.threshold.value_or(0.0), context, summary);
    if (const auto k = static_cast<Index>(options.neighbors.value_or(0)); k > 0 && problem.lists.size == 0) {
        problem.lists = neighbors_of_all(points, k, options, extras.neighbors, context, summary);
    }
    return problem;
}

/// The steps of the method by angle in dimensions that are to be found, each fit with a copy of the problem.
void search_dimension(const Problem& problem, const DistributedPoints& x, const DistributedPoints& points,
                      const FaithfulOptions& options, double density, const FitExtras& extras, Checkpoints& checkpoints,
                      const RunContext& context, Embedding& result) {
    const std::uint64_t kept_bytes =
        problem.s.upper.bytes() + neighbor_bytes(problem.lists.count(), problem.lists.size);
    const auto fit_in = [&](Index d, const Embedding* wider, const Summary& before) {
        FaithfulOptions used = options;
        used.dimension = static_cast<int>(d);
        Embedding fitted = result;
        fitted.summary.seconds = before.seconds;
        fitted.options = faithful_option_table().values(used);
        state_faithful(x, used, density, false, context,
                       {{"the similarities and neighbours, kept for the next fit", kept_bytes},
                        {"outputs of the best fit", std::uint64_t{x.count()} * 2 * d * sizeof(float)}});
        const Points start = wider == nullptr ? first_coordinates(x, points, used, extras, context, fitted)
                                              : in_fewer_dimensions(wider->coordinates, d, true, context);
        Problem own = problem;
        match(own, on_spheres(start.view(), own.lengths, options.seed), x, used, checkpoints, context, fitted);
        certify(own.lists, Metric::Cosine, x, context, fitted);
        return fitted;
    };
    result = fit_in_fewest_dimensions(options.recall, most_dimensions(x), fit_in, result.summary);
}

bool looks_at_neighbors_alone(const FaithfulOptions& options, Index k, Index points) {
    return k > 0 && points >= many_points && !options.threshold &&
           options.favor.value_or(Favor::Neighbors) == Favor::Neighbors;
}

/// The options with the dimension that a sample of the points needs, and its curve: whether d numbers are enough does
/// not depend on how many points there are.
FaithfulOptions with_dimension_of_sample(const DistributedPoints& x, const FaithfulOptions& given, Index k,
                                         const RunContext& context, Summary& summary) {
    constexpr Index sampled = 10000;
    const PhaseTimer timer(summary, "dimension");
    FaithfulOptions options = given;
    options.neighbors = static_cast<int>(k);
    options.favor = Favor::Neighbors;
    const Points sample = x.gather_rows(sample_rows(x.count(), sampled, given.seed, RandomStream::TrialSample));
    const Embedding found = faithful(sample.view(), options, context);
    if (const Termination end = found.summary.termination;
        end == Termination::Cancelled || end == Termination::TimeLimit) {
        throw Interruption{end};
    }
    for (const auto& [name, value] : found.summary.measures) {
        if (name.starts_with("kept_neighbors_in_")) {
            summary.measure(name, value);
        }
    }
    summary.count("points_of_the_search", sample.count());
    options = given;
    options.dimension = static_cast<int>(found.coordinates.dimension());
    return options;
}

/// What a sample has said, beside what all points say.
void record_dimension_of_sample(const FaithfulOptions& options, Summary& summary) {
    summary.message = "a sample needs " + std::to_string(dimension_of(options)) + " dimensions; " + summary.message;
    const double kept = summary.value("kept_neighbors", 1.0);
    if (kept < options.recall) {
        summary.warn("all points keep " + rounded(kept) +
                     " of their neighbours, less than recall = " + rounded(options.recall) +
                     ", which the sample kept: raise --iterations or --dim, or lower --recall");
    }
}

/// The relative residual on spheres after the trial, of a sample of the points: whether d numbers are enough does not
/// depend on how many points there are, as the share of pairs above the threshold does not.
double trial_on_sample(const DistributedPoints& points, const std::vector<float>& lengths,
                       const FaithfulOptions& options, const RunContext& context, Summary& summary) {
    constexpr Index sampled = 6000;
    const PhaseTimer timer(summary, "trial");
    RunContext renamed = context;
    renamed.on_iteration = [&](Progress progress) {
        progress.phase = "trial";
        context.report(progress);
    };
    const auto rows = sample_rows(points.count(), sampled, options.seed, RandomStream::TrialSample);
    const Points sample = points.gather_rows(rows);
    std::vector<float> own_lengths(rows.size());
    std::transform(rows.begin(), rows.end(), own_lengths.begin(), [&](Index row) { return lengths[row]; });
    Summary own;
    const AngleHistograms angles = choose_threshold(sample.view(), {.seed = options.seed}, renamed);
    const Similarities s = tied_similarities(sample.view(), angles.threshold, renamed, own);
    const Points start =
        project(sample.view(), truncated_svd(sample.view(), dimension_of(options), false, context), context);
    FaithfulPath path(s, own_lengths, on_spheres(start.view(), own_lengths, options.seed), {.only_trial = true},
                      renamed);
    if (const Termination end = path.run(); end == Termination::Cancelled || end == Termination::TimeLimit) {
        throw Interruption{end};
    }
    return path.trial_residual();
}

/// The steps of the method by angle for many points, of which no update visits all pairs: every point's neighbours
/// alone are kept. False where d numbers are not enough for that: then only the summary has changed, and `found` has
/// the neighbours, if they were looked for. Where points come in groups, a sample has few of each and cannot tell: ten
/// copies of 3,000 points keep .98 of their neighbours in 8 numbers, where the trial on a sample leaves 4.7. So where
/// it says no, the first updates of all points decide.
bool fit_neighbors_alone(const DistributedPoints& x, const FaithfulOptions& given, Index k, const FitExtras& extras,
                         Checkpoints& checkpoints, const RunContext& context, Embedding& result, NeighborLists& found) {
    constexpr double most_residual = 1e300;
    FaithfulOptions options = given;
    options.neighbors = static_cast<int>(k);
    options.favor = Favor::Neighbors;
    const Archive* saved = checkpoints.resume();
    if (saved != nullptr && !is_of_local_form(saved)) {
        return false;
    }
    state_neighbors_alone(x, options, k, extras, context);
    WeightedPoints weighted = weighted_points(x, true, context);
    const DistributedPoints points = x.with(weighted.points.view());
    const double residual = saved != nullptr
                                ? trial_residual_in(*saved, most_residual)
                                : trial_on_sample(points, weighted.lengths, options, context, result.summary);
    result.options = faithful_option_table().values(options);
    const Points start = first_coordinates(x, points, options, extras, context, result);
    found = neighbors_of_all(points, k, options, extras.neighbors, context, result.summary);
    weighted.points = Points();
    Similarities none;
    none.ranks = ranks_of(x);
    const bool done = match_locally(std::move(none), found, weighted.lengths,
                                    on_spheres(start.view(), weighted.lengths, options.seed), residual, x, options,
                                    checkpoints, context, result);
    if (done) {
        certify(found, Metric::Cosine, x, context, result);
    }
    return done;
}

/// The steps of the method by angle, for inputs in a unit of length in which products fit; with K neighbours.
void fit(const DistributedPoints& x, const FaithfulOptions& given, Index k, const FitExtras& extras,
         Checkpoints& checkpoints, const RunContext& context, Embedding& result) {
    const bool alone = looks_at_neighbors_alone(given, k, x.count());
    NeighborLists found;
    if (alone) {
        if (!given.dimension) {
            const FaithfulOptions chosen = with_dimension_of_sample(x, given, k, context, result.summary);
            fit(x, chosen, k, extras, checkpoints, context, result);
            return record_dimension_of_sample(chosen, result.summary);
        }
        if (fit_neighbors_alone(x, given, k, extras, checkpoints, context, result, found)) {
            return;
        }
    }
    const AngleHistograms angles = threshold_step(x, given.threshold, given.seed, result.summary, context);
    const double tau = angles.threshold;
    FaithfulOptions options = given;
    options.threshold = tau;
    options.neighbors = static_cast<int>(k);
    result.options = faithful_option_table().values(options);
    state_faithful(x, options, 1.0 - angles.sparsity, bool{extras.checkpoint}, context);

    WeightedPoints weighted = weighted_points(x, options.weights == PairWeights::Unit, context);
    const DistributedPoints points = x.with(weighted.points.view());
    if (!options.dimension) {
        const Problem problem = pose(points, weighted.lengths, options, {}, extras, context, result.summary);
        return search_dimension(problem, x, points, options, 1.0 - angles.sparsity, extras, checkpoints, context,
                                result);
    }
    Points start = first_coordinates(x, points, options, extras, context, result);
    Problem problem = pose(points, weighted.lengths, options, std::move(found), extras, context, result.summary);
    problem.one_threshold = alone;
    if (options.start == FaithfulStart::Tsm && extras.start.empty()) {
        const PhaseTimer timer(result.summary, "start");
        start = tsm_start(problem.s, start, options, context);
    }
    weighted.points = Points();  // S and the neighbours are all that is needed of them from here on
    match(problem, on_spheres(start.view(), weighted.lengths, options.seed), x, options, checkpoints, context, result);
    certify(problem.lists, Metric::Cosine, x, context, result);
}

/// Throws InvalidArgument for what a search of the dimension cannot go with.
void require_search(const FaithfulOptions& options, Index k, const FitExtras& extras) {
    if (options.dimension) {
        return;
    }
    if (k == 0) {
        throw InvalidArgument(
            "dimension", "auto",
            "is found by the neighbours that are kept, and one threshold keeps none: give a number, or "
            "neighbors above 0");
    }
    if (!extras.start.empty() || extras.resume != nullptr || extras.checkpoint) {
        throw InvalidArgument("dimension", "auto",
                              "takes several fits, which have no start and no checkpoint in common: give a number");
    }
}

/// The user's start by distance in the unit of the points; by angle its lengths do not count.
Points start_in_unit(const FitExtras& extras, const FaithfulOptions& options, const PowerOfTwoScaling& input) {
    if (options.metric != Metric::Euclidean || extras.start.empty()) {
        return {};
    }
    Points start = given_start(extras);
    for (float& value : start.values()) {
        value = static_cast<float>(double{value} / input.unit());
    }
    require_finite(start.view(), "start, as compared with the points");
    return start;
}

/// What "auto" came to, where the steps have not said it.
void record_choices(Index k, Embedding& result) {
    const Summary& summary = result.summary;
    const auto record = [&](const char* name, OptionValue value) {
        OptionValue& option = result.options.at(name);
        option = to_text(option) == "auto" ? std::move(value) : option;
    };
    record("neighbors", std::int64_t{k});
    if (to_text(result.options.at("metric")) == "cosine") {
        record("favor", std::string("balanced"));
    }
    if (const double exact = summary.value("exact_neighbors", -1.0); exact >= 0.0) {
        record("search", std::string(exact > 0.0 ? "exact" : "approximate"));
    }
    record("balance", summary.value("strained") > 0.0 ? FaithfulPath::damped_off_support_weight : 1.0);
}

}  // namespace

Embedding faithful(const DistributedPoints& given, const FaithfulOptions& options, const RunContext& own_context,
                   const FitExtras& extras) {
    faithful_option_table().validate(options);
    require_points(given, options.dimension.value_or(1));
    require_same_on_all_ranks(given, faithful_option_table().values(options));
    const DistributedPoints x = distributed(given);
    const Index k = neighbors_to_keep(options, x.count(), extras.neighbors);
    const RunContext agreeing = ranks_of(x).agreeing(own_context);
    require_search(options, k, extras);
    require_start_shape(extras.start, x.count(), options.dimension.value_or(1));
    const PowerOfTwoScaling input(x.local(), norms_of_all(x, agreeing), agreeing);
    const bool has_unit = options.output == FaithfulOutput::Cosine;
    const std::function<void(Points&)> restore = [&](Points& coordinates) {
        if (has_unit) {
            input.restore(coordinates);
        }
    };
    const RunContext context = restoring(agreeing, restore);
    Checkpoints checkpoints("faithful", faithful_option_table().values(options), x, extras);
    const Points start = start_in_unit(extras, options, input);
    FitExtras own = extras;
    own.start = start.empty() ? extras.start : start.view();
    Embedding result = unfitted(faithful_option_table().values(options), options.seed, context);
    run_steps(
        result,
        [&] {
            const auto steps = options.metric == Metric::Euclidean ? fit_by_distance : fit;
            steps(x.with(input.points()), options, k, own, checkpoints, context, result);
        },
        "ended before there were any coordinates", "ended before the matching began: these are the directions of svd");
    record_choices(k, result);
    if (has_unit) {
        restore_unit(input, result);
    }
    return result;
}

Method faithful_method() {
    Method method = method_entry(
        {.name = "faithful",
         .title = "every point's nearest neighbours and the small angles kept, lengths exact, at full size",
         .source = "Saul 2022, A geometrical connection between sparse and low-rank matrices and its application to "
                   "manifold learning, TMLR, eq. 2; solved on spheres by this project"},
        faithful_option_table(), faithful);
    method.accepts_init = true;
    method.resumes = true;
    method.uses_neighbors = true;
    method.searches_alone = true;
    return method;
}

}  // namespace isogon
