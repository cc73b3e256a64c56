#include "methods/spectral/spectral_neighbors.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "core/system_memory.hpp"
#include "graph/symmetric_graph.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/points.hpp"
#include "isogon/neighbors/neighbor_search.hpp"
#include "methods/shared_steps.hpp"
#include "methods/spectral/distributed_steps.hpp"
#include "neighbors/given_neighbors.hpp"
#include "neighbors/metric_rows.hpp"

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

/// Lists that came without distances get them, and are sorted by them. The first of them is that of point `first`.
NeighborLists with_distances(const PointsView& points, std::size_t first, NeighborLists lists, Metric metric,
                             const RunContext& context) {
    if (!lists.distances.empty()) {
        return lists;
    }
    require_rows_for(metric, points, "input");
    lists.distances.resize(lists.indices.size());
    constexpr std::size_t rows_in_block = 256;
    parallel_blocks(context, lists.count(), rows_in_block, [&](Range rows) {
        std::vector<std::pair<float, Index>> measured;
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            const Index filled = filled_places(lists, static_cast<Index>(i), first + i);
            const auto row = std::span(lists.indices).subspan(i * lists.size, lists.size);
            measured.clear();
            for (const Index j : row.first(filled)) {
                const double length = distance(points[static_cast<Index>(first + i)], points[j], metric);
                measured.emplace_back(static_cast<float>(length), j);
            }
            if (measured.empty()) {
                continue;
            }
            std::ranges::stable_sort(measured, {}, &std::pair<float, Index>::first);
            for (Index k = 0; k < lists.size; ++k) {
                const Index place = std::min<Index>(k, filled - 1);  // empty ones at the last's
                lists.distances[i * lists.size + k] = measured[place].first;
                row[k] = k < filled ? measured[k].second : row[k];
            }
        }
    });
    return lists;
}

void require_full_lists(const NeighborLists& lists, std::size_t first) {
    for (Index i = 0; i < lists.count(); ++i) {
        const Index filled = filled_places(lists, i, first + i);
        if (filled < lists.size) {
            throw InvalidArgument("neighbors", std::to_string(lists.size),
                                  "must be at most " + std::to_string(filled) + ", which is what the list of row " +
                                      std::to_string(first + i) + " holds, or its list be as long as others");
        }
    }
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
        if (!wanted.unequal) {
            require_full_lists(nearest, rows.begin);
        }
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
    return std::move(found.lists);
}

NeighborLists neighbors_among(const PointsView& landmarks, NeighborsWanted wanted, Summary& summary,
                              const RunContext& context) {
    wanted.given = nullptr;
    wanted.shared = nullptr;
    wanted.ranks = nullptr;
    wanted.neighbors = std::min(wanted.neighbors, static_cast<int>(landmarks.count) - 1);
    return neighbors_of(landmarks, wanted, summary, context);
}

ChosenPolicy chosen_policy(const std::optional<ComponentPolicy>& given, ComponentPolicy usual,
                           const SpectralRanks* ranks) {
    if (given) {
        return {*given, false};
    }
    return {ranks == nullptr ? usual : ComponentPolicy::Error, true};
}

namespace {

/// Bridges are measured, and points outside the largest component are mixed, by what a graph alone does not have.
void require_means(const BridgedBy& bridged, const Components& components, ChosenPolicy chosen) {
    const bool joins = chosen.policy == ComponentPolicy::Bridge;
    if (bridged.points.dimension > 0 || (joins && !bridged.table.empty())) {
        return;
    }
    if (chosen.automatic) {
        require_connected(components, "neighbour lists", "separate where the method has it");
    }
    throw InvalidArgument("components", std::string(name(chosen.policy)),
                          joins
                              ? "needs the points, or a table of all distances: a graph of neighbours does not say how "
                                "far its parts lie apart; give a graph of more neighbours"
                              : "needs the points, which those that it leaves out are mixed of; give a graph of more "
                                "neighbours");
}

CsrMatrix<double> joined(const BridgedBy& bridged, CsrMatrix<double> graph, const RunContext& context) {
    return bridged.points.dimension > 0 ? bridge_components(bridged.points, bridged.metric, std::move(graph), context)
                                        : bridge_components(bridged.table, bridged.unit, std::move(graph), context);
}

}  // namespace

SpectralGraph apply_policy(const BridgedBy& bridged, CsrMatrix<double> graph, ChosenPolicy chosen, Summary& summary,
                           const RunContext& context) {
    const Components components = connected_components(graph);
    summary.count("components", components.count());
    if (components.count() <= 1 || chosen.policy == ComponentPolicy::Separate) {
        return {std::move(graph), {}};
    }
    if (chosen.policy == ComponentPolicy::Error) {
        require_connected(components, "input");
    }
    require_means(bridged, components, chosen);
    if (chosen.policy == ComponentPolicy::Bridge) {
        summary.count("bridges", components.count() - 1);
        if (chosen.automatic) {
            summary.warn(
                {"the neighbour graph fell into " + std::to_string(components.count()) +
                     " components, which were joined by the shortest edges between them: how far they lie apart "
                     "says little; more ",
                 Text::option("neighbors"), " may join them, and ", Text::option("components"),
                 " error refuses such data"});
        }
        return {joined(bridged, std::move(graph), context), {}};
    }
    ComponentGraph largest = component_graph(graph, components, 0);
    const Index left_out = bridged.points.count - static_cast<Index>(largest.kept.size());
    summary.count("left_out", left_out);
    summary.warn(std::to_string(left_out) +
                 " points are not in the largest component of the neighbour graph; they are "
                 "mixtures of their nearest points in it, not part of the fit");
    return {std::move(largest.graph), std::move(largest.kept)};
}

void require_all_kept(ComponentPolicy policy, bool landmarks) {
    if (landmarks && policy == ComponentPolicy::Largest) {
        throw InvalidArgument(
            "components", "largest",
            {"leaves out points that may be landmarks; with ", Text::option("landmarks"), " use bridge or separate"});
    }
}

ComponentChoices component_choices(bool separate, bool bridge) {
    ComponentChoices choices{
        {"auto", std::nullopt}, {"error", ComponentPolicy::Error}, {"largest", ComponentPolicy::Largest}};
    if (bridge) {
        choices.emplace_back("bridge", ComponentPolicy::Bridge);
    }
    if (separate) {
        choices.emplace_back("separate", ComponentPolicy::Separate);
    }
    return choices;
}

}  // namespace isogon
