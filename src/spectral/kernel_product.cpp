#include "spectral/dense_kernel.hpp"

#include <algorithm>

#include "core/parallel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "spectral/kernel_product.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>
// After foreach_target, as it is compiled as often.
#include "core/lane_sums.hpp"

HWY_BEFORE_NAMESPACE();
namespace isogon::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;

/// Four rows' sums over a strip of a tile's columns, in registers: rows a .. a + 3 of the result take tile entries
/// (row r, column c) with weight from `in` row c. The entries begin with those of row a.
template <std::size_t vectors>
HWY_INLINE void multiply_strip(const float* entries, bool turned, const double* HWY_RESTRICT in, std::size_t stride,
                               double* HWY_RESTRICT out) {
    const Doubles tag;
    const std::size_t lanes = hn::Lanes(tag);
    const std::size_t row_stride = turned ? panel_width : 1;
    const std::size_t column_stride = turned ? 1 : panel_width;
    constexpr std::size_t rows = 4;
    hn::Vec<Doubles> sums[rows][vectors];
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t v = 0; v < vectors; ++v) {
            sums[r][v] = hn::LoadU(tag, out + r * stride + v * lanes);
        }
    }
    for (std::size_t k = 0; k < panel_width; ++k) {
        hn::Vec<Doubles> row[vectors];
        for (std::size_t v = 0; v < vectors; ++v) {
            row[v] = hn::LoadU(tag, in + k * stride + v * lanes);
        }
        for (std::size_t r = 0; r < rows; ++r) {
            const auto weight = hn::Set(tag, double{entries[r * row_stride + k * column_stride]});
            for (std::size_t v = 0; v < vectors; ++v) {
                sums[r][v] = multiply_add(weight, row[v], sums[r][v]);
            }
        }
    }
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t v = 0; v < vectors; ++v) {
            hn::StoreU(sums[r][v], tag, out + r * stride + v * lanes);
        }
    }
}

/// 48 rows of `out` += tile times 48 rows of `in`; entry (r, c) of the tile at [c * 48 + r], or, turned, at [r * 48 +
/// c]. `stride` is a multiple of the lanes.
void multiply_tile(const float* tile, bool turned, const double* in, std::size_t stride, double* out) {
    const std::size_t lanes = hn::Lanes(Doubles());
    for (std::size_t r = 0; r < panel_width; r += 4) {
        const float* entries = tile + (turned ? r * panel_width : r);
        double* rows = out + r * stride;
        std::size_t c = 0;
        for (; c + 3 * lanes <= stride; c += 3 * lanes) {
            multiply_strip<3>(entries, turned, in + c, stride, rows + c);
        }
        for (; c < stride; c += lanes) {
            multiply_strip<1>(entries, turned, in + c, stride, rows + c);
        }
    }
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {

HWY_EXPORT(multiply_tile);

namespace {

/// Numbers of float64 in 64 bytes: whole vectors of any instruction set.
constexpr std::size_t padding = 8;

/// Rows padded to whole vectors, and to whole panels.
struct PaddedRows {
    PaddedRows(Index panels, Index columns)
        : stride((columns + padding - 1) / padding * padding),
          values(std::size_t{panels} * panel_width * stride, 0.0) {}
    [[nodiscard]] double* panel(std::size_t p) { return values.data() + p * panel_width * stride; }

    std::size_t stride;
    std::vector<double> values;
};

/// The diagonal tile with its upper half filled in.
void fill_diagonal(const PanelMatrix& lower, Index p, float* tile) {
    const float* stored = lower.row_panel(p) + std::size_t{p} * panel_width * panel_width;
    for (std::size_t c = 0; c < panel_width; ++c) {
        for (std::size_t r = c; r < panel_width; ++r) {
            tile[c * panel_width + r] = stored[c * panel_width + r];
            tile[r * panel_width + c] = stored[c * panel_width + r];
        }
    }
}

}  // namespace

void multiply_symmetric(const PanelMatrix& lower, const MultiVector<double>& in, MultiVector<double>& out,
                        const RunContext& context) {
    PaddedRows padded(lower.panels(), in.columns());
    PaddedRows sums(lower.panels(), in.columns());
    for (std::size_t i = 0; i < in.rows(); ++i) {
        std::copy_n(in.row(i), in.columns(), padded.values.data() + i * padded.stride);
    }
    constexpr std::size_t tile_size = panel_width * panel_width;
    const std::size_t stride = padded.stride;
    parallel_tasks(context, lower.panels(), [&](std::size_t task) {
        const auto p = static_cast<Index>(task);
        for (Index q = 0; q < p; ++q) {
            HWY_DYNAMIC_DISPATCH(multiply_tile)
            (lower.row_panel(p) + q * tile_size, false, padded.panel(q), stride, sums.panel(p));
        }
        alignas(64) float diagonal[tile_size];  // NOLINT(*-member-init): filled
        fill_diagonal(lower, p, diagonal);
        HWY_DYNAMIC_DISPATCH(multiply_tile)(diagonal, false, padded.panel(p), stride, sums.panel(p));
        for (Index q = p + 1; q < lower.panels(); ++q) {
            HWY_DYNAMIC_DISPATCH(multiply_tile)
            (lower.row_panel(q) + p * tile_size, true, padded.panel(q), stride, sums.panel(p));
        }
    });
    for (std::size_t i = 0; i < out.rows(); ++i) {
        std::copy_n(sums.values.data() + i * stride, out.columns(), out.row(i));
    }
}

}  // namespace isogon
#endif
