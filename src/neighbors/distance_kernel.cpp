#include "neighbors/distance_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "neighbors/distance_kernel.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>
// After foreach_target, as it is compiled as often.
#include "core/lane_sums.hpp"

HWY_BEFORE_NAMESPACE();
namespace isogon::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Floats>;

/// Sum over k of the terms of both k-th numbers, each times its factor, in some independent vectors: the additions of a
/// single one would be a chain.
template <class Term>
HWY_INLINE double sum_terms(const ScaledRow& left, const ScaledRow& right, const Term& term) {
    constexpr std::size_t at_once = 32;
    const Floats tag;
    const float* x = left.numbers.data();
    const float* y = right.numbers.data();
    const std::size_t size = left.numbers.size();
    const Vector scale_x = hn::Set(tag, left.factor);
    const Vector scale_y = hn::Set(tag, right.factor);
    LaneSums<float, at_once, 16> sums;
    std::size_t k = 0;
    for (; k + at_once <= size; k += at_once) {
        sums.add([&](std::size_t lane, Vector sum) {
            return term(hn::Mul(scale_x, hn::LoadU(tag, x + k + lane)), hn::Mul(scale_y, hn::LoadU(tag, y + k + lane)),
                        sum);
        });
    }
    if (k < size) {
        sums.add([&](std::size_t lane, Vector sum) {
            return term(hn::Mul(scale_x, load_until(tag, x, k + lane, size)),
                        hn::Mul(scale_y, load_until(tag, y, k + lane, size)), sum);
        });
    }
    return double{sums.total()};
}

double squared_difference(const ScaledRow& x, const ScaledRow& y) {
    return sum_terms(x, y, [](auto left, auto right, auto sum) {
        const auto difference = hn::Sub(left, right);
        return multiply_add(difference, difference, sum);
    });
}

double scaled_product(const ScaledRow& x, const ScaledRow& y) {
    return sum_terms(x, y, [](auto left, auto right, auto sum) { return multiply_add(left, right, sum); });
}

void absolute_differences(const float* x, const float* const* rows, std::size_t size, double* sums) {
    const Floats tag;
    LaneSums<float, 16> parts[differences_at_once];
    for (std::size_t k = 0; k < size; k += 16) {
#pragma GCC unroll 4
        for (std::size_t r = 0; r < differences_at_once; ++r) {
            parts[r].add([&](std::size_t lane, Vector sum) {
                const Vector left = load_until(tag, x, k + lane, size);
                return hn::Add(sum, hn::AbsDiff(left, load_until(tag, rows[r], k + lane, size)));
            });
        }
    }
    for (std::size_t r = 0; r < differences_at_once; ++r) {
        sums[r] = double{parts[r].total()};
    }
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {

HWY_EXPORT(squared_difference);
HWY_EXPORT(scaled_product);
HWY_EXPORT(absolute_differences);

double squared_difference(const ScaledRow& x, const ScaledRow& y) {
    return HWY_DYNAMIC_DISPATCH(squared_difference)(x, y);
}

double scaled_product(const ScaledRow& x, const ScaledRow& y) {
    return HWY_DYNAMIC_DISPATCH(scaled_product)(x, y);
}

void absolute_differences(std::span<const float> x, const std::array<const float*, differences_at_once>& rows,
                          std::array<double, differences_at_once>& sums) {
    HWY_DYNAMIC_DISPATCH(absolute_differences)(x.data(), rows.data(), x.size(), sums.data());
}

}  // namespace isogon
#endif
