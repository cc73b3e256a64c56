#include "isogon/pairs/place_order.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "isogon/core/parallel.hpp"
#include "isogon/linalg/packed_points.hpp"

namespace isogon {

namespace {

constexpr std::size_t block = 8 * panel_width;  // of a pass over all pairs
constexpr std::size_t leaf = 8;                 // rows whose products with a panel a kernel has in registers

/// About half of them: of whole blocks, panels or leaves.
std::size_t half_of(std::size_t count) {
    const std::size_t whole = count > block ? block : count > panel_width ? panel_width : leaf;
    return block_count(count / 2, whole) * whole;
}

Index widest_coordinate(const PointsView& points, std::span<const Index> rows) {
    constexpr Index looked_at = 16;
    Index widest = 0;
    double most = -1.0;
    for (Index k = 0; k < std::min(looked_at, points.dimension); ++k) {
        double sum = 0.0;
        double squares = 0.0;
        for (const Index row : rows) {
            const double value = double{points[row][k]};
            sum += value;
            squares += value * value;
        }
        const double spread = squares - sum * sum / static_cast<double>(rows.size());
        if (spread > most) {
            most = spread;
            widest = k;
        }
    }
    return widest;
}

void sort_by_halves(const PointsView& points, std::span<Index> rows) {
    if (rows.size() <= leaf) {
        return;
    }
    const Index widest = widest_coordinate(points, rows);
    const std::size_t half = half_of(rows.size());
    std::nth_element(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(half), rows.end(), [&](Index a, Index b) {
        return std::pair(points[a][widest], a) < std::pair(points[b][widest], b);
    });
    sort_by_halves(points, rows.first(half));
    sort_by_halves(points, rows.subspan(half));
}

}  // namespace

std::vector<Index> place_order(const PointsView& points) {
    std::vector<Index> rows(points.count);
    std::iota(rows.begin(), rows.end(), Index{0});
    sort_by_halves(points, rows);
    return rows;
}

}  // namespace isogon
