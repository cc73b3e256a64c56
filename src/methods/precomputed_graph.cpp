#include "methods/precomputed_graph.hpp"

#include <algorithm>
#include <string>

#include "isogon/core/error.hpp"
#include "methods/input_points.hpp"

namespace isogon {

namespace {

constexpr const char* only_a_graph = "needs the points, and only a graph of their neighbours was given; ";

/// Distances ascend in each list, so that only its ends are looked at.
double longest_distance(const NeighborLists& lists) {
    double longest = 0.0;
    for (Index i = 0; i < lists.count(); ++i) {
        longest = std::max(longest, double{lists.distances_of(i).back()});
    }
    return longest;
}

void require_distances(const NeighborLists& lists) {
    if (lists.distances.empty()) {
        throw InputError("neighbour lists", "",
                         "have no distances, and there are no points to take them from: give either");
    }
    for (Index i = 0; i < lists.count(); ++i) {
        const double nearest = lists.distances_of(i).front();
        if (nearest < 0.0) {
            throw InputError("neighbour lists", "row " + std::to_string(i),
                             "the distance " + std::to_string(nearest) + " is negative");
        }
    }
    if (longest_distance(lists) == 0.0) {
        throw InputError("neighbour lists", "", "all distances are 0: there is nothing to embed");
    }
}

}  // namespace

bool has_graph_alone(const PointsView& x, const FitExtras& extras) {
    return x.count > 0 && x.dimension == 0 && extras.neighbors != nullptr;
}

void require_points_or_graph(const PointsView& x, int dimension, const FitExtras& extras) {
    if (!has_graph_alone(x, extras)) {
        require_points(x, dimension);
        return;
    }
    if (extras.neighbors->count() != x.count) {
        throw InvalidArgument("neighbor graph", std::to_string(extras.neighbors->count()) + " lists",
                              "there must be one for each of " + std::to_string(x.count) + " points");
    }
    require_distances(*extras.neighbors);
    if (dimension < 1 || static_cast<std::uint64_t>(dimension) >= x.count) {
        throw InvalidArgument(
            "dimension", std::to_string(dimension),
            "must be at least 1 and below " + std::to_string(x.count) + ", the number of points of the graph");
    }
}

void require_graph_serves(const PointsView& x, const FitExtras& extras, ComponentPolicy policy, bool landmarks) {
    if (!has_graph_alone(x, extras)) {
        return;
    }
    if (policy == ComponentPolicy::Bridge || policy == ComponentPolicy::Largest) {
        throw InvalidArgument("components", policy == ComponentPolicy::Bridge ? "bridge" : "largest",
                              std::string(only_a_graph) + "take error, or a graph of more neighbours");
    }
    if (landmarks) {
        throw InvalidArgument("landmarks", "given", std::string(only_a_graph) + "leave them out");
    }
}

void require_points_to_start(const PointsView& x, const FitExtras& extras, bool from_points) {
    if (from_points && has_graph_alone(x, extras) && extras.start.empty()) {
        throw InvalidArgument("start", "pca", std::string(only_a_graph) + "take random, or give coordinates");
    }
}

PowerOfTwoScaling unit_of(const PointsView& x, const FitExtras& extras, const RunContext& context) {
    if (has_graph_alone(x, extras)) {
        return PowerOfTwoScaling(x.count, longest_distance(*extras.neighbors));
    }
    return PowerOfTwoScaling(x, context);
}

}  // namespace isogon
