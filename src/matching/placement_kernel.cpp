#include "matching/placement_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "matching/placement_kernel.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isogon::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// At most 16 lanes: panels of 48 hold three of them, and strides are multiples of 16.
using Floats = hn::CappedTag<float, 16>;

void subtract_from_rows(const float* HWY_RESTRICT tile, const float* HWY_RESTRICT thresholds,
                        float* HWY_RESTRICT differences) {
    const Floats tag;
    for (std::size_t i = 0; i < tile_width; ++i) {
        const auto threshold = hn::Set(tag, thresholds[i]);
        for (std::size_t j = 0; j < tile_width; j += hn::Lanes(tag)) {
            const std::size_t place = i * tile_width + j;
            hn::Store(hn::Sub(hn::Load(tag, tile + place), threshold), tag, differences + place);
        }
    }
}

void multiply_listed(const float* HWY_RESTRICT vector, const MultiVector<float>& vectors, std::span<const Index> list,
                     float* HWY_RESTRICT products) {
    const Floats tag;
    for (std::size_t k = 0; k < list.size(); ++k) {
        const float* row = vectors.row(list[k]);
        auto sum = hn::Zero(tag);
        for (std::size_t a = 0; a < vectors.stride(); a += hn::Lanes(tag)) {
            sum = hn::MulAdd(hn::Load(tag, vector + a), hn::Load(tag, row + a), sum);
        }
        products[k] = hn::GetLane(hn::SumOfLanes(tag, sum));
    }
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {

HWY_EXPORT(subtract_from_rows);
HWY_EXPORT(multiply_listed);

void collect_above(const float* tile, const float* thresholds, TileEntries& hits) {
    alignas(64) float differences[tile_size];
    HWY_DYNAMIC_DISPATCH(subtract_from_rows)(tile, thresholds, differences);
    collect_positive(differences, hits);
    for (std::size_t h = 0; h < hits.count; ++h) {
        const std::size_t row = hits.places[h] >> tile_place_shift;
        hits.values[h] = tile[row * tile_width + (hits.places[h] & tile_place_mask)];
    }
}

void multiply_listed(const float* vector, const MultiVector<float>& vectors, std::span<const Index> list,
                     float* products) {
    HWY_DYNAMIC_DISPATCH(multiply_listed)(vector, vectors, list, products);
}

}  // namespace isogon
#endif
