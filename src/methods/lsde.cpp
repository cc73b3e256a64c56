#include "isogon/methods/lsde.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "isogon/core/error.hpp"
#include "isogon/core/rows.hpp"
#include "isogon/graph/barycentric_weights.hpp"
#include "isogon/graph/symmetric_graph.hpp"
#include "isogon/methods/landmark_selection.hpp"
#include "isogon/semidefinite/landmark_reconstruction.hpp"
#include "isogon/semidefinite/landmark_unfolding.hpp"
#include "methods/distinct_points.hpp"
#include "methods/input_checks.hpp"
#include "methods/shared_steps.hpp"
#include "methods/spectral_graph.hpp"
#include "methods/spectral_method.hpp"
#include "methods/spectral_neighbors.hpp"
#include "methods/unfolding_summary.hpp"

namespace isogon {

namespace {

/// Constraints with those of the edges that join components, which no list has.
void add_bridges(const PointsView& points, const WideSparseMatrix& graph, DistanceConstraints& constraints) {
    const std::vector<std::pair<Index, Index>> listed = constraints.pairs;
    for (Index i = 0; i < graph.rows; ++i) {
        for (const Index j : graph.row_indices(i)) {
            const std::pair<Index, Index> pair{i, j};
            if (i < j && !std::binary_search(listed.begin(), listed.end(), pair)) {
                double squared = 0.0;
                for (Index k = 0; k < points.dimension; ++k) {
                    const double difference = double{points[i][k]} - double{points[j][k]};
                    squared += difference * difference;
                }
                constraints.pairs.push_back(pair);
                constraints.squared.push_back(squared);
            }
        }
    }
}

/// What is below a thousandth of the usual distance counts as that: a solver of six digits resolves no more, and bounds
/// of 1e-40 beside others of 1 would leave it none. How many.
std::size_t raise_shortest(DistanceConstraints& constraints) {
    constexpr double share = 1e-6;  // of squared distances
    std::vector<double>& squared = constraints.squared;
    const double mean = std::accumulate(squared.begin(), squared.end(), 0.0) / static_cast<double>(squared.size());
    const auto raised = std::count_if(squared.begin(), squared.end(), [&](double b) { return b < share * mean; });
    std::transform(squared.begin(), squared.end(), squared.begin(),
                   [&](double b) { return std::max(b, share * mean); });
    return static_cast<std::size_t>(raised);
}

/// The steps of the method, on points of which no two are equal.
class Steps {
public:
    Steps(const PointsView& points, const NeighborsWanted& wanted, const LsdeOptions& options, const LandmarkSet& set,
          Summary& summary, const RunContext& context)
        : points_(points), wanted_(wanted), options_(options), set_(set), summary_(summary), context_(context) {}

    [[nodiscard]] LandmarkUnfolding run() {
        const NeighborLists lists = neighbors_of(points_, longest_lists(), summary_, context_);
        const DistanceConstraints constraints = kept_distances(nearest_of(lists, kept()));
        const WideVectors q = reconstruction(nearest_of(lists, rebuilding()));
        summary_.count("constraints", static_cast<double>(constraints.size()));
        return landmark_unfolding(q, constraints, {.tolerance = options_.tolerance, .rounds = options_.rounds},
                                  context_);
    }

    /// r, or all others where there are not so many.
    [[nodiscard]] Index rebuilding() const {
        return std::min(static_cast<Index>(options_.weight_neighbors), points_.count - 1);
    }

private:
    [[nodiscard]] Index kept() const { return static_cast<Index>(options_.neighbors); }

    [[nodiscard]] NeighborsWanted longest_lists() const {
        require_neighbors(wanted_, points_.count);
        NeighborsWanted longest = wanted_;
        longest.neighbors = static_cast<int>(std::max(kept(), rebuilding()));
        return longest;
    }

    [[nodiscard]] DistanceConstraints kept_distances(const NeighborLists& lists) {
        const PhaseTimer timer(summary_, "graph");
        const SpectralGraph graph =
            apply_policy(points_, Metric::Euclidean, symmetric_graph(lists, GraphSymmetry::Either, context_),
                         options_.components, summary_, context_);
        DistanceConstraints constraints = distance_constraints(points_, lists, options_.keep, context_);
        if (options_.components == ComponentPolicy::Bridge) {
            add_bridges(points_, graph.graph, constraints);
        }
        summary_.count("raised", static_cast<double>(raise_shortest(constraints)));
        return constraints;
    }

    [[nodiscard]] WideVectors reconstruction(const NeighborLists& lists) {
        const std::vector<Index> landmarks = chosen();
        WideSparseMatrix weights;
        {
            const PhaseTimer timer(summary_, "weights");
            weights = barycentric_weights(points_, lists, options_.ridge, context_);
        }
        const PhaseTimer timer(summary_, "reconstruction");
        return landmark_reconstruction(weights, landmarks, context_);
    }

    [[nodiscard]] std::vector<Index> chosen() {
        const PhaseTimer timer(summary_, "choose landmarks");
        summary_.count("landmarks", set_.count);
        return choose_landmarks(ViewRows(points_), set_.count, set_.selection, set_.seed, context_);
    }

