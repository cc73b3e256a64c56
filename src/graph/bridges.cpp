#include "graph/symmetric_graph.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "graph/components.hpp"
#include "isogon/core/error.hpp"
#include "linalg/sparse_algebra.hpp"
#include "neighbors/exact_neighbors.hpp"

namespace isogon {

namespace {

// Components up to this size are searched all together, for one more neighbour than their size; larger ones one by one,
// since every search reads all points.
constexpr Index small_component = 32;

struct Edge {
    Index from = std::numeric_limits<Index>::max();  ///< the smaller end
    Index to = std::numeric_limits<Index>::max();
    float length = std::numeric_limits<float>::infinity();
};

bool shorter(const Edge& a, const Edge& b) {
    return std::tie(a.length, a.from, a.to) < std::tie(b.length, b.from, b.to);
}

/// The shortest edge from each component but the largest to another one.
class NearestOutside {
public:
    NearestOutside(const PointsView& points, Metric metric, RunContext context)
        : points_(points), metric_(metric), context_(std::move(context)), sorted_(points.count, points.dimension) {}

    std::vector<Edge> find(const Components& components) {
        sort_points(components);
        best_.assign(components.count(), {});
        Index large = 1;
        while (large < components.count() && components.sizes[large] > small_component) {
            const Range own = range_of(components, large, large + 1);
            take(own, {0, own.begin}, 1, components);
            take(own, {own.end, points_.count}, 1, components);
            ++large;
        }
        const Index wanted = std::min(small_component + 1, points_.count);
        take(range_of(components, large, components.count()), {0, points_.count}, wanted, components);
        return std::move(best_);
    }

private:
    /// Sorted by component, so that the points outside one component are two contiguous ranges of rows.
    void sort_points(const Components& components) {
        order_ = numbers_below(points_.count);
        std::stable_sort(order_.begin(), order_.end(),
                         [&](Index a, Index b) { return components.labels[a] < components.labels[b]; });
        for (Index i = 0; i < points_.count; ++i) {
            std::copy(points_[order_[i]].begin(), points_[order_[i]].end(), sorted_[i].begin());
        }
    }

    [[nodiscard]] static Range range_of(const Components& components, Index first, Index last) {
        const auto begin = components.sizes.begin();
        const auto start = std::accumulate(begin, begin + first, std::size_t{0});
        return {start, std::accumulate(begin + first, begin + last, start)};
    }

    [[nodiscard]] PointsView rows(Range range) const {
        return {sorted_.view().data + range.begin * points_.dimension, static_cast<Index>(range.size()),
                points_.dimension};
    }

    /// Searches `others` for the `wanted` nearest of each point in `own`, and keeps the edges to other components.
    void take(Range own, Range others, Index wanted, const Components& components) {
        if (own.size() == 0 || others.size() == 0) {
            return;
        }
        throw_if_cancelled(context_);
        const NeighborLists lists = exact_neighbors(rows(own), rows(others), wanted, metric_, context_);
        for (Index q = 0; q < lists.count(); ++q) {
            const Index i = order_[own.begin + q];
            Edge& best = best_[components.labels[i]];
            for (Index k = 0; k < lists.size; ++k) {
                const Index j = order_[others.begin + lists[q][k]];
                if (components.labels[j] != components.labels[i]) {
                    best = std::min(best, {std::min(i, j), std::max(i, j), lists.distances_of(q)[k]}, shorter);
                }
            }
        }
    }

    PointsView points_;
    Metric metric_;
    RunContext context_;
    Points sorted_;
    std::vector<Index> order_;
    std::vector<Edge> best_;
};

/// The same from a table of all distances.
class NearestInTable {
public:
    NearestInTable(const PointsView& table, double unit, const RunContext& context)
        : table_(table), unit_(unit), context_(context) {}

