#include "methods/spectral/spectral_neighbors.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "isogon/core/error.hpp"
#include "isogon/core/parallel.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/system_memory.hpp"
#include "isogon/graph/symmetric_graph.hpp"
#include "isogon/neighbors/metric_rows.hpp"
#include "isogon/neighbors/neighbor_search.hpp"
#include "methods/series/shared_steps.hpp"
#include "methods/spectral/distributed_steps.hpp"

namespace isogon {

namespace {

double dot(std::span<const float> x, std::span<const float> y) {
    double sum = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        sum += double{x[k]} * double{y[k]};
    }
    return sum;
}

double distance(std::span<const float> x, std::span<const float> y, Metric metric) {
    if (metric != Metric::Cosine) {
        return distance_between(x, y, metric);
    }
    const double lengths = std::sqrt(dot(x, x) * dot(y, y));
    return lengths > 0.0 ? std::max(0.0, 1.0 - dot(x, y) / lengths) : 1.0;
}

NeighborLists in_unit(NeighborLists lists, Metric metric, double unit) {
    if (has_unit(metric) && unit != 1.0) {
        std::transform(lists.distances.begin(), lists.distances.end(), lists.distances.begin(),
                       [&](float distance) { return static_cast<float>(double{distance} / unit); });
    }
    return lists;
}

void keep(const NeighborLists& lists, const NeighborsWanted& wanted) {
    if (wanted.keep) {
        wanted.keep(wanted.unit == 1.0 ? lists : in_unit(lists, wanted.metric, 1.0 / wanted.unit));
    }
}

/// Lists that came without distances get them. The first of them is that of point `first`.
NeighborLists with_distances(const PointsView& points, std::size_t first, NeighborLists lists, Metric metric,
                             const RunContext& context) {
    if (!lists.distances.empty()) {
        return lists;
    }
    require_rows_for(metric, points, "input");
    lists.distances.resize(lists.indices.size());
    constexpr std::size_t rows_in_block = 256;
    parallel_blocks(context, lists.count(), rows_in_block, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            for (std::size_t k = i * lists.size; k < (i + 1) * lists.size; ++k) {
                lists.distances[k] = static_cast<float>(
                    distance(points[static_cast<Index>(first + i)], points[lists.indices[k]], metric));
            }
        }
    });
    return lists;
}

}  // namespace

void require_neighbors(const NeighborsWanted& wanted, Index points) {
    if (wanted.neighbors < 1 || static_cast<std::uint64_t>(wanted.neighbors) >= points) {
        throw InvalidArgument("neighbors", std::to_string(wanted.neighbors),
                              "must be at least 1 and below " + std::to_string(points) + ", the number of points");
    }
    const std::size_t own = own_rows(points, wanted.ranks).size();
    if (wanted.given != nullptr && wanted.given->count() != own) {
        throw InvalidArgument("neighbor graph", std::to_string(wanted.given->count()) + " lists",
                              "there must be one for each of " + std::to_string(own) + " points");
    }
}

NeighborLists neighbors_of(const PointsView& points, const NeighborsWanted& wanted, Summary& summary,
                           const RunContext& context) {
    require_neighbors(wanted, points.count);
    const PhaseTimer timer(summary, "neighbors");
    const auto size = static_cast<Index>(wanted.neighbors);
    const Range rows = own_rows(points.count, wanted.ranks);
    if (wanted.given != nullptr) {
        NeighborLists nearest =
            with_distances(points, rows.begin, in_unit(nearest_of(*wanted.given, size), wanted.metric, wanted.unit),
                           wanted.metric, context);
        keep(nearest, wanted);
        return nearest;
    }
    const auto search = [&](Index neighbors) {
        NeighborSearch found =
            search_step(points, rows, {.neighbors = neighbors, .metric = wanted.metric, .seed = wanted.seed}, context);
        trim_heap();  // the freed index was larger than all later allocations
        return found;
    };
    NeighborSearch found =
        wanted.shared == nullptr ? search(size) : wanted.shared->neighbors(size, {wanted.metric, wanted.seed}, search);
    summary.measure("neighbor_recall", found.summary.value("recall", 1.0));
    keep(found.lists, wanted);
    return std::move(found.lists);
}

NeighborLists neighbors_among(const PointsView& landmarks, NeighborsWanted wanted, Summary& summary,
                              const RunContext& context) {
    wanted.given = nullptr;
    wanted.shared = nullptr;
    wanted.keep = {};
    wanted.ranks = nullptr;
    wanted.neighbors = std::min(wanted.neighbors, static_cast<int>(landmarks.count) - 1);
    return neighbors_of(landmarks, wanted, summary, context);
}

SpectralGraph apply_policy(const PointsView& points, Metric metric, CsrMatrix<double> graph, ComponentPolicy policy,
                           Summary& summary, const RunContext& context) {
    const Components components = connected_components(graph);
    summary.count("components", components.count());
    if (components.count() <= 1 || policy == ComponentPolicy::Separate) {
        return {std::move(graph), {}};
    }
    if (policy == ComponentPolicy::Error) {
        require_connected(components, "input");
    }
    if (policy == ComponentPolicy::Bridge) {
        summary.count("bridges", components.count() - 1);
        return {bridge_components(points, metric, std::move(graph), context), {}};
    }
    ComponentGraph largest = component_graph(graph, components, 0);
    const Index left_out = points.count - static_cast<Index>(largest.kept.size());
    summary.count("left_out", left_out);
    summary.warn(std::to_string(left_out) +
                 " points are not in the largest component of the neighbour graph; they are "
                 "mixtures of their nearest points in it, not part of the fit");
    return {std::move(largest.graph), std::move(largest.kept)};
}

void require_all_kept(ComponentPolicy policy, bool landmarks) {
    if (landmarks && policy == ComponentPolicy::Largest) {
        throw InvalidArgument("components", "largest",
                              "leaves out points that may be landmarks; with --landmarks use bridge or separate");
    }
}

std::vector<std::pair<std::string, ComponentPolicy>> component_choices(bool separate, bool bridge) {
    std::vector<std::pair<std::string, ComponentPolicy>> choices{{"error", ComponentPolicy::Error},
                                                                 {"largest", ComponentPolicy::Largest}};
    if (bridge) {
        choices.emplace_back("bridge", ComponentPolicy::Bridge);
    }
    if (separate) {
        choices.emplace_back("separate", ComponentPolicy::Separate);
    }
    return choices;
}

}  // namespace isogon
