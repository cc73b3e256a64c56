#include "neighbors/distance_kernel.hpp"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "neighbors/distance_kernel.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isogon::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using Vector = hn::Vec<Floats>;

/// Sum over k of term(a x_k, b y_k), in four independent sums: the additions of a single one would be a chain.
template <class Term>
HWY_INLINE double sum_terms(const float* x, float a, const float* y, float b, std::size_t size, const Term& term) {
    const Floats tag;
    const std::size_t lanes = hn::Lanes(tag);
    const Vector scale_x = hn::Set(tag, a);
    const Vector scale_y = hn::Set(tag, b);
    Vector sums[4] = {hn::Zero(tag), hn::Zero(tag), hn::Zero(tag), hn::Zero(tag)};
    std::size_t k = 0;
    for (; k + 4 * lanes <= size; k += 4 * lanes) {
#pragma GCC unroll 4
        for (std::size_t v = 0; v < 4; ++v) {
            const Vector left = hn::Mul(scale_x, hn::LoadU(tag, x + k + v * lanes));
            const Vector right = hn::Mul(scale_y, hn::LoadU(tag, y + k + v * lanes));
            sums[v] = term(left, right, sums[v]);
        }
    }
    for (; k + lanes <= size; k += lanes) {
        sums[0] = term(hn::Mul(scale_x, hn::LoadU(tag, x + k)), hn::Mul(scale_y, hn::LoadU(tag, y + k)), sums[0]);
    }
    const hn::CappedTag<float, 1> one;
    auto rest = hn::Zero(one);
    for (; k < size; ++k) {
        rest = term(hn::Mul(hn::Set(one, a), hn::Set(one, x[k])), hn::Mul(hn::Set(one, b), hn::Set(one, y[k])), rest);
    }
    const Vector sum = hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]));
    return double{hn::GetLane(hn::SumOfLanes(tag, sum))} + double{hn::GetLane(rest)};
}

double squared_difference(const float* x, float a, const float* y, float b, std::size_t size) {
    return sum_terms(x, a, y, b, size, [](auto left, auto right, auto sum) {
        const auto difference = hn::Sub(left, right);
        return hn::MulAdd(difference, difference, sum);
    });
}

double scaled_product(const float* x, float a, const float* y, float b, std::size_t size) {
    return sum_terms(x, a, y, b, size, [](auto left, auto right, auto sum) { return hn::MulAdd(left, right, sum); });
}

void absolute_differences(const float* x, const float* const* rows, std::size_t size, double* sums) {
    const Floats tag;
    const std::size_t lanes = hn::Lanes(tag);
    Vector parts[differences_at_once] = {hn::Zero(tag), hn::Zero(tag), hn::Zero(tag), hn::Zero(tag)};
    std::size_t k = 0;
    for (; k + lanes <= size; k += lanes) {
        const Vector left = hn::LoadU(tag, x + k);
#pragma GCC unroll 4
        for (std::size_t r = 0; r < differences_at_once; ++r) {
            parts[r] = hn::Add(parts[r], hn::AbsDiff(left, hn::LoadU(tag, rows[r] + k)));
        }
    }
    for (std::size_t r = 0; r < differences_at_once; ++r) {
        float rest = 0.0F;
        for (std::size_t j = k; j < size; ++j) {
            rest += std::abs(x[j] - rows[r][j]);
        }
        sums[r] = double{hn::GetLane(hn::SumOfLanes(tag, parts[r]))} + double{rest};
    }
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {

HWY_EXPORT(squared_difference);
HWY_EXPORT(scaled_product);
HWY_EXPORT(absolute_differences);

double squared_difference(std::span<const float> x, float a, std::span<const float> y, float b) {
    return HWY_DYNAMIC_DISPATCH(squared_difference)(x.data(), a, y.data(), b, x.size());
}

double scaled_product(std::span<const float> x, float a, std::span<const float> y, float b) {
    return HWY_DYNAMIC_DISPATCH(scaled_product)(x.data(), a, y.data(), b, x.size());
}

void absolute_differences(std::span<const float> x, const std::array<const float*, differences_at_once>& rows,
                          std::array<double, differences_at_once>& sums) {
    HWY_DYNAMIC_DISPATCH(absolute_differences)(x.data(), rows.data(), x.size(), sums.data());
}

}  // namespace isogon
#endif
