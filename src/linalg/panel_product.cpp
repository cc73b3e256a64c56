#include "isogon/linalg/panel_product.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/panel_product.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isogon::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// At most 16 lanes: panels of 48 hold three of them.
using Floats = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Floats>;

// Accumulators must fit the registers: 24 of 32 with AVX-512, 12 of 16 below it.
#if HWY_TARGET <= HWY_AVX3
constexpr std::size_t rows_at_once = 8;
constexpr std::size_t vectors_at_once = 3;
#else
constexpr std::size_t rows_at_once = 6;
constexpr std::size_t vectors_at_once = 2;
#endif

// A chunk of two panels' components (2 x 24 kB) stays in the first-level cache while all its rows are visited; it also
// bounds the length of float32 sums.
constexpr std::size_t depth_at_once = 128;

/// rows_at_once x (vectors_at_once vectors) of a tile, over `depth` components.
HWY_INLINE void multiply_strip(PanelView left, PanelView right, std::size_t depth, float* HWY_RESTRICT values,
                               std::size_t stride, bool add) {
    const Floats tag;
    const std::size_t lanes = hn::Lanes(tag);
    Vector sums[rows_at_once][vectors_at_once];
#pragma GCC unroll 8
    for (std::size_t i = 0; i < rows_at_once; ++i) {
#pragma GCC unroll 3
        for (std::size_t v = 0; v < vectors_at_once; ++v) {
            sums[i][v] = add ? hn::Load(tag, values + i * stride + v * lanes) : hn::Zero(tag);
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
                sums[i][v] = hn::MulAdd(row, columns[v], sums[i][v]);
            }
        }
    }
#pragma GCC unroll 8
    for (std::size_t i = 0; i < rows_at_once; ++i) {
#pragma GCC unroll 3
        for (std::size_t v = 0; v < vectors_at_once; ++v) {
            hn::Store(sums[i][v], tag, values + i * stride + v * lanes);
        }
    }
}

void multiply_panels(PanelView left, PanelView right, std::size_t depth, float* values, std::size_t stride) {
    const std::size_t columns = vectors_at_once * hn::Lanes(Floats());
    for (std::size_t k = 0; k == 0 || k < depth; k += depth_at_once) {
        const std::size_t chunk = depth - k < depth_at_once ? depth - k : depth_at_once;
        for (std::size_t j = 0; j < panel_width; j += columns) {
            for (std::size_t i = 0; i < panel_width; i += rows_at_once) {
                multiply_strip({left.data + k * left.stride + i, left.stride},
                               {right.data + k * right.stride + j, right.stride}, chunk, values + i * stride + j,
                               stride, k > 0);
            }
        }
    }
}

const char* instruction_set() {
    return hwy::TargetName(HWY_TARGET);
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {

HWY_EXPORT(multiply_panels);
HWY_EXPORT(instruction_set);

void multiply_panels(PanelView left, PanelView right, std::size_t depth, float* values, std::size_t stride) {
    HWY_DYNAMIC_DISPATCH(multiply_panels)(left, right, depth, values, stride);
}

const char* instruction_set_name() {
    return HWY_DYNAMIC_DISPATCH(instruction_set)();
}

}  // namespace isogon
#endif
