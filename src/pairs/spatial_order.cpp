#include "pairs/spatial_order.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "core/parallel.hpp"
#include "linalg/packed_points.hpp"

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

using Halves = std::array<std::span<Index>, 2>;

Halves halved(const PointsView& points, std::span<Index> rows) {
    const Index widest = widest_coordinate(points, rows);
    const std::size_t half = half_of(rows.size());
    std::nth_element(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(half), rows.end(), [&](Index a, Index b) {
        return std::pair(points[a][widest], a) < std::pair(points[b][widest], b);
    });
    return {rows.first(half), rows.subspan(half)};
}

void sort_by_halves(const PointsView& points, std::span<Index> rows) {
    if (rows.size() > leaf) {
        for (const std::span<Index> half : halved(points, rows)) {
            sort_by_halves(points, half);
        }
    }
}

}  // namespace

std::vector<Index> spatial_order(const PointsView& points, const RunContext& context) {
    constexpr std::size_t for_one_task = 4096;
    std::vector<Index> rows = numbers_below(points.count);
    std::vector<std::span<Index>> parts{rows};
    while (parts.front().size() > for_one_task) {  // the halves of a whole are about as large
        std::vector<Halves> halves(parts.size());
        parallel_tasks(context, parts.size(), [&](std::size_t part) { halves[part] = halved(points, parts[part]); });
        parts.clear();
        for (const Halves& two : halves) {
            parts.insert(parts.end(), two.begin(), two.end());
        }
    }
    parallel_tasks(context, parts.size(), [&](std::size_t part) { sort_by_halves(points, parts[part]); });
    return rows;
}

}  // namespace isogon
