#include "graph/dijkstra.hpp"

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
            continue;  // reached on a shorter way since
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

}  // namespace isogon
