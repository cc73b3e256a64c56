#include "methods/neighbor_metrics.hpp"

#include <string>

#include "neighbors/distance_table.hpp"
#include "neighbors/given_neighbors.hpp"

namespace isogon {

std::vector<std::pair<std::string, Metric>> neighbor_metric_choices(bool table) {
    std::vector<std::pair<std::string, Metric>> choices;
    for (const Metric metric : {Metric::Euclidean, Metric::Cosine, Metric::Manhattan, Metric::Correlation,
                                Metric::Hamming, Metric::Jaccard}) {
        choices.emplace_back(name(metric), metric);
    }
    if (table) {
        choices.emplace_back(name(Metric::Precomputed), Metric::Precomputed);
    }
    return choices;
}

NeighborLists lists_of_table(const DistanceTable& given, const FitExtras& extras, const RunContext& context) {
    const PointsView& table = given.distances;
    if (extras.neighbors != nullptr) {
        throw InvalidArgument("neighbor graph", "given",
                              "would not be looked at: with metric precomputed the input's distances say who is near; "
                              "leave out one of the two");
    }
    if (table.count < 2) {
        throw InputError("input", "",
                         std::to_string(table.count) + " x " + std::to_string(table.dimension) +
                             ": a table of distances between at least 2 points is needed");
    }
    require_distance_table(table, Unconnected::Allowed);
    if (largest_in_table(table) == 0.0) {
        throw InputError("input", "", "all finite distances are 0: there is nothing to embed");
    }
    const auto most = static_cast<std::int64_t>(table.count) - 1;
    NeighborLists lists =
        nearest_in_table(table, static_cast<Index>(std::clamp<std::int64_t>(given.neighbors, 1, most)), context);
    for (Index i = 0; i < lists.count(); ++i) {
        if (filled_places(lists, i, i) == 0) {
            throw InputError("input", "row " + std::to_string(i), "all distances to other points are infinite");
        }
    }
    return lists;
}

}  // namespace isogon
