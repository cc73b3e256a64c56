#include "graph/point_products.hpp"

#include <algorithm>

#include "isogon/core/parallel.hpp"

namespace isogon {

namespace {

/// Long points may be few and yet more than should be held twice.
constexpr std::uint64_t most_bytes = std::uint64_t{256} << 20U;

std::vector<float> center_of(const PointsView& points) {
    const Index rows = std::min<Index>(points.count, 63);
    std::vector<float> center(points.dimension);
    std::vector<float> column(rows);
    for (Index k = 0; rows > 0 && k < points.dimension; ++k) {
        for (Index r = 0; r < rows; ++r) {
            column[r] = points[static_cast<Index>(std::uint64_t{r} * points.count / rows)][k];
        }
        std::nth_element(column.begin(), column.begin() + rows / 2, column.end());
        center[k] = column[rows / 2];
    }
    return center;
}

/// A product among points is made once for all in the table, and once a row without.
bool pays(Index points, std::size_t rows, Index neighbors) {
    const double count = points;
    const double size = neighbors;
    return count * count <= size * size * static_cast<double>(rows);
}

}  // namespace

PointProducts::PointProducts(const PointsView& points, bool keep, const RunContext& context)
    : points_(points), center_(center_of(points)) {
    if (keep) {
        fill_table(context);
    }
}

std::uint64_t PointProducts::bytes(Index points, Index dimension, std::size_t rows, Index neighbors) {
    const std::uint64_t padded = DifferenceRows::padded(points);
    const std::uint64_t need = padded * padded * sizeof(double) + DifferenceRows::bytes(points, dimension);
    return pays(points, rows, neighbors) && need <= most_bytes ? need : 0;
}

void PointProducts::fill_table(const RunContext& context) {
    constexpr std::size_t rows_of_task = 16;
    rows_ = DifferenceRows(points_.count, points_.dimension);
    for (Index i = 0; i < points_.count; ++i) {
        rows_.set(i, points_[i], center_);
    }
    stride_ = DifferenceRows::padded(points_.count);
    table_.resize(stride_ * stride_);
    parallel_blocks(context, points_.count, rows_of_task,
                    [&](Range rows) { rows_.multiply(rows.begin, rows.end, table_.data(), stride_); });
}

}  // namespace isogon
