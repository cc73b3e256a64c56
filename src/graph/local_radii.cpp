#include "graph/local_radii.hpp"

#include <algorithm>

#include "core/elementary.hpp"

namespace isogon {

namespace {

double weight_of(const CsrMatrix<double>& graph, Index i, Index j) {
    const auto others = graph.row_indices(i);
    const auto found = std::ranges::lower_bound(others, j);
    return found == others.end() || *found != j ? 0.0
                                                : graph.row_values(i)[static_cast<std::size_t>(found - others.begin())];
}

}  // namespace

std::vector<double> log_local_radii(const NeighborLists& lists, const CsrMatrix<double>& graph) {
    std::vector<double> sums(graph.rows);
    std::vector<double> weights(graph.rows);
    for (Index i = 0; i < graph.rows; ++i) {
        const auto neighbors = lists[i];
        for (std::size_t k = 0; k < neighbors.size(); ++k) {
            const Index j = neighbors[k];
            const double distance = lists.distances_of(i)[k];
            const double weight = weight_of(graph, i, j) / (std::ranges::count(lists[j], i) > 0 ? 2.0 : 1.0);
            for (const Index end : {i, j}) {
                sums[end] += weight * distance * distance;
                weights[end] += weight;
            }
        }
    }
    std::transform(sums.begin(), sums.end(), weights.begin(), sums.begin(), [](double sum, double weight) {
        return elementary::log(least_local_radius + (weight > 0.0 ? sum / weight : 0.0));
    });
    return sums;
}

}  // namespace isogon
