#include "linalg/packed_points.hpp"

#include "isogon/core/error.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/panel_product.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>
// After foreach_target, as it is compiled as often.
#include "core/lane_sums.hpp"

HWY_BEFORE_NAMESPACE();
namespace isogon::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Accumulators must fit the registers: 24 of 32 with AVX-512, 12 of 16 below it.
#if HWY_TARGET <= HWY_AVX3
constexpr std::size_t rows_at_once = 8;
constexpr std::size_t vectors_at_once = 3;
#else
constexpr std::size_t rows_at_once = 6;
constexpr std::size_t vectors_at_once = 2;
#endif

/// Vectors of at most 64 bytes: a panel of 48 holds three of them, or six.
template <class Number>
using PanelTag = hn::CappedTag<Number, 64 / sizeof(Number)>;

/// Products of two panels: those of row i at values + i * stride.
template <class Number>
struct TileView {
    Number* HWY_RESTRICT values;
    std::size_t stride;
};

/// rows_at_once x (vectors_at_once vectors) of a tile, over `depth` components.
template <class Number>
HWY_INLINE void multiply_strip(PanelView<Number> left, PanelView<Number> right, std::size_t depth,
                               TileView<Number> tile, bool add) {
    const PanelTag<Number> tag;
    using Vector = hn::Vec<PanelTag<Number>>;
    const std::size_t lanes = hn::Lanes(tag);
    Vector sums[rows_at_once][vectors_at_once];
#pragma GCC unroll 8
    for (std::size_t i = 0; i < rows_at_once; ++i) {
#pragma GCC unroll 3
        for (std::size_t v = 0; v < vectors_at_once; ++v) {
            sums[i][v] = add ? hn::Load(tag, tile.values + i * tile.stride + v * lanes) : hn::Zero(tag);
        }
    }
    for (std::size_t k = 0; k < depth; ++k) {
        Vector columns[vectors_at_once];
#pragma GCC unroll 3
        for (std::size_t v = 0; v < vectors_at_once; ++v) {
            columns[v] = hn::Load(tag, right.data + k * right.stride + v * lanes);
        }
#pragma GCC unroll 8
        for (std::size_t i = 0; i < rows_at_once; ++i) {
            const Vector row = hn::Set(tag, left.data[k * left.stride + i]);
#pragma GCC unroll 3
            for (std::size_t v = 0; v < vectors_at_once; ++v) {
                sums[i][v] = multiply_add(row, columns[v], sums[i][v]);
            }
        }
    }
#pragma GCC unroll 8
    for (std::size_t i = 0; i < rows_at_once; ++i) {
#pragma GCC unroll 3
        for (std::size_t v = 0; v < vectors_at_once; ++v) {
            hn::Store(sums[i][v], tag, tile.values + i * tile.stride + v * lanes);
        }
    }
}

/// A tile of 48 x `columns` (a multiple of the strip's width): components in chunks, so that those of two panels stay
/// in the first-level cache while all rows are visited; it also bounds the length of float32 sums.
template <class Number>
HWY_INLINE void multiply_strips(PanelView<Number> left, PanelView<Number> right, std::size_t depth,
                                TileView<Number> tile, bool add) {
    constexpr std::size_t depth_at_once = 512 / sizeof(Number);
    const std::size_t columns = vectors_at_once * hn::Lanes(PanelTag<Number>());
    for (std::size_t k = 0; k == 0 || k < depth; k += depth_at_once) {
        const std::size_t chunk = depth - k < depth_at_once ? depth - k : depth_at_once;
        for (std::size_t j = 0; j < panel_width; j += columns) {
            for (std::size_t i = 0; i < panel_width; i += rows_at_once) {
                multiply_strip<Number>({left.data + k * left.stride + i, left.stride},
                                       {right.data + k * right.stride + j, right.stride}, chunk,
                                       {tile.values + i * tile.stride + j, tile.stride}, add || k > 0);
            }
        }
    }
}

void multiply_panels_float32(PanelView<float> left, PanelView<float> right, std::size_t depth, float* values,
                             std::size_t stride) {
    multiply_strips<float>(left, right, depth, {values, stride}, false);
}

void multiply_panels_float64(PanelView<double> left, PanelView<double> right, std::size_t depth, double* values,
                             std::size_t stride) {
    multiply_strips<double>(left, right, depth, {values, stride}, false);
}

void add_panel_products_float64(PanelView<double> left, PanelView<double> right, std::size_t depth, double* values,
                                std::size_t stride) {
    multiply_strips<double>(left, right, depth, {values, stride}, true);
}

const char* instruction_set() {
    return hwy::TargetName(HWY_TARGET);
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {

HWY_EXPORT(multiply_panels_float32);
HWY_EXPORT(multiply_panels_float64);
HWY_EXPORT(add_panel_products_float64);
HWY_EXPORT(instruction_set);

void multiply_panels(PanelView<float> left, PanelView<float> right, std::size_t depth, float* values,
                     std::size_t stride) {
    HWY_DYNAMIC_DISPATCH(multiply_panels_float32)(left, right, depth, values, stride);
}

void multiply_panels(PanelView<double> left, PanelView<double> right, std::size_t depth, double* values,
                     std::size_t stride) {
    HWY_DYNAMIC_DISPATCH(multiply_panels_float64)(left, right, depth, values, stride);
}

void add_panel_products(PanelView<double> left, PanelView<double> right, std::size_t depth, double* values,
                        std::size_t stride) {
    HWY_DYNAMIC_DISPATCH(add_panel_products_float64)(left, right, depth, values, stride);
}

const char* instruction_set_name() {
    return HWY_DYNAMIC_DISPATCH(instruction_set)();
}

std::vector<std::string> instruction_set_names() {
    std::vector<std::string> names;
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        names.emplace_back(hwy::TargetName(target));
    }
    return names;
}

void use_instruction_set(const std::string& name) {
    hwy::SetSupportedTargetsForTest(0);  // all again
    std::string known;
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        if (name == hwy::TargetName(target)) {
            hwy::SetSupportedTargetsForTest(target);
            return;
        }
        known += (known.empty() ? "" : ", ") + std::string(hwy::TargetName(target));
    }
    throw InvalidArgument("instruction_set", name, "must be one that this processor has: " + known);
}

}  // namespace isogon
#endif
