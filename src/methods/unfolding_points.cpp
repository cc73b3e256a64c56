#include "methods/unfolding_points.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "isogon/core/error.hpp"
#include "isogon/core/rows.hpp"
#include "isogon/core/squared_distance.hpp"
#include "isogon/graph/symmetric_graph.hpp"
#include "methods/spectral_graph.hpp"

namespace isogon {

namespace {

void require_lists_of(const DistinctPoints& distinct, const FitExtras& extras) {
    const std::size_t again = distinct.place.size() - distinct.rows.size();
    if (again > 0 && extras.neighbors != nullptr) {
        throw InputError("neighbor graph", "",
                         std::to_string(again) +
                             " points equal earlier ones, and equal points are fitted as one; leave "
                             "out the graph, or the points that come again");
    }
}

/// Puts in the edges that join components, which no list has, each in its place: pairs ascend.
void add_bridges(const PointsView& points, const CsrMatrix<double>& graph, DistanceConstraints& constraints) {
    DistanceConstraints joined;
    std::size_t a = 0;
    const auto take_before = [&](const std::pair<Index, Index>& pair) {
        for (; a < constraints.size() && constraints.pairs[a] < pair; ++a) {
            joined.pairs.push_back(constraints.pairs[a]);
            joined.squared.push_back(constraints.squared[a]);
        }
    };
    for (Index i = 0; i < graph.rows; ++i) {
        for (const Index j : graph.row_indices(i)) {
            const std::pair<Index, Index> pair{i, j};
            take_before(pair);
            if (i < j && (a == constraints.size() || constraints.pairs[a] != pair)) {
                joined.pairs.push_back(pair);
                joined.squared.push_back(squared_distance(points[i].data(), points[j].data(), points.dimension));
            }
        }
    }
    take_before({graph.rows, 0});
    constraints = std::move(joined);
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

}  // namespace

UnfoldingPoints::UnfoldingPoints(const PointsView& x, const FitExtras& extras, Summary& summary,
                                 const RunContext& context)
    : unit_(x, context), distinct_(distinct_points(unit_.points())) {
    require_lists_of(distinct_, extras);
    if (distinct_.rows.size() < x.count) {
        once_ = read_rows(ViewRows(unit_.points()), distinct_.rows);
    }
    summary.count("duplicates", static_cast<double>(x.count) - static_cast<double>(distinct_.rows.size()));
}

Points UnfoldingPoints::of_all(const Points& fitted) const {
    Points all(static_cast<Index>(distinct_.place.size()), fitted.dimension());
    for (Index i = 0; i < all.count(); ++i) {
        std::copy(fitted[distinct_.place[i]].begin(), fitted[distinct_.place[i]].end(), all[i].begin());
    }
    return all;
}

DistanceConstraints distances_to_keep(const PointsView& points, const NeighborLists& lists, KeptPairs kept,
                                      ComponentPolicy policy, Summary& summary, const RunContext& context) {
    const PhaseTimer timer(summary, "graph");
    CsrMatrix<double> neighbors = symmetric_graph(lists, GraphSymmetry::Either, context);
    if (policy == ComponentPolicy::Error) {
        require_connected(connected_components(neighbors), "input", "bridge");
    }
    const SpectralGraph graph = apply_policy(points, Metric::Euclidean, std::move(neighbors), policy, summary, context);
    DistanceConstraints constraints = distance_constraints(points, lists, kept, context);
    if (policy == ComponentPolicy::Bridge) {
        add_bridges(points, graph.graph, constraints);
    }
    summary.count("raised", static_cast<double>(raise_shortest(constraints)));
    summary.count("constraints", static_cast<double>(constraints.size()));
    return constraints;
}

}  // namespace isogon
