#include "methods/distinct_points.hpp"

#include <algorithm>
#include <compare>
#include <numeric>

namespace isogon {

DistinctPoints distinct_points(const PointsView& points) {
    const auto compare = [&](Index i, Index j) {
        return std::lexicographical_compare_three_way(points[i].begin(), points[i].end(), points[j].begin(),
                                                      points[j].end());
    };
    std::vector<Index> order(points.count);
    std::iota(order.begin(), order.end(), Index{0});
    std::sort(order.begin(), order.end(), [&](Index i, Index j) {
        const auto sides = compare(i, j);
        return std::is_lt(sides) || (std::is_eq(sides) && i < j);
    });
    std::vector<Index> first(points.count);  // of those equal to a point, the least
    for (std::size_t k = 0; k < order.size(); ++k) {
        const bool again = k > 0 && std::is_eq(compare(order[k - 1], order[k]));
        first[order[k]] = again ? first[order[k - 1]] : order[k];
    }
    DistinctPoints result{.place = std::vector<Index>(points.count)};
    for (Index i = 0; i < points.count; ++i) {
        if (first[i] == i) {
            result.place[i] = static_cast<Index>(result.rows.size());
            result.rows.push_back(i);
        } else {
            result.place[i] = result.place[first[i]];
        }
    }
    return result;
}

}  // namespace isogon
