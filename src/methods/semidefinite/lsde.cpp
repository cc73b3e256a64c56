#include "methods/semidefinite.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph/barycentric_weights.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/points.hpp"
#include "isogon/neighbors/landmark_selection.hpp"
#include "methods/input_points.hpp"
#include "methods/method_frame.hpp"
#include "methods/semidefinite/unfolding_steps.hpp"
#include "methods/shared_steps.hpp"
#include "methods/spectral/spectral_neighbors.hpp"
#include "semidefinite/landmark_unfolding.hpp"

namespace isogon {

namespace {

ChosenPolicy policy_of(const LsdeOptions& options) {
    return chosen_policy(options.components, ComponentPolicy::Bridge);
}

using LsdeFit = RunningFit<LsdeOptions>;  // of points no two of which are equal

/// r, how many points rebuild each, or all others where there are not so many.
Index rebuilding(const LsdeFit& fit) {
    constexpr Index rebuilding_a_kept = 2;  // more average more noise away, and cut more corners
    return std::min(rebuilding_a_kept * static_cast<Index>(fit.options.neighbors), fit.points.count - 1);
}

MultiVector<double> reconstruction(const LsdeFit& fit, const NeighborLists& lists, const LandmarkSet& set) {
    Summary& summary = fit.result.summary;
    std::optional<PhaseTimer> timer(std::in_place, summary, "choose landmarks");
    summary.count("landmarks", set.count);
    const std::vector<Index> landmarks =
        choose_landmarks(ViewRows(fit.points), set.count, set.selection, set.seed, fit.context);
    timer.emplace(summary, "weights");
    const CsrMatrix<double> weights = barycentric_weights(fit.points, lists, usual_ridge, fit.context);
    timer.emplace(summary, "reconstruction");
    return landmark_reconstruction(weights, landmarks, fit.context);
}

LandmarkUnfolding unfold(const LsdeFit& fit, NeighborsWanted wanted, const LandmarkSet& set) {
    const auto& [points, options, extras, context, result] = fit;
    require_neighbors(wanted, points.count);
    wanted.neighbors = static_cast<int>(rebuilding(fit));
    const NeighborLists lists = neighbors_of(points, wanted, result.summary, context);
    const DistanceConstraints constraints =
        distances_to_keep(points, nearest_of(lists, static_cast<Index>(options.neighbors)),
                          {KeptPairs::Neighbors, policy_of(options)}, result.summary, context);
    const MultiVector<double> q = reconstruction(fit, nearest_of(lists, rebuilding(fit)), set);
    return landmark_unfolding(q, constraints, {.tolerance = options.tolerance}, context);
}

LandmarkSet landmark_set(const LandmarkOptions* given, Index points, const LsdeOptions& options) {
    if (given == nullptr) {
        return {default_lsde_landmarks(points, options.dimension), LandmarkSelection::Random, options.seed};
    }
    landmark_option_table().validate(*given);
    const LandmarkOptions defaults;
    if (given->extension != defaults.extension || given->neighbors != defaults.neighbors) {
        throw InvalidArgument("extension", "of lsde",
                              {"has nothing to choose: all points are combinations of landmarks; leave out ",
                               Text::option("extension"), " and ", Text::option("extension-neighbors")});
    }
    if (given->landmarks <= options.dimension || static_cast<std::uint64_t>(given->landmarks) > points) {
        throw InvalidArgument("landmarks", std::to_string(given->landmarks),
                              "must be above " + std::to_string(options.dimension) + ", the dimension, and at most " +
                                  std::to_string(points) + ", the number of points that are not equal");
    }
    return {static_cast<Index>(given->landmarks), given->selection, options.seed};
}

}  // namespace

Index default_lsde_landmarks(Index points, int dimension) {
    constexpr Index usual = 40;
    return std::min(points, std::max(usual, 2 * static_cast<Index>(dimension)));
}

const OptionTable<LsdeOptions>& lsde_option_table() {
    static const OptionTable<LsdeOptions> table =
        OptionTable<LsdeOptions>()
            .integer("dimension", &LsdeOptions::dimension, {.minimum = 1},
                     "numbers for each point; the spectrum tells how many the data has")
            .integer("neighbors", &LsdeOptions::neighbors, {.minimum = 1},
                     "nearest points to which distances are kept; more forbid to unfold across")
            .number("tolerance", &LsdeOptions::tolerance, {.minimum = 1e-6, .maximum = 1.0},
                    "a squared distance that is passed by less calls for no further round")
            .choice("components", &LsdeOptions::components, joined_component_choices(), joined_components_help)
            .integer("seed", &LsdeOptions::seed, {.minimum = 0}, "of landmarks and approximate neighbours");
    return table;
}

Embedding landmark_semidefinite_embedding(const PointsView& x, const LsdeOptions& options, const RunContext& context,
                                          const FitExtras& extras, const LandmarkOptions* landmarks) {
    lsde_option_table().validate(options);
    require_points(x, options.dimension, MostNumbers::OfPoints);
    LsdeOptions used = options;
    used.components = policy_of(options).policy;
    Embedding result = unfitted(lsde_option_table().values(used), options.seed, context);
    Summary& summary = result.summary;
    const UnfoldingPoints points(x, extras, summary, context);
    const LandmarkSet set = landmark_set(landmarks, points.view().count, options);
    const NeighborsWanted wanted{options.neighbors, Metric::Euclidean, options.seed, extras.neighbors,
                                 points.unit().unit()};
    const LsdeFit fit{points.view(), options, extras, context, result};
    const auto steps = [&] {
        const LandmarkUnfolding unfolded = unfold(fit, wanted, set);
        const Points fitted = recorded_outputs(unfolded, options.dimension, points.unit(), context, summary);
        if (!fitted.empty()) {
            result.coordinates = points.of_all(fitted);
            result.barycentric_map = {points.rows(), fitted, rebuilding(fit), usual_ridge, Metric::Euclidean};
        }
    };
    run_steps(result, steps, "ended before the first round");
    return result;
}

Method lsde_method() {
    return method_entry(
        {.name = "lsde",
         .title = "landmark semidefinite embedding: points pulled apart as far as distances between neighbours allow",
         .source = "Weinberger, Packer and Saul, AISTATS 2005",
         .uses_neighbors = true},
        lsde_option_table(), landmark_semidefinite_embedding);
}

}  // namespace isogon
