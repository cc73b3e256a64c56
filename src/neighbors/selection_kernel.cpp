#include "neighbors/nearest_selection.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "neighbors/selection_kernel.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isogon::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// At most 16 lanes: panels of 48 hold three of them.
using Floats = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Floats>;

/// The bits of row i that are marked.
HWY_INLINE std::uint64_t mark_row(const float* values, float row, const float* columns) {
    const Floats tag;
    const std::size_t lanes = hn::Lanes(tag);
    const Vector threshold = hn::Set(tag, row);
    std::uint64_t marked = 0;
    for (std::size_t j = 0; j < tile_width; j += lanes) {
        const Vector value = hn::Load(tag, values + j);
        // Reaching the smaller of two thresholds is reaching one of them.
        const auto reaching = hn::Ge(value, hn::Min(threshold, hn::LoadU(tag, columns + j)));
        std::uint8_t bits[8] = {};
        hn::StoreMaskBits(tag, reaching, bits);
        marked |= (std::uint64_t{bits[0]} | std::uint64_t{bits[1]} << 8U) << j;
    }
    return marked;
}

bool mark_reaching(const float* values, const float* rows, const float* columns, TilePlaces& places) {
    std::uint64_t any = 0;
    for (std::size_t i = 0; i < tile_width; ++i) {
        places.rows[i] = mark_row(values + i * tile_width, rows[i], columns);
        any |= places.rows[i];
    }
    return any != 0;
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {

HWY_EXPORT(mark_reaching);

bool mark_reaching(const float* values, const float* rows, const float* columns, TilePlaces& places) {
    return HWY_DYNAMIC_DISPATCH(mark_reaching)(values, rows, columns, places);
}

}  // namespace isogon
#endif
