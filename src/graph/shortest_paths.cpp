#include "graph/shortest_paths.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "graph/path_search.hpp"
#include "graph/symmetric_graph.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

std::vector<double> dijkstra(const CsrMatrix<double>& graph, Index source) {
    using Reached = std::pair<double, Index>;
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> queue;
    std::vector<double> lengths(graph.rows, std::numeric_limits<double>::infinity());
    lengths[source] = 0.0;
    queue.emplace(0.0, source);
    while (!queue.empty()) {
        const auto [length, i] = queue.top();
        queue.pop();
        if (length > lengths[i]) {
            continue;  // a shorter path was found since
        }
        for (Offset k = graph.offsets[i]; k < graph.offsets[i + 1]; ++k) {
            const Index j = graph.indices[k];
            const double further = length + graph.values[k];
            if (further < lengths[j]) {
                lengths[j] = further;
                queue.emplace(further, j);
            }
        }
    }
    return lengths;
}

namespace {

constexpr std::size_t most_ordered_components = 64;

/// Points of one component by distance from the one that is farthest from `start`, appended to `order`. A component
/// costs a Dijkstra over itself and a pass over all points.
class OrderByDistance {
public:
    explicit OrderByDistance(const CsrMatrix<double>& graph) : graph_(graph), seen_(graph.rows) {}

    std::vector<Index> order() {
        std::vector<Index> order;
        order.reserve(graph_.rows);
        for (Index i = 0; i < graph_.rows; ++i) {
            if (!seen_[i]) {
                append(i, order);
            }
        }
        return order;
    }

private:
    void append(Index start, std::vector<Index>& order) {
        const auto first = static_cast<std::ptrdiff_t>(order.size());
        collect(start, order);
        const std::vector<Index> members(order.begin() + first, order.end());
        // The order of fewer than three points does not matter. Of small components there may be so many that a pass
        // over all points for each would be too slow; they keep the breadth-first order.
        if (members.size() < 3 || members.size() < graph_.rows / most_ordered_components) {
            return;
        }
        const auto near = dijkstra(graph_, start);
        const Index outermost = *std::max_element(members.begin(), members.end(), [&](Index a, Index b) {
            return std::pair(near[a], a) < std::pair(near[b], b);
        });
        const auto away = dijkstra(graph_, outermost);
        std::sort(order.begin() + first, order.end(),
                  [&](Index a, Index b) { return std::pair(away[a], a) < std::pair(away[b], b); });
    }

    /// The component of `start`, in breadth-first order.
    void collect(Index start, std::vector<Index>& order) {
        std::size_t next = order.size();
        order.push_back(start);
        seen_[start] = true;
        for (; next < order.size(); ++next) {
            for (const Index j : graph_.row_indices(order[next])) {
                if (!seen_[j]) {
                    seen_[j] = true;
                    order.push_back(j);
                }
            }
        }
    }

    const CsrMatrix<double>& graph_;
    std::vector<bool> seen_;
};

}  // namespace

RenumberedGraph renumber_for_paths(const CsrMatrix<double>& graph) {
    RenumberedGraph result;
    result.old_numbers = OrderByDistance(graph).order();
    result.new_numbers.resize(graph.rows);
    for (Index i = 0; i < graph.rows; ++i) {
        result.new_numbers[result.old_numbers[i]] = i;
    }
    result.graph.rows = result.graph.columns = graph.rows;
    result.graph.indices.reserve(graph.entries());
    result.graph.values.reserve(graph.entries());
    std::vector<std::pair<Index, double>> row;
    for (const Index i : result.old_numbers) {
        row.clear();
        for (Offset k = graph.offsets[i]; k < graph.offsets[i + 1]; ++k) {
            row.emplace_back(result.new_numbers[graph.indices[k]], graph.values[k]);
        }
        std::sort(row.begin(), row.end());
        for (const auto& [column, value] : row) {
            result.graph.indices.push_back(column);
            result.graph.values.push_back(value);
        }
        result.graph.offsets.push_back(result.graph.indices.size());
    }
    return result;
}

namespace {

constexpr const char* remedy = "raise the limit, or take fewer sources or threads";

void require_sources(std::span<const Index> sources, Index points) {
    for (const Index source : sources) {
        if (source >= points) {
            throw InvalidArgument("source", std::to_string(source),
                                  "must be below " + std::to_string(points) + ", the number of points");
        }
    }
}

/// The memory for one block of sources.
struct Workspace {
    explicit Workspace(const CsrMatrix<double>& graph)
        : search(graph), rows(std::size_t{graph.rows} * sources_in_path_block) {}

