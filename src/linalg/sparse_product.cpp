#include "linalg/sparse_algebra.hpp"

#include <concepts>

#include "core/parallel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/sparse_product.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>
// After foreach_target, as it is compiled as often.
#include "core/lane_sums.hpp"

HWY_BEFORE_NAMESPACE();
namespace isogon::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Vectors of at most 64 bytes: rows of float32, and those of add_rows(), are padded to that.
template <class T>
using RowTag = hn::CappedTag<T, 64 / sizeof(T)>;

/// out[c] = sum over k of weights[k] in.row(rows[k])[c], for `vectors` vectors of a row of the result, held in
/// registers while the entries go by; `add`: += that.
template <std::size_t vectors, bool add, class T>
HWY_INLINE void sum_strip(std::span<const Index> rows, std::span<const T> weights, DenseRows<T> in,
                          T* HWY_RESTRICT out) {
    const RowTag<T> tag;
    const std::size_t lanes = hn::Lanes(tag);
    hn::Vec<RowTag<T>> sums[vectors];
    for (std::size_t v = 0; v < vectors; ++v) {
        sums[v] = add ? hn::LoadU(tag, out + v * lanes) : hn::Zero(tag);
    }
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const T* row = in.row(rows[k]);
        const auto weight = hn::Set(tag, weights[k]);
        for (std::size_t v = 0; v < vectors; ++v) {
            sums[v] = multiply_add(weight, hn::LoadU(tag, row + v * lanes), sums[v]);
        }
    }
    for (std::size_t v = 0; v < vectors; ++v) {
        hn::StoreU(sums[v], tag, out + v * lanes);
    }
}

/// The rest of a row of float64, from column `first` on, when whole vectors are done: these rows have no padding.
HWY_INLINE void sum_rest(std::span<const Index> rows, std::span<const double> weights, DenseRows<double> in,
                         std::size_t first, double* out) {
    const hn::CappedTag<double, 1> one;
    for (std::size_t c = first; c < in.stride; ++c) {
        auto sum = hn::Zero(one);
        for (std::size_t k = 0; k < rows.size(); ++k) {
            sum = multiply_add(hn::Set(one, weights[k]), hn::Set(one, in.row(rows[k])[c]), sum);
        }
        out[c] = hn::GetLane(sum);
    }
}

template <class T>
HWY_INLINE void multiply_rows(const CsrMatrix<T>& a, Range range, const MultiVector<T>& in, MultiVector<T>& out) {
    const std::size_t lanes = hn::Lanes(RowTag<T>());
    const DenseRows<T> in_rows{in.row(0), in.stride()};
    for (auto i = static_cast<Index>(range.begin); i < range.end; ++i) {
        const auto rows = a.row_indices(i);
        const auto weights = a.row_values(i);
        std::size_t c = 0;
        for (; c + 4 * lanes <= in_rows.stride; c += 4 * lanes) {
            sum_strip<4, false>(rows, weights, in_rows.from(c), out.row(i) + c);
        }
        for (; c + lanes <= in_rows.stride; c += lanes) {
            sum_strip<1, false>(rows, weights, in_rows.from(c), out.row(i) + c);
        }
        if constexpr (std::same_as<T, double>) {
            sum_rest(rows, weights, in_rows, c, out.row(i));
        }
    }
}

void multiply_rows_float32(const CsrMatrix<float>& a, Range range, const MultiVector<float>& in,
                           MultiVector<float>& out) {
    multiply_rows(a, range, in, out);
}

void multiply_rows_float64(const CsrMatrix<double>& a, Range range, const MultiVector<double>& in,
                           MultiVector<double>& out) {
    multiply_rows(a, range, in, out);
}

void add_rows(std::span<const Index> rows, std::span<const double> weights, const DenseRows<double>& in, double* out) {
    constexpr std::size_t vectors_at_once = 8;
    const std::size_t lanes = hn::Lanes(RowTag<double>());
    std::size_t c = 0;
    for (; c + vectors_at_once * lanes <= in.stride; c += vectors_at_once * lanes) {
        sum_strip<vectors_at_once, true>(rows, weights, in.from(c), out + c);
    }
    for (; c < in.stride; c += lanes) {
        sum_strip<1, true>(rows, weights, in.from(c), out + c);
    }
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {

HWY_EXPORT(multiply_rows_float32);
HWY_EXPORT(multiply_rows_float64);
HWY_EXPORT(add_rows);

namespace {

constexpr std::size_t rows_in_block = 256;

}  // namespace

void multiply(const CsrMatrix<float>& a, const MultiVector<float>& in, MultiVector<float>& out,
              const RunContext& context) {
    parallel_blocks(context, a.rows, rows_in_block, [&](Range rows) {
        HWY_DYNAMIC_DISPATCH(multiply_rows_float32)(a, rows, in, out);
    });
}

void multiply(const CsrMatrix<double>& a, const MultiVector<double>& in, MultiVector<double>& out,
              const RunContext& context) {
    parallel_blocks(context, a.rows, rows_in_block, [&](Range rows) {
        HWY_DYNAMIC_DISPATCH(multiply_rows_float64)(a, rows, in, out);
    });
}

void add_rows(std::span<const Index> rows, std::span<const double> weights, const DenseRows<double>& in, double* out) {
    if (rows.empty()) {
        return;  // `in` may be no rows at all, whose null pointer may not be moved
    }
    HWY_DYNAMIC_DISPATCH(add_rows)(rows, weights, in, out);
}

}  // namespace isogon
#endif
