#include "linalg/dense_cholesky.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/positive_system.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>
// After foreach_target, as it is compiled as often.
#include "core/lane_sums.hpp"

#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace isogon::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// At most 8 lanes: columns are padded to that.
using Doubles = hn::CappedTag<double, 8>;
using Vector = hn::Vec<Doubles>;

/// Columns of the factor that later ones are updated by at a time.
constexpr std::size_t panel_columns = 4;

/// Columns side by side, the right-hand side as their last row: what is done to the rows of A solves the lower triangle
/// for it on the way.
struct Columns {
    double* values = nullptr;
    std::size_t stride = 0;
    std::size_t rows = 0;  ///< the right-hand side's included, up to a multiple of 8
    [[nodiscard]] double* operator[](std::size_t j) const { return values + j * stride; }
};

/// Rows come in whole vectors: those of the first that lie above row i belong to no one.
HWY_INLINE std::size_t first_whole_row(std::size_t i) {
    return i / hn::Lanes(Doubles()) * hn::Lanes(Doubles());
}

/// Later columns c, c + 1, ... take their part of the four of the panel that begins at p.
template <std::size_t columns_at_once>
HWY_INLINE void update_columns(Columns a, std::size_t p, std::size_t c) {
    const Doubles tag;
    Vector factors[columns_at_once][panel_columns];
#pragma GCC unroll 2
    for (std::size_t s = 0; s < columns_at_once; ++s) {
#pragma GCC unroll 4
        for (std::size_t t = 0; t < panel_columns; ++t) {
            factors[s][t] = hn::Set(tag, a[p + t][c + s]);
        }
    }
    for (std::size_t i = first_whole_row(c); i < a.rows; i += hn::Lanes(tag)) {
        Vector values[columns_at_once];
#pragma GCC unroll 2
        for (std::size_t s = 0; s < columns_at_once; ++s) {
            values[s] = hn::Load(tag, a[c + s] + i);
        }
#pragma GCC unroll 4
        for (std::size_t t = 0; t < panel_columns; ++t) {
            const Vector known = hn::Load(tag, a[p + t] + i);
#pragma GCC unroll 2
            for (std::size_t s = 0; s < columns_at_once; ++s) {
                values[s] = negative_multiply_add(known, factors[s][t], values[s]);
            }
        }
#pragma GCC unroll 2
        for (std::size_t s = 0; s < columns_at_once; ++s) {
            hn::Store(values[s], tag, a[c + s] + i);
        }
    }
}

/// Columns p .. p + count - 1 of the factor, earlier panels being taken care of; inverses of their diagonals.
void factor_panel(Columns a, std::size_t p, std::size_t count, double least_pivot, double* inverses) {
    const Doubles tag;
    for (std::size_t j = p; j < p + count; ++j) {
        for (std::size_t t = p; t < j; ++t) {
            const Vector factor = hn::Set(tag, a[t][j]);
            for (std::size_t i = first_whole_row(j); i < a.rows; i += hn::Lanes(tag)) {
                hn::Store(negative_multiply_add(hn::Load(tag, a[t] + i), factor, hn::Load(tag, a[j] + i)), tag,
                          a[j] + i);
            }
        }
        const double pivot = std::max(a[j][j], least_pivot);
        inverses[j] = 1.0 / std::sqrt(pivot);
        const Vector inverse = hn::Set(tag, inverses[j]);
        for (std::size_t i = first_whole_row(j); i < a.rows; i += hn::Lanes(tag)) {
            hn::Store(hn::Mul(hn::Load(tag, a[j] + i), inverse), tag, a[j] + i);
        }
    }
}

/// sum of x_i y_i for i in [begin, end)
HWY_INLINE double column_product(const double* x, const double* y, std::size_t begin, std::size_t end) {
    const Doubles tag;
    LaneSums<double, 8> sums;
    for (std::size_t i = begin; i < end; i += 8) {
        sums.add([&](std::size_t lane, Vector sum) {
            return multiply_add(load_until(tag, x, i + lane, end), load_until(tag, y, i + lane, end), sum);
        });
    }
    return sums.total();
}

/// x, of `size` unknowns; row `size` of the columns is the right-hand side.
void solve_columns(double* values, std::size_t stride, std::size_t size, double least_pivot, double* x) {
    const Columns a{values, stride, stride};
    for (std::size_t p = 0; p < size; p += panel_columns) {
        const std::size_t count = std::min(panel_columns, size - p);
        factor_panel(a, p, count, least_pivot, x);
        std::size_t c = p + count;
        for (; c + 2 <= size; c += 2) {
            update_columns<2>(a, p, c);
        }
        if (c < size) {
            update_columns<1>(a, p, c);
        }
    }
    for (std::size_t j = size; j-- > 0;) {
        x[j] *= a[j][size] - column_product(a[j], x, j + 1, size);
    }
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {

HWY_EXPORT(solve_columns);

namespace {

constexpr std::size_t whole_vectors = 8;

}  // namespace

PositiveSystem::PositiveSystem(std::size_t size)
    : size_(size),
      stride_((size + 1 + whole_vectors - 1) / whole_vectors * whole_vectors),
      columns_(size * stride_),
      solution_(size) {}

std::span<double> PositiveSystem::solve_ones(double least_pivot) {
    for (std::size_t j = 0; j < size_; ++j) {
        // Padding left by earlier systems would grow from one system to the next.
        std::fill_n(column(j), j, 0.0);
        std::fill(column(j) + size_ + 1, column(j) + stride_, 0.0);
        column(j)[size_] = 1.0;
    }
    HWY_DYNAMIC_DISPATCH(solve_columns)(columns_.data(), stride_, size_, least_pivot, solution_.data());
    return solution_;
}

}  // namespace isogon
#endif
