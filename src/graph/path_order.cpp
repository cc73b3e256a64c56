#include "graph/path_order.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

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

}  // namespace isogon