    std::vector<Edge> find(const Components& components) const {
        std::vector<Edge> best(components.count());
        for (Index i = 0; i < table_.count; ++i) {
            if (components.labels[i] != 0) {
                throw_if_cancelled(context_);
                take(i, components, best[components.labels[i]]);
            }
        }
        const auto cut_off =
            std::find_if(best.begin() + 1, best.end(), [](const Edge& edge) { return !std::isfinite(edge.length); });
        if (cut_off != best.end()) {
            const auto point = std::ranges::find(components.labels, static_cast<Index>(cut_off - best.begin()));
            throw InputError("input", "row " + std::to_string(point - components.labels.begin()),
                             "no finite distance leads from its part of the graph to any other: components = bridge "
                             "has nothing to join them by; embed the parts one by one");
        }
        return best;
    }

private:
    void take(Index i, const Components& components, Edge& best) const {
        const auto row = table_[i];
        for (Index j = 0; j < table_.count; ++j) {
            if (components.labels[j] != components.labels[i] && std::isfinite(row[j])) {
                const auto length = static_cast<float>(std::max(double{row[j]}, 0.0) / unit_);
                best = std::min(best, {std::min(i, j), std::max(i, j), length}, shorter);
            }
        }
    }

    PointsView table_;
    double unit_;
    const RunContext& context_;
};

/// Adds edges to the graph; none of them may be in it.
CsrMatrix<double> with_edges(const CsrMatrix<double>& graph, const std::vector<Edge>& edges) {
    std::vector<MatrixEntry<double>> entries;
    for (const Edge& edge : edges) {
        entries.push_back({edge.from, edge.to, double{edge.length}});
        entries.push_back({edge.to, edge.from, double{edge.length}});
    }
    std::sort(entries.begin(), entries.end());
    return with_entries(graph, entries);
}

void require_held(const std::vector<Edge>& edges) {
    for (const Edge& edge : edges) {
        if (!std::isfinite(edge.length)) {
            throw InputError("input", "row " + std::to_string(edge.from),
                             "lies farther from all other components than float32 holds; scale the points down");
        }
    }
}

void require_arguments(const PointsView& points, Metric metric, const CsrMatrix<double>& graph) {
    if (metric == Metric::InnerProduct) {
        throw InvalidArgument("metric", std::string(name(metric)),
                              "must be euclidean or cosine: components are joined by distances");
    }
    require_graph(graph);
    if (points.count != graph.rows) {
        throw InvalidArgument("points", std::to_string(points.count),
                              "must be " + std::to_string(graph.rows) + ", those of the graph");
    }
    require_finite(points, "input");
}

/// Rounds of Boruvka's algorithm by the shortest edges that `search` finds.
template <class Search>
CsrMatrix<double> joined_by_shortest(CsrMatrix<double> graph, Components components, Search&& search) {
    while (components.count() > 1) {
        std::vector<Edge> edges = search.find(components);
        edges.erase(edges.begin());  // no edge is searched for the largest component
        require_held(edges);
        // Two components may have chosen the same edge, or, with equal distances, edges that form a cycle.
        std::sort(edges.begin(), edges.end(), shorter);
        DisjointSets joined(components.count());
        std::erase_if(edges, [&](const Edge& edge) {
            return !joined.join(components.labels[edge.from], components.labels[edge.to]);
        });
        graph = with_edges(graph, edges);
        components = connected_components(graph);
    }
    return graph;
}

}  // namespace

std::uint64_t bridge_bytes(Index points, Index dimension, Offset entries) {
    return std::uint64_t{points} * (dimension * sizeof(float) + sizeof(Offset) + 6 * sizeof(Index)) +
           exact_search_bytes(points, points, dimension, small_component + 1) +
           entries * (sizeof(Index) + sizeof(double));
}

CsrMatrix<double> bridge_components(const PointsView& points, Metric metric, CsrMatrix<double> graph,
                                    const RunContext& context) {
    require_arguments(points, metric, graph);
    Components components = connected_components(graph);
    if (components.count() <= 1) {
        return graph;
    }
    require_memory(context, {{"bridges", bridge_bytes(points.count, points.dimension, graph.entries())}},
                   "raise the limit, or take more neighbors, which join what lies apart");
    RunContext quiet = already_stated(context);  // and without progress, which the caller reports
    quiet.on_iteration = {};
    return joined_by_shortest(std::move(graph), std::move(components), NearestOutside(points, metric, quiet));
}

CsrMatrix<double> bridge_components(const PointsView& table, double unit, CsrMatrix<double> graph,
                                    const RunContext& context) {
    require_graph(graph);
    if (table.count != graph.rows || table.dimension != graph.rows) {
        throw InvalidArgument("table", std::to_string(table.count) + " x " + std::to_string(table.dimension),
                              "must have a row and a column for each of " + std::to_string(graph.rows) + " points");
    }
    Components components = connected_components(graph);
    return joined_by_shortest(std::move(graph), std::move(components), NearestInTable(table, unit, context));
}

}  // namespace isogon
