#include "graph/difference_gram.hpp"

#include <algorithm>
#include <array>

#include "core/parallel.hpp"
#include "neighbors/metric_rows.hpp"

namespace isogon {

namespace {

/// A bound in bytes as well: few points of a high dimension may be too large for a second copy.
constexpr std::uint64_t most_bytes = std::uint64_t{256} << 20U;

/// The table costs one product for each pair of points; without it there is one for each pair of neighbours and row.
bool pays(Index points, std::size_t rows, Index neighbors) {
    const double count = points;
    const double size = neighbors;
    return count * count <= size * size * static_cast<double>(rows);
}

}  // namespace

PointProducts::PointProducts(const PointsView& points, bool keep, const RunContext& context)
    : points_(points), center_(median_of_rows(points, 63)) {
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
                    [&](Range rows) { rows_.multiply(rows, table_.data(), stride_); });
}

namespace {

/// The largest ratio of the products about the centre to their combination, averaged over the diagonal: cancellation
/// then loses at most five of the 53 bits of float64.
constexpr double most_cancelled = 32.0;

}  // namespace

DifferenceGram::DifferenceGram(const PointsView& points, Index neighbors) : points_(points), with_row_(neighbors) {}

DifferenceGram::DifferenceGram(const PointProducts& products, Index neighbors)
    : points_(products.points()), products_(&products), around_(1, points_.dimension), with_row_(neighbors) {}

std::uint64_t DifferenceGram::bytes(Index neighbors, Index dimension) {
    const std::uint64_t rows = DifferenceRows::padded(std::size_t{neighbors} + 1);
    return DifferenceRows::bytes(rows + 1, dimension) + (rows * rows + neighbors) * sizeof(double);
}

void DifferenceGram::fill(std::span<const float> row, std::span<const Index> neighbors, PositiveSystem& system) {
    if (products_ == nullptr || !combine_products(row, neighbors, system)) {
        subtract_row(row, neighbors, system);
    }
}

void DifferenceGram::take_room(std::size_t rows) {
    if (differences_.rows() < rows) {
        differences_ = DifferenceRows(rows, points_.dimension);
        gram_.resize(DifferenceRows::padded(rows) * DifferenceRows::padded(rows));
    }
}

void DifferenceGram::subtract_row(std::span<const float> row, std::span<const Index> neighbors,
                                  PositiveSystem& system) {
    take_room(neighbors.size());
    for (std::size_t j = 0; j < neighbors.size(); ++j) {
        differences_.set(j, row, points_[neighbors[j]]);
    }
    const std::size_t stride = DifferenceRows::padded(neighbors.size());
    differences_.multiply({0, neighbors.size()}, gram_.data(), stride);
    for (std::size_t l = 0; l < neighbors.size(); ++l) {
        const double* products = gram_.data() + l * stride;
        std::copy(products + l, products + neighbors.size(), system.column(l) + l);
    }
}

bool DifferenceGram::combine_products(std::span<const float> row, std::span<const Index> neighbors,
                                      PositiveSystem& system) {
    const std::size_t size = neighbors.size();
    if (products_->kept()) {
        constexpr std::array<Index, 1> itself{0};
        double q = 0.0;
        around_.set(0, row, products_->center());
        around_.multiply(itself, around_, &q);
        products_->rows().multiply(neighbors, around_, with_row_.data());
        return combine(
            [&](std::size_t l) {
                return [products = products_->products_with(neighbors[l]), neighbors](std::size_t j) {
                    return products[neighbors[j]];
                };
            },
            size, q, system);
    }
    take_room(size + 1);
    for (std::size_t j = 0; j < size; ++j) {
        differences_.set(j, points_[neighbors[j]], products_->center());
    }
    differences_.set(size, row, products_->center());
    const std::size_t stride = DifferenceRows::padded(size + 1);
    differences_.multiply({0, size + 1}, gram_.data(), stride);
    for (std::size_t j = 0; j < size; ++j) {
        with_row_[j] = gram_[j * stride + size];
    }
    return combine(
        [&](std::size_t l) { return [products = gram_.data() + l * stride](std::size_t j) { return products[j]; }; },
        size, gram_[size * stride + size], system);
}

/// (g_jl - p_j) + (q - p_l): exactly 0 on the diagonal where the row is its neighbour, for then g, p and q are the same
/// sums. False where cancellation is too large: for a row and neighbours that are near each other and far from the
/// centre.
template <class Product>
bool DifferenceGram::combine(const Product& product, std::size_t size, double q, PositiveSystem& system) const {
    double trace = 0.0;
    double longest = 0.0;
    for (std::size_t l = 0; l < size; ++l) {
        const double own = product(l)(l);
        longest = std::max(longest, own);
        trace += (own - with_row_[l]) + (q - with_row_[l]);
    }
    if (!(most_cancelled * trace >= static_cast<double>(size) * (q + longest))) {
        return false;
    }
    for (std::size_t l = 0; l < size; ++l) {
        const auto with_l = product(l);
        const double rest = q - with_row_[l];
        double* column = system.column(l);
        for (std::size_t j = l; j < size; ++j) {
            column[j] = (with_l(j) - with_row_[j]) + rest;
        }
        column[l] = std::max(column[l], 0.0);
    }
    return true;
}

}  // namespace isogon
