#include "linalg/row_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/row_kernel.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>
// After foreach_target, as it is compiled as often.
#include "core/lane_sums.hpp"

HWY_BEFORE_NAMESPACE();
namespace isogon::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t lanes = 16;
using Floats = hn::CappedTag<float, lanes>;
using Sums = LaneSums<double, lanes, 8>;
using Doubles = Sums::Tag;

HWY_INLINE Sums::Vector load_doubles(const float* numbers) {
    const hn::Rebind<float, Doubles> half;
    return hn::PromoteTo(Doubles(), hn::LoadU(half, numbers));
}

HWY_INLINE void add_products(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b, Sums& sums) {
    sums.add([&](std::size_t lane, Sums::Vector sum) {
        return hn::Add(sum, hn::Mul(load_doubles(a + lane), load_doubles(b + lane)));
    });
}

/// to := a + factor b.
HWY_INLINE void combine_lanes(const float* a, float factor, const float* b, float* to) {
    const Floats tag;
    const auto f = hn::Set(tag, factor);
    for (std::size_t i = 0; i < lanes; i += hn::Lanes(tag)) {
        hn::Store(hn::Add(hn::Load(tag, a + i), hn::Mul(f, hn::Load(tag, b + i))), tag, to + i);
    }
}

HWY_INLINE double dot_of_row(const float* a, const float* b, std::size_t stride) {
    Sums sums;
    for (std::size_t k = 0; k < stride; k += lanes) {
        add_products(a + k, b + k, sums);
    }
    return sums.total();
}

HWY_INLINE double root_of(double number) {
    return hn::GetLane(hn::Sqrt(hn::Set(hn::CappedTag<double, 1>(), number)));
}

double dot_of_rows(std::span<const float> a, const float* b) {
    return dot_of_row(a.data(), b, a.size());
}

double axpy_dot_of_rows(float factor, const float* a, std::span<float> b, const float* c) {
    Sums sums;
    for (std::size_t k = 0; k < b.size(); k += lanes) {
        combine_lanes(b.data() + k, factor, a + k, b.data() + k);
        add_products(b.data() + k, c + k, sums);
    }
    return sums.total();
}

void axpy_of_rows(float factor, const float* a, std::span<float> b) {
    for (std::size_t k = 0; k < b.size(); k += lanes) {
        combine_lanes(b.data() + k, factor, a + k, b.data() + k);
    }
}

void xpay_of_rows(const float* a, float factor, std::span<float> b) {
    for (std::size_t k = 0; k < b.size(); k += lanes) {
        combine_lanes(a + k, factor, b.data() + k, b.data() + k);
    }
}

void project_rows(const float* w, float factor, float* v, std::size_t stride, std::size_t rows) {
    const Doubles wide;
    const hn::Rebind<float, Doubles> narrow;
    const auto scale = hn::Set(narrow, factor);
    for (std::size_t i = 0; i < rows; ++i, w += stride, v += stride) {
        Sums squares;
        Sums products;
        for (std::size_t k = 0; k < stride; k += lanes) {
            add_products(w + k, w + k, squares);
            add_products(v + k, w + k, products);
        }
        const double square = squares.total();
        // In float64: in float32 a share of one rounding of v along w would remain.
        const auto share = hn::Set(wide, square > 0.0 ? products.total() / square : 0.0);
        for (std::size_t k = 0; k < stride; k += hn::Lanes(wide)) {
            const auto along = hn::DemoteTo(narrow, hn::Mul(share, load_doubles(w + k)));
            hn::StoreU(hn::Mul(scale, hn::Sub(hn::LoadU(narrow, v + k), along)), narrow, v + k);
        }
    }
}

void row_distances(const float* a, const float* b, std::size_t stride, std::size_t rows, float* distances) {
    const Floats tag;
    for (std::size_t i = 0; i < rows; ++i, a += stride, b += stride) {
        LaneSums<float, lanes> squares;
        for (std::size_t k = 0; k < stride; k += lanes) {
            squares.add([&](std::size_t lane, hn::Vec<Floats> sum) {
                const auto difference = hn::Sub(hn::Load(tag, a + k + lane), hn::Load(tag, b + k + lane));
                return hn::Add(sum, hn::Mul(difference, difference));
            });
        }
        distances[i] = static_cast<float>(root_of(double{squares.total()}));
    }
}

void set_row_lengths(const float* lengths, std::size_t rows, float* v, std::size_t stride) {
    const Floats tag;
    for (std::size_t i = 0; i < rows; ++i, v += stride) {
        const double square = dot_of_row(v, v, stride);
        if (square > 0.0) {
            constexpr double largest = 3.4e38;  // for a row too short to have a direction: infinity times 0 is NaN
            const double ratio = double{lengths[i]} / root_of(square);
            const auto factor = hn::Set(tag, static_cast<float>(ratio < largest ? ratio : largest));
            for (std::size_t k = 0; k < stride; k += hn::Lanes(tag)) {
                hn::Store(hn::Mul(factor, hn::Load(tag, v + k)), tag, v + k);
            }
        }
    }
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {

HWY_EXPORT(dot_of_rows);
HWY_EXPORT(axpy_dot_of_rows);
HWY_EXPORT(axpy_of_rows);
HWY_EXPORT(xpay_of_rows);
HWY_EXPORT(project_rows);
HWY_EXPORT(set_row_lengths);
HWY_EXPORT(row_distances);

double dot_of_rows(std::span<const float> a, const float* b) {
    return HWY_DYNAMIC_DISPATCH(dot_of_rows)(a, b);
}

double axpy_dot_of_rows(float factor, const float* a, std::span<float> b, const float* c) {
    return HWY_DYNAMIC_DISPATCH(axpy_dot_of_rows)(factor, a, b, c);
}

void axpy_of_rows(float factor, const float* a, std::span<float> b) {
    HWY_DYNAMIC_DISPATCH(axpy_of_rows)(factor, a, b);
}

void xpay_of_rows(const float* a, float factor, std::span<float> b) {
    HWY_DYNAMIC_DISPATCH(xpay_of_rows)(a, factor, b);
}

void project_rows(const float* w, float factor, float* v, std::size_t stride, std::size_t rows) {
    HWY_DYNAMIC_DISPATCH(project_rows)(w, factor, v, stride, rows);
}

void set_row_lengths(std::span<const float> lengths, float* v, std::size_t stride) {
    HWY_DYNAMIC_DISPATCH(set_row_lengths)(lengths.data(), lengths.size(), v, stride);
}

void row_distances(const float* a, const float* b, std::size_t stride, std::span<float> distances) {
    HWY_DYNAMIC_DISPATCH(row_distances)(a, b, stride, distances.size(), distances.data());
}

}  // namespace isogon
#endif
