// Arithmetic of kernels whose bits are the same for every width of vectors, and on processors with and without a fused
// multiply-add (docs/reproducible.md). Included after hwy/highway.h; compiled once for each instruction set, so the
// guard is undone by each of them.
#if defined(ISOGON_CORE_LANE_SUMS) == defined(HWY_TARGET_TOGGLE)
#ifdef ISOGON_CORE_LANE_SUMS
#undef ISOGON_CORE_LANE_SUMS
#else
#define ISOGON_CORE_LANE_SUMS
#endif

#include <cstddef>

#include "core/fused.hpp"

HWY_BEFORE_NAMESPACE();
namespace isogon::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// a b + c, rounded once.
template <class Vector>
HWY_INLINE Vector multiply_add(Vector a, Vector b, Vector c) {
#if HWY_NATIVE_FMA
    return hn::MulAdd(a, b, c);
#else
    const hn::DFromV<Vector> tag;
    constexpr std::size_t lanes = hn::MaxLanes(hn::DFromV<Vector>());
    using Number = hn::TFromV<Vector>;
    alignas(64) Number left[lanes];
    alignas(64) Number right[lanes];
    alignas(64) Number sum[lanes];
    hn::Store(a, tag, left);
    hn::Store(b, tag, right);
    hn::Store(c, tag, sum);
    for (std::size_t i = 0; i < lanes; ++i) {
        sum[i] = fused_multiply_add(left[i], right[i], sum[i]);
    }
    return hn::Load(tag, sum);
#endif
}

/// c - a b, rounded once.
template <class Vector>
HWY_INLINE Vector negative_multiply_add(Vector a, Vector b, Vector c) {
#if HWY_NATIVE_FMA
    return hn::NegMulAdd(a, b, c);
#else
    return multiply_add(hn::Neg(a), b, c);
#endif
}

/// The sum of all lanes: the upper half is added to the lower one until one is left.
template <class Tag>
HWY_INLINE hn::TFromD<Tag> fold_lanes(Tag /*tag*/, hn::Vec<Tag> vector) {
#if HWY_TARGET != HWY_SCALAR
    constexpr std::size_t bytes = hn::MaxLanes(Tag()) * sizeof(hn::TFromD<Tag>);
    static_assert(bytes >= 16, "whole vectors");
    if constexpr (bytes > 16) {
        const hn::Half<Tag> half;
        return fold_lanes(half, hn::Add(hn::LowerHalf(half, vector), hn::UpperHalf(half, vector)));
    } else if constexpr (bytes == 16 && sizeof(hn::TFromD<Tag>) == 4) {
        const hn::Vec<Tag> two = hn::Add(vector, hn::Shuffle1032(vector));
        return hn::GetLane(hn::Add(two, hn::Shuffle2301(two)));
    } else if constexpr (bytes == 16) {
        return hn::GetLane(hn::Add(vector, hn::Shuffle01(vector)));
    }
#endif
    return hn::GetLane(vector);
}

/// sums[i] := fold_lanes(vectors[i]), which share the last two steps.
template <class Tag>
HWY_INLINE void fold_four(Tag tag, const hn::Vec<Tag>* vectors, hn::TFromD<Tag>* sums) {
#if HWY_TARGET != HWY_SCALAR
    constexpr std::size_t bytes = hn::MaxLanes(Tag()) * sizeof(hn::TFromD<Tag>);
    if constexpr (bytes > 16) {
        const hn::Half<Tag> half;
        hn::Vec<hn::Half<Tag>> halves[4];
#pragma GCC unroll 4
        for (std::size_t i = 0; i < 4; ++i) {
            halves[i] = hn::Add(hn::LowerHalf(half, vectors[i]), hn::UpperHalf(half, vectors[i]));
        }
        fold_four(half, halves, sums);
    } else {
        static_assert(sizeof(hn::TFromD<Tag>) == 4, "four lanes");
        const auto first =
            hn::Add(hn::InterleaveLower(tag, vectors[0], vectors[1]), hn::InterleaveUpper(tag, vectors[0], vectors[1]));
        const auto second =
            hn::Add(hn::InterleaveLower(tag, vectors[2], vectors[3]), hn::InterleaveUpper(tag, vectors[2], vectors[3]));
        hn::StoreU(hn::Add(hn::ConcatLowerLower(tag, second, first), hn::ConcatUpperUpper(tag, second, first)), tag,
                   sums);
    }
#else
    for (std::size_t i = 0; i < 4; ++i) {
        sums[i] = fold_lanes(tag, vectors[i]);
    }
#endif
}

/// `lanes` sums side by side in as many vectors as these take: lane i takes the terms whose index is i modulo `lanes`,
/// whatever the width of a vector, of which no more than `widest` lanes are used.
template <class Number, std::size_t lanes, std::size_t widest = lanes>
class LaneSums {
public:
    using Tag = hn::CappedTag<Number, widest>;
    using Vector = hn::Vec<Tag>;

    HWY_INLINE LaneSums() {
#pragma GCC unroll 16
        for (Vector& part : parts_) {
            part = hn::Zero(Tag());
        }
    }

    /// part := add(index of the part's first lane, part), for all parts.
    template <class AddTerms>
    HWY_INLINE void add(const AddTerms& add_terms) {
#pragma GCC unroll 16
        for (std::size_t p = 0; p < count; ++p) {
            parts_[p] = add_terms(p * width, parts_[p]);
        }
    }

    /// The sums of the part whose first lane this is.
    [[nodiscard]] HWY_INLINE Vector& part(std::size_t lane) {
        return parts_[lane / width];
    }

    /// All lanes together.
    [[nodiscard]] HWY_INLINE Number total() {
        return fold_lanes(Tag(), in_one());
    }

    /// The sum in one vector, whose lanes total() adds up.
    [[nodiscard]] HWY_INLINE Vector in_one() {
#pragma GCC unroll 4
        for (std::size_t half = count / 2; half > 0; half /= 2) {
#pragma GCC unroll 8
            for (std::size_t p = 0; p < half; ++p) {
                parts_[p] = hn::Add(parts_[p], parts_[p + half]);
            }
        }
        return parts_[0];
    }

private:
    static constexpr std::size_t width = hn::MaxLanes(Tag());
    static constexpr std::size_t count = lanes / width;
    static_assert(count * width == lanes && (lanes & (lanes - 1)) == 0, "a power of two");

    // Functions of std::array would be compiled without this instruction set.
    Vector parts_[count];  // NOLINT(*-avoid-c-arrays): see above
};

/// The vector of the numbers `at` to `end` of an array, with zeros after them: where that is a whole vector, all of it.
template <class Tag>
HWY_INLINE hn::Vec<Tag> load_until(Tag tag, const hn::TFromD<Tag>* numbers, std::size_t at, std::size_t end) {
    constexpr std::size_t lanes = hn::MaxLanes(Tag());
    if (at + lanes <= end) {
        return hn::LoadU(tag, numbers + at);
    }
    // No masked load: without AVX2 it reads beyond the end.
    alignas(64) hn::TFromD<Tag> few[lanes] = {};
    for (std::size_t i = at; i < end; ++i) {
        few[i - at] = numbers[i];
    }
    return hn::Load(tag, few);
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
