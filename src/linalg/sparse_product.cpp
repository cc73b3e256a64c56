#include "linalg/sparse_algebra.hpp"

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

// At most 16 lanes: rows of blocks are padded to that.
using Floats = hn::CappedTag<float, 16>;

/// `vectors` vectors of a row of the product, held in registers while the entries go by.
template <std::size_t vectors>
void multiply_strip(const Index* columns, const float* weights, std::size_t entries, const float* HWY_RESTRICT in,
                    std::size_t stride, float* HWY_RESTRICT out) {
    const Floats tag;
    const std::size_t lanes = hn::Lanes(tag);
    hn::Vec<Floats> sums[vectors];
    for (auto& sum : sums) {
        sum = hn::Zero(tag);
    }
    for (std::size_t k = 0; k < entries; ++k) {
        const float* row = in + columns[k] * stride;
        const auto weight = hn::Set(tag, weights[k]);
        for (std::size_t v = 0; v < vectors; ++v) {
            sums[v] = multiply_add(weight, hn::Load(tag, row + v * lanes), sums[v]);
        }
    }
    for (std::size_t v = 0; v < vectors; ++v) {
        hn::Store(sums[v], tag, out + v * lanes);
    }
}

void multiply_rows(const CsrMatrix<float>& a, std::size_t begin, std::size_t end, const MultiVector<float>& in,
                   MultiVector<float>& out) {
    const std::size_t lanes = hn::Lanes(Floats());
    const std::size_t stride = in.stride();
    for (std::size_t i = begin; i < end; ++i) {
        const Index* columns = a.indices.data() + a.offsets[i];
        const float* weights = a.values.data() + a.offsets[i];
        const std::size_t entries = a.offsets[i + 1] - a.offsets[i];
        std::size_t k = 0;
        for (; k + 4 * lanes <= stride; k += 4 * lanes) {
            multiply_strip<4>(columns, weights, entries, in.row(0) + k, stride, out.row(i) + k);
        }
        for (; k < stride; k += lanes) {
            multiply_strip<1>(columns, weights, entries, in.row(0) + k, stride, out.row(i) + k);
        }
    }
}

using Doubles = hn::ScalableTag<double>;

/// `vectors` vectors of a row of the product, without padding: rows begin anywhere.
template <std::size_t vectors>
void multiply_float64_strip(const Index* columns, const double* weights, std::size_t entries,
                            const double* HWY_RESTRICT in, std::size_t stride, double* HWY_RESTRICT out) {
    const Doubles tag;
    const std::size_t lanes = hn::Lanes(tag);
    hn::Vec<Doubles> sums[vectors];
    for (auto& sum : sums) {
        sum = hn::Zero(tag);
    }
    for (std::size_t k = 0; k < entries; ++k) {
        const double* row = in + columns[k] * stride;
        const auto weight = hn::Set(tag, weights[k]);
        for (std::size_t v = 0; v < vectors; ++v) {
            sums[v] = multiply_add(weight, hn::LoadU(tag, row + v * lanes), sums[v]);
        }
    }
    for (std::size_t v = 0; v < vectors; ++v) {
        hn::StoreU(sums[v], tag, out + v * lanes);
    }
}

/// The rest of a row when whole vectors are done.
void multiply_float64_rest(const Index* columns, const double* weights, std::size_t entries,
                           const double* HWY_RESTRICT in, std::size_t stride, std::size_t count,
                           double* HWY_RESTRICT out) {
    const hn::CappedTag<double, 1> one;
    for (std::size_t c = 0; c < count; ++c) {
        auto sum = hn::Zero(one);
        for (std::size_t k = 0; k < entries; ++k) {
            sum = multiply_add(hn::Set(one, weights[k]), hn::Set(one, in[columns[k] * stride + c]), sum);
        }
        out[c] = hn::GetLane(sum);
    }
}

void multiply_float64_rows(const CsrMatrix<double>& a, std::size_t begin, std::size_t end,
                           const MultiVector<double>& in, MultiVector<double>& out) {
    const std::size_t lanes = hn::Lanes(Doubles());
    const std::size_t stride = in.columns();
    for (std::size_t i = begin; i < end; ++i) {
        const Index* columns = a.indices.data() + a.offsets[i];
        const double* weights = a.values.data() + a.offsets[i];
        const std::size_t entries = a.offsets[i + 1] - a.offsets[i];
        std::size_t k = 0;
        for (; k + 4 * lanes <= stride; k += 4 * lanes) {
            multiply_float64_strip<4>(columns, weights, entries, in.row(0) + k, stride, out.row(i) + k);
        }
        for (; k + lanes <= stride; k += lanes) {
            multiply_float64_strip<1>(columns, weights, entries, in.row(0) + k, stride, out.row(i) + k);
        }
        multiply_float64_rest(columns, weights, entries, in.row(0) + k, stride, stride - k, out.row(i) + k);
    }
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {

HWY_EXPORT(multiply_rows);
HWY_EXPORT(multiply_float64_rows);

namespace {

constexpr std::size_t rows_in_block = 256;

}  // namespace

void multiply(const CsrMatrix<float>& a, const MultiVector<float>& in, MultiVector<float>& out,
              const RunContext& context) {
    parallel_blocks(context, a.rows, rows_in_block, [&](Range rows) {
        HWY_DYNAMIC_DISPATCH(multiply_rows)(a, rows.begin, rows.end, in, out);
    });
}

void multiply(const CsrMatrix<double>& a, const MultiVector<double>& in, MultiVector<double>& out,
              const RunContext& context) {
    parallel_blocks(context, a.rows, rows_in_block, [&](Range rows) {
        HWY_DYNAMIC_DISPATCH(multiply_float64_rows)(a, rows.begin, rows.end, in, out);
    });
}

}  // namespace isogon
#endif
