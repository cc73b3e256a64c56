#include "methods/semidefinite.hpp"

#include <algorithm>
#include <utility>

#include "graph/barycentric_weights.hpp"
#include "isogon/core/error.hpp"
#include "linalg/truncated_svd.hpp"
#include "methods/input_points.hpp"
#include "methods/method_frame.hpp"
#include "methods/semidefinite/unfolding_steps.hpp"
#include "methods/spectral/spectral_neighbors.hpp"
#include "semidefinite/exact_unfolding.hpp"
#include "semidefinite/low_rank_unfolding.hpp"
#include "semidefinite/unfolding.hpp"

namespace isogon {

namespace {

bool is_exact(const SdeOptions& options, const DistanceConstraints& constraints) {
    constexpr std::size_t most_distances = 3000;  // some ten seconds
    return options.solver == UnfoldingSolver::Exact ||
           (options.solver == UnfoldingSolver::Auto && constraints.size() <= most_distances);
}

/// The start of the low-rank solver: projections on as many principal directions as it usually has columns. They
/// satisfy every inequality; random starts of a long sheet have folds that the descent does not remove.
MultiVector<double> principal_start(const PointsView& points, const RunContext& context) {
    constexpr Index most = 4;
    const Index rank = std::min(most, points.dimension);
    require_memory(context,
                   {{"principal directions", truncated_svd_bytes(points.count, points.dimension, rank)},
                    {"the start", MultiVector<double>::bytes(points.count, 2 * rank)}},
                   "raise the limit or take fewer points");
    const Points projected = project(points, truncated_svd(points, rank, true, context), context);
    MultiVector<double> start(projected.count(), projected.dimension());
    std::copy(projected.values().begin(), projected.values().end(), start.values().begin());
    return start;
}

/// Whether distances give way at this penalty: few of them, where another attempt takes no time, or those of a star.
/// The force on a short link between long ones is larger than the default, and 1, that of a star, is just what bounds
/// the program: its points then lie anywhere.
bool few_give_way(const Unfolding& unfolding, const DistanceConstraints& constraints, double price) {
    constexpr std::size_t few = 200;
    constexpr double kept = 0.01;
    return (constraints.size() <= few || price <= 1.0) && unfolding.status == SemidefiniteStatus::Solved &&
           distance_changes(unfolding.outputs, constraints).most_stretched > kept;
}

/// Unfolds at the default penalty, what holds a sheet, raised until the program is bounded, and few distances hold.
Unfolding unfold_at_some_price(Index points, const DistanceConstraints& constraints, const SdeOptions& options,
                               Summary& summary, const RunContext& context) {
    constexpr int most_raises = 4;
    constexpr double raise = 8.0;
    const auto unfold_at = [&](double price) {
        const SemidefiniteOptions solver{.tolerance = options.tolerance, .iterations = options.iterations};
        return unfold_exactly(points, constraints, {.price = price, .solver = solver}, context);
    };
    double price = slack_penalty(points, constraints);
    Unfolding unfolding = unfold_at(price);
    for (int raises = 0; raises < most_raises; ++raises) {
        const bool bounded = unfolding.status != SemidefiniteStatus::Unbounded;
        if (bounded && !few_give_way(unfolding, constraints, price)) {
            break;
        }
        Unfolding next = unfold_at(raise * price);
        if (bounded && next.status != SemidefiniteStatus::Solved) {
            break;  // a larger penalty leaves the solver fewer digits
        }
        price *= raise;
        unfolding = std::move(next);
    }
    summary.measure("price", price);
    return unfolding;
}

Unfolding unfold(const PointsView& points, const DistanceConstraints& constraints, const SdeOptions& options,
                 Summary& summary, const RunContext& context) {
    const PhaseTimer timer(summary, "unfolding");
    if (is_exact(options, constraints)) {
        return unfold_at_some_price(points.count, constraints, options, summary, context);
    }
    return unfold_low_rank(principal_start(points, context), points.count, constraints,
                           {.tolerance = options.tolerance, .iterations = options.iterations, .seed = options.seed},
                           context);
}

void record_changes(const Unfolding& unfolding, const DistanceConstraints& constraints, Summary& summary) {
    const DistanceChanges changes = distance_changes(unfolding.outputs, constraints);
    summary.measure("most_stretched", changes.most_stretched);
    summary.measure("most_shrunk", changes.most_shrunk);
    summary.measure("mean_change", changes.mean);
}

void record_end(const Unfolding& unfolding, const RunContext& context, Summary& summary) {
    summary.count("iterations", static_cast<double>(unfolding.iterations));
    summary.termination = termination_of(unfolding.status, context);
    summary.message = unfolding.message;
    if (unfolding.status == SemidefiniteStatus::Unbounded) {
        summary.warn(
            {"distances give way without end at any price that was tried; use ", Text::option("solver"), " low-rank"});
    } else if (unfolding.status != SemidefiniteStatus::Solved) {
        summary.warn({"the gap left is " + rounded(unfolding.gap) + " of the trace; allow more ",
                      Text::option("iterations"), " or time, or raise ", Text::option("tolerance")});
    }
}

}  // namespace

const OptionTable<SdeOptions>& sde_option_table() {
    static const OptionTable<SdeOptions> table =
        OptionTable<SdeOptions>()
            .integer("dimension", &SdeOptions::dimension, {.minimum = 1},
                     "numbers for each point; the spectrum tells how many the data has")
            .integer("neighbors", &SdeOptions::neighbors, {.minimum = 1},
                     "nearest points to which distances are kept; more forbid to unfold")
            .choice("solver", &SdeOptions::solver,
                    {{"auto", UnfoldingSolver::Auto},
                     {"exact", UnfoldingSolver::Exact},
                     {"low-rank", UnfoldingSolver::LowRank}},
                    "exact: the whole Gram matrix, for some hundred points; low-rank: outputs themselves, with a "
                    "bound on what they miss; auto: exact up to 3,000 distances")
            .number(
                "tolerance", &SdeOptions::tolerance, {.minimum = 1e-12, .maximum = 1.0},
                "of the gap between what is reached and what cannot be passed; three digits of the trace by default")
            .integer("iterations", &SdeOptions::iterations, {.minimum = 1}, "of the solver, at most")
            .choice("components", &SdeOptions::components, joined_component_choices(), joined_components_help)
            .integer("seed", &SdeOptions::seed, {.minimum = 0}, "of low-rank starts and approximate neighbours");
    return table;
}

Embedding semidefinite_embedding(const PointsView& x, const SdeOptions& options, const RunContext& context,
                                 const FitExtras& extras) {
    sde_option_table().validate(options);
    require_points(x, options.dimension, MostNumbers::OfPoints);
    const ChosenPolicy policy = chosen_policy(options.components, ComponentPolicy::Bridge);
    SdeOptions used = options;
    used.components = policy.policy;
    Embedding result = unfitted(sde_option_table().values(used), options.seed, context);
    Summary& summary = result.summary;
    const UnfoldingPoints points(x, extras, summary, context);
    const NeighborsWanted wanted{options.neighbors, Metric::Euclidean, options.seed, extras.neighbors,
                                 points.unit().unit()};
    require_neighbors(wanted, points.view().count);
    const auto steps = [&] {
        const NeighborLists lists = neighbors_of(points.view(), wanted, summary, context);
        const DistanceConstraints constraints =
            distances_to_keep(points.view(), lists, {KeptPairs::SharedNeighbors, policy}, summary, context);
        used.solver = is_exact(options, constraints) ? UnfoldingSolver::Exact : UnfoldingSolver::LowRank;
        result.options = sde_option_table().values(used);
        const Unfolding unfolding = unfold(points.view(), constraints, options, summary, context);
        record_end(unfolding, context, summary);
        record_spectrum(unfolding, points.unit(), summary);
        record_changes(unfolding, constraints, summary);
        if (summary.usable() && !unfolding.outputs.values().empty()) {
            const Points fitted = leading_outputs(unfolding, options.dimension, points.unit(), summary);
            result.coordinates = points.of_all(fitted);
            result.barycentric_map = {points.rows(), fitted, lists.size, usual_ridge, Metric::Euclidean};
        }
    };
    run_steps(result, steps, "ended before the unfolding began");
    return result;
}

Method sde_method() {
    return method_entry(
        {.name = "sde",
         .title = "semidefinite embedding: points pulled apart as far as distances between neighbours allow",
         .source = "Weinberger and Saul, CVPR 2004",
         .uses_neighbors = true},
        sde_option_table(), semidefinite_embedding);
}

}  // namespace isogon
