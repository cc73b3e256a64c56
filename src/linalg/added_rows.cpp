#include "linalg/sparse_algebra.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/added_rows.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>
// After foreach_target, as it is compiled as often.
#include "core/lane_sums.hpp"

HWY_BEFORE_NAMESPACE();
namespace isogon::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// At most 8 lanes: rows are padded to that.
using Doubles = hn::CappedTag<double, 8>;

/// `vectors` vectors of the sums.
template <std::size_t vectors>
HWY_INLINE void add_strip(std::span<const Index> rows, std::span<const double> weights, Index first,
                          const double* HWY_RESTRICT in, std::size_t stride, double* HWY_RESTRICT out) {
    const Doubles tag;
    const std::size_t lanes = hn::Lanes(tag);
    hn::Vec<Doubles> sums[vectors];
    for (std::size_t v = 0; v < vectors; ++v) {
        sums[v] = hn::LoadU(tag, out + v * lanes);
    }
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const double* row = in + (rows[k] - first) * stride;
        const auto weight = hn::Set(tag, weights[k]);
        for (std::size_t v = 0; v < vectors; ++v) {
            sums[v] = multiply_add(weight, hn::LoadU(tag, row + v * lanes), sums[v]);
        }
    }
    for (std::size_t v = 0; v < vectors; ++v) {
        hn::StoreU(sums[v], tag, out + v * lanes);
    }
}

void add_rows(std::span<const Index> rows, std::span<const double> weights, Index first, const double* in,
              std::size_t stride, double* out) {
    constexpr std::size_t vectors_at_once = 8;
    const std::size_t lanes = hn::Lanes(Doubles());
    std::size_t c = 0;
    for (; c + vectors_at_once * lanes <= stride; c += vectors_at_once * lanes) {
        add_strip<vectors_at_once>(rows, weights, first, in + c, stride, out + c);
    }
    for (; c < stride; c += lanes) {
        add_strip<1>(rows, weights, first, in + c, stride, out + c);
    }
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {

HWY_EXPORT(add_rows);

void add_rows(std::span<const Index> rows, std::span<const double> weights, Index first, const double* in,
              std::size_t stride, double* out) {
    if (rows.empty()) {
        return;  // `in` may be the null pointer of no rows at all, which may not be moved
    }
    HWY_DYNAMIC_DISPATCH(add_rows)(rows, weights, first, in, stride, out);
}

}  // namespace isogon
#endif
