#pragma once
// Metrics of methods on neighbours, as their option tables offer them; and fits of distances that are given.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/methods/method.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "methods/input_points.hpp"

namespace isogon {

/// The choices of --metric: all metrics between points that are distances, the method's default first; with `table`
/// precomputed too.
[[nodiscard]] std::vector<std::pair<std::string, Metric>> neighbor_metric_choices(bool table);

inline constexpr const char* neighbor_metrics_help =
    "what makes two points near; hamming and jaccard are of rows of zeros and ones";
inline constexpr const char* neighbor_metrics_or_table_help =
    "what makes two points near; hamming and jaccard are of rows of zeros and ones; precomputed: the input is a square "
    "table of distances";

/// A table of distances in place of points, and how many nearest of each make the graph that is fitted.
struct DistanceTable {
    PointsView distances;
    int neighbors = 0;
};

/// The nearest of each point of a table of distances, at most all others. Throws as require_distance_table() and
/// nearest_in_table() do, InputError for fewer than two points, and InvalidArgument where the user gave neighbours as
/// well.
[[nodiscard]] NeighborLists lists_of_table(const DistanceTable& given, const FitExtras& extras,
                                           const RunContext& context);

/// A fit of a table of distances: that of the graph of its nearest neighbours, which `fit` takes with the table and the
/// metric euclidean, distances as they are.
template <class Options, class Fit>
[[nodiscard]] Embedding fit_of_table(const DistanceTable& table, Options options, const RunContext& context,
                                     FitExtras extras, const Fit& fit) {
    const NeighborLists lists = lists_of_table(table, extras, context);
    extras.neighbors = &lists;
    options.metric = Metric::Euclidean;
    Embedding result = fit(GivenData{PointsView(nullptr, table.distances.count, 0), table.distances}, options,
                           beside(context, neighbor_bytes(lists.count(), lists.size)), extras);
    result.options.insert_or_assign("metric", std::string(name(Metric::Precomputed)));
    return result;
}

}  // namespace isogon