    PathSearch search;
    std::vector<double> rows;
};

/// A pool of workspaces, as many as threads. They are reused, because allocating one costs as much as a search.
class Workspaces {
public:
    explicit Workspaces(const CsrMatrix<double>& graph) : graph_(graph) {}

    std::unique_ptr<Workspace> take() {
        const std::lock_guard lock(guard_);
        if (free_.empty()) {
            return std::make_unique<Workspace>(graph_);
        }
        auto workspace = std::move(free_.back());
        free_.pop_back();
        return workspace;
    }

    void give_back(std::unique_ptr<Workspace> workspace) {
        const std::lock_guard lock(guard_);
        free_.push_back(std::move(workspace));
    }

private:
    const CsrMatrix<double>& graph_;
    std::mutex guard_;
    std::vector<std::unique_ptr<Workspace>> free_;
};

/// Searches from one block of sources in the new numbering; calls `visit` with the lengths in the old one.
void visit_block(const RenumberedGraph& graph, std::span<const Index> sources, Range range, const PathVisitor& visit,
                 Workspace& workspace) {
    const std::size_t points = graph.old_numbers.size();
    std::array<Index, sources_in_path_block> renumbered{};
    for (std::size_t s = 0; s < range.size(); ++s) {
        renumbered[s] = graph.new_numbers[sources[range.begin + s]];
    }
    const auto lengths = workspace.search.run(std::span(renumbered).first(range.size()));
    for (std::size_t i = 0; i < points; ++i) {
        const double* line = lengths.data() + std::size_t{graph.new_numbers[i]} * sources_in_path_block;
        for (std::size_t s = 0; s < range.size(); ++s) {
            workspace.rows[s * points + i] = line[s];
        }
    }
    visit(range, std::span(workspace.rows).first(range.size() * points));
}

void visit_all(const CsrMatrix<double>& graph, std::span<const Index> sources, const PathVisitor& visit,
               const RunContext& context) {
    if (sources.empty()) {
        return;
    }
    const RenumberedGraph renumbered = renumber_for_paths(graph);
    Workspaces workspaces(renumbered.graph);
    const std::size_t blocks = block_count(sources.size(), sources_in_path_block);
    parallel_groups(context, blocks, {.tasks = 32, .phase = "shortest paths"}, [&](Range block) {
        auto workspace = workspaces.take();
        visit_block(renumbered, sources, block_range(block.begin, sources.size(), sources_in_path_block), visit,
                    *workspace);
        workspaces.give_back(std::move(workspace));
    });
}

}  // namespace

std::uint64_t shortest_paths_bytes(Index points, Offset entries, const RunContext& context) {
    const std::uint64_t graph = entries * (sizeof(Index) + sizeof(double)) +
                                std::uint64_t{points} * (sizeof(Offset) + 2 * sizeof(Index) + 2 * sizeof(double));
    const std::uint64_t block =
        PathSearch::bytes(points) + std::uint64_t{points} * sources_in_path_block * sizeof(double);
    return graph + static_cast<std::uint64_t>(context.thread_count()) * block;
}

void for_each_shortest_path_block(const CsrMatrix<double>& graph, std::span<const Index> sources,
                                  const PathVisitor& visit, const RunContext& context) {
    require_graph(graph, context);
    require_sources(sources, graph.rows);
    require_memory(context, {{"shortest paths", shortest_paths_bytes(graph.rows, graph.entries(), context)}}, remedy);
    visit_all(graph, sources, visit, context);
}

MultiVector<double> shortest_paths(const CsrMatrix<double>& graph, std::span<const Index> sources,
                                   const RunContext& context) {
    require_graph(graph, context);
    require_sources(sources, graph.rows);
    const auto rows = static_cast<Index>(sources.size());
    require_memory(context,
                   {{"lengths of shortest paths", MultiVector<double>::bytes(rows, graph.rows)},
                    {"the search", shortest_paths_bytes(graph.rows, graph.entries(), context)}},
                   remedy);
    MultiVector<double> result(rows, graph.rows);
    const auto keep = [&result](Range range, std::span<const double> lengths) {
        std::copy(lengths.begin(), lengths.end(), result.row(range.begin));
    };
    visit_all(graph, sources, keep, context);
    return result;
}

}  // namespace isogon