    PointsView points_;
    const NeighborsWanted& wanted_;
    const LsdeOptions& options_;
    const LandmarkSet& set_;
    Summary& summary_;
    const RunContext& context_;
};

LandmarkSet landmark_set(const LandmarkOptions* given, Index points, const LsdeOptions& options) {
    if (given == nullptr) {
        return {default_lsde_landmarks(points, options.dimension), LandmarkSelection::Random, options.seed};
    }
    landmark_option_table().validate(*given);
    const LandmarkOptions defaults;
    if (given->extension != defaults.extension || given->neighbors != defaults.neighbors ||
        given->ridge != defaults.ridge) {
        throw InvalidArgument(
            "extension", "of lsde",
            "has nothing to choose: all points are combinations of landmarks by --weight-neighbors and "
            "--ridge; leave out --extension, --extension-neighbors and --extension-ridge");
    }
    if (given->landmarks <= options.dimension || static_cast<std::uint64_t>(given->landmarks) > points) {
        throw InvalidArgument("landmarks", std::to_string(given->landmarks),
                              "must be above " + std::to_string(options.dimension) + ", the dimension, and at most " +
                                  std::to_string(points) + ", the number of points that are not equal");
    }
    return {static_cast<Index>(given->landmarks), given->selection, options.seed};
}

/// Lists of all points say nothing of those that are left when equal ones are one.
void require_lists_of(const DistinctPoints& distinct, const FitExtras& extras) {
    const std::size_t again = distinct.place.size() - distinct.rows.size();
    if (again > 0 && extras.neighbors != nullptr) {
        throw InputError("neighbor graph", "",
                         std::to_string(again) +
                             " points equal earlier ones, and equal points are fitted as one; leave "
                             "out the graph, or the points that come again");
    }
}

/// Row i of the result is row place[i].
Points spread_out(const Points& coordinates, const std::vector<Index>& place) {
    Points all(static_cast<Index>(place.size()), coordinates.dimension());
    for (Index i = 0; i < all.count(); ++i) {
        std::copy(coordinates[place[i]].begin(), coordinates[place[i]].end(), all[i].begin());
    }
    return all;
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
            .integer("weight-neighbors", &LsdeOptions::weight_neighbors, {.minimum = 1},
                     "nearest points that rebuild each; more average more noise away, and cut more corners")
            .choice("keep", &LsdeOptions::keep,
                    {{"neighbors", KeptPairs::Neighbors}, {"shared", KeptPairs::SharedNeighbors}},
                    "neighbors: distances to them; shared: also between points that one point lists, hence angles")
            .number("ridge", &LsdeOptions::ridge, {.minimum = 1e-10, .maximum = 1e10},
                    "keeps the weights small, as compared with a point's distances to its neighbours")
            .number("tolerance", &LsdeOptions::tolerance, {.minimum = 1e-6, .maximum = 1.0},
                    "a squared distance that is passed by less calls for no further round")
            .integer("rounds", &LsdeOptions::rounds, {.minimum = 1},
                     "of solving and adding the constraints that are violated, at most")
            .choice("components", &LsdeOptions::components,
                    {{"error", ComponentPolicy::Error}, {"bridge", ComponentPolicy::Bridge}},
                    "of a graph in several parts, which nothing would hold together: error refuses; bridge joins parts "
                    "by their shortest edges")
            .integer("seed", &LsdeOptions::seed, {.minimum = 0}, "of landmarks and approximate neighbours");
    return table;
}

Embedding landmark_semidefinite_embedding(const PointsView& x, const LsdeOptions& options, const RunContext& context,
                                          const FitExtras& extras, const LandmarkOptions* landmarks) {
    lsde_option_table().validate(options);
    require_points(x, options.dimension);
    const UnitOfLength unit(x, context);
    const DistinctPoints distinct = distinct_points(unit.points());
    require_lists_of(distinct, extras);
    const Points once = distinct.rows.size() < x.count ? read_rows(ViewRows(unit.points()), distinct.rows) : Points();
    const PointsView points = once.empty() ? unit.points() : once.view();
    const LandmarkSet set = landmark_set(landmarks, points.count, options);

    Embedding result;
    Summary& summary = result.summary;
    summary.seed = options.seed;
    summary.threads = context.thread_count();
    summary.count("duplicates", static_cast<double>(x.count - points.count));
    const NeighborsWanted wanted{options.neighbors, Metric::Euclidean, options.seed, extras.neighbors, unit.unit()};
    Steps steps(points, wanted, options, set, summary, context);
    try {
        const LandmarkUnfolding unfolded = steps.run();
        const Points fitted = told(unfolded, options.dimension, unit, context, summary);
        if (!fitted.empty()) {
            result.coordinates = spread_out(fitted, distinct.place);
            result.mixture_map = {distinct.rows, fitted, steps.rebuilding(), options.ridge, Metric::Euclidean};
        }
    } catch (const Interruption& interruption) {
        summary.termination = interruption.reason;
        summary.message = "ended before the first round";
    }
    result.options = lsde_option_table().values(options);
    return result;
}

Method lsde_method() {
    Method method = spectral_method<LsdeOptions>(
        {"lsde",
         "landmark semidefinite embedding: points pulled apart as far as distances between neighbours allow",
         "Weinberger, Packer and Saul, AISTATS 2005",
         lsde_option_table().specs(),
         {}},
        lsde_option_table(), landmark_semidefinite_embedding);
    method.uses_neighbors = true;
    return method;
}

}  // namespace isogon
