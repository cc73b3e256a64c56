#include "isogon/graph/gaussian_transitions.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace isogon {

CsrMatrix<double> gaussian_transitions(const NeighborLists& lists, Index count, double sigma) {
    CsrMatrix<double> result{.rows = lists.count(), .columns = count};
    std::vector<std::pair<Index, double>> row(lists.size);
    for (Index i = 0; i < result.rows; ++i) {
        const double nearest = lists.distances_of(i)[0] / sigma;
        double sum = 0.0;
        for (std::size_t k = 0; k < row.size(); ++k) {
            const double distance = lists.distances_of(i)[k] / sigma;
            row[k] = {lists[i][k], std::exp(nearest * nearest - distance * distance)};
            sum += row[k].second;
        }
        std::sort(row.begin(), row.end());
        for (const auto& [column, weight] : row) {
            result.indices.push_back(column);
            result.values.push_back(weight / sum);
        }
        result.offsets.push_back(result.indices.size());
    }
    return result;
}

}  // namespace isogon
