#include "neighbors/nearest_selection.hpp"

#include <span>

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

/// The keys of some candidates, a vector of them.
HWY_INLINE Vector keys_of(const NearestSelection::Candidate* some) {
    const Floats tag;
    Vector keys;
    Vector indices;
    hn::LoadInterleaved2(tag, &some->key, keys, indices);
    return keys;
}

std::size_t count_reaching(std::span<const NearestSelection::Candidate> some, float key) {
    const Floats tag;
    const std::size_t lanes = hn::Lanes(tag);
    const Vector least = hn::Set(tag, key);
    std::size_t count = 0;
    std::size_t k = 0;
    for (; k + lanes <= some.size(); k += lanes) {
        count += hn::CountTrue(tag, hn::Ge(keys_of(some.data() + k), least));
    }
    for (; k < some.size(); ++k) {
        count += some[k].key >= key ? 1U : 0U;
    }
    return count;
}

/// The middle between the least and the largest key, and nearer to what keeps `keep` each time.
KeyCut cut_of(std::span<const NearestSelection::Candidate> some, std::size_t keep, std::size_t most) {
    constexpr int most_trials = 10;
    float low = some.front().key;
    float high = low;
    for (const auto& candidate : some) {
        low = candidate.key < low ? candidate.key : low;
        high = candidate.key > high ? candidate.key : high;
    }
    std::size_t reached = some.size();
    for (int trial = 0; trial < most_trials && reached > most; ++trial) {
        const float middle = low + 0.5F * (high - low);
        const std::size_t count = count_reaching(some, middle);
        (count >= keep ? low : high) = middle;
        reached = count >= keep ? count : reached;
    }
    return {low, reached};
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {

HWY_EXPORT(mark_reaching);
HWY_EXPORT(cut_of);

bool mark_reaching(const float* values, const float* rows, const float* columns, TilePlaces& places) {
    return HWY_DYNAMIC_DISPATCH(mark_reaching)(values, rows, columns, places);
}

KeyCut cut_of(std::span<const NearestSelection::Candidate> some, std::size_t keep, std::size_t most) {
    return HWY_DYNAMIC_DISPATCH(cut_of)(some, keep, most);
}

}  // namespace isogon
#endif
