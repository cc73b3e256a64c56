#include "graph/difference_gram.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "graph/difference_rows.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>
// After foreach_target, as it is compiled as often.
#include "core/lane_sums.hpp"

HWY_BEFORE_NAMESPACE();
namespace isogon::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// At most 8 lanes: differences are padded to that.
using Doubles = hn::CappedTag<double, 8>;
using Vector = hn::Vec<Doubles>;

using Sums = LaneSums<double, 8>;

// Sums must fit the registers with what is multiplied: 16 and 5 of 32 with AVX-512, 8 and 4 of 16 with AVX2, where a
// sum takes two.
#if HWY_TARGET <= HWY_AVX3
constexpr std::size_t at_once = 4;
#else
constexpr std::size_t at_once = 2;
#endif

// 50 rows of a chunk are 200 kB, which the second-level cache holds.
constexpr std::size_t depth_at_once = 512;

void subtract(const float* y, const float* x, std::size_t size, double* HWY_RESTRICT difference) {
    const Doubles tag;
    const hn::Rebind<float, Doubles> narrow;
    const std::size_t lanes = hn::Lanes(tag);
    std::size_t k = 0;
    for (; k + lanes <= size; k += lanes) {
        const Vector left = hn::PromoteTo(tag, hn::LoadU(narrow, y + k));
        const Vector right = hn::PromoteTo(tag, hn::LoadU(narrow, x + k));
        hn::Store(hn::Sub(left, right), tag, difference + k);
    }
    for (; k < size; ++k) {
        difference[k] = double{y[k]} - double{x[k]};
    }
}

/// products[i][j] of at_once x at_once vectors over `depth` components.
HWY_INLINE void multiply_block(const double* left, const double* right, std::size_t stride, std::size_t depth,
                               double (&products)[at_once][at_once]) {
    const Doubles tag;
    Sums sums[at_once][at_once];
    for (std::size_t k = 0; k < depth; k += 8) {
#pragma GCC unroll 4
        for (std::size_t i = 0; i < at_once; ++i) {
#pragma GCC unroll 4
            for (std::size_t j = 0; j < at_once; ++j) {
                sums[i][j].add([&](std::size_t lane, Vector sum) {
                    return multiply_add(hn::Load(tag, left + i * stride + k + lane),
                                        hn::Load(tag, right + j * stride + k + lane), sum);
                });
            }
        }
    }
    for (std::size_t i = 0; i < at_once; ++i) {
        for (std::size_t j = 0; j < at_once; ++j) {
            products[i][j] = sums[i][j].total();
        }
    }
}

/// Some rows of the lower triangle of all products, whose columns are `rows` numbers.
void multiply_rows(const DifferenceRows& vectors, Range some, double* HWY_RESTRICT gram, std::size_t rows) {
    const std::size_t stride = vectors.stride();
    const double* first = vectors.row(0);
    double products[at_once][at_once];
    for (std::size_t k = 0; k == 0 || k < stride; k += depth_at_once) {
        const std::size_t depth = stride - k < depth_at_once ? stride - k : depth_at_once;
        for (std::size_t i = some.begin; i < some.end; i += at_once) {
            for (std::size_t j = 0; j <= i; j += at_once) {
                multiply_block(first + i * stride + k, first + j * stride + k, stride, depth, products);
                for (std::size_t a = 0; a < at_once; ++a) {
                    for (std::size_t b = 0; b < at_once; ++b) {
                        double& sum = gram[(j + b) * rows + i + a];
                        sum = k > 0 ? sum + products[a][b] : products[a][b];
                    }
                }
            }
        }
    }
}

/// Products of `count` of the chosen vectors with another, in the order of multiply_block.
template <std::size_t count>
HWY_INLINE void multiply_few(const double* vectors, const Index* chosen, const double* other, std::size_t stride,
                             double* HWY_RESTRICT products) {
    const Doubles tag;
    for (std::size_t k = 0; k == 0 || k < stride; k += depth_at_once) {
        const std::size_t end = stride - k < depth_at_once ? stride : k + depth_at_once;
        Sums sums[count];
        const double* rows[count];
#pragma GCC unroll 4
        for (std::size_t i = 0; i < count; ++i) {
            rows[i] = vectors + chosen[i] * stride;
        }
        for (std::size_t c = k; c < end; c += 8) {
#pragma GCC unroll 4
            for (std::size_t i = 0; i < count; ++i) {
                sums[i].add([&](std::size_t lane, Vector sum) {
                    return multiply_add(hn::Load(tag, rows[i] + c + lane), hn::Load(tag, other + c + lane), sum);
                });
            }
        }
        for (std::size_t i = 0; i < count; ++i) {
            const double sum = sums[i].total();
            products[i] = k > 0 ? products[i] + sum : sum;
        }
    }
}

void multiply_chosen(const DifferenceRows& vectors, std::span<const Index> chosen, const double* other,
                     double* products) {
    constexpr std::size_t rows_at_once = 4;
    const double* first = vectors.row(0);
    std::size_t i = 0;
    for (; i + rows_at_once <= chosen.size(); i += rows_at_once) {
        multiply_few<rows_at_once>(first, chosen.data() + i, other, vectors.stride(), products + i);
    }
    for (; i < chosen.size(); ++i) {
        multiply_few<1>(first, chosen.data() + i, other, vectors.stride(), products + i);
    }
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {

HWY_EXPORT(subtract);
HWY_EXPORT(multiply_rows);
HWY_EXPORT(multiply_chosen);

DifferenceRows::DifferenceRows(std::size_t rows, Index dimension)
    : rows_(rows),
      lines_of_row_((std::size_t{dimension} + numbers_in_line - 1) / numbers_in_line),
      lines_(padded(rows) * lines_of_row_) {}

std::uint64_t DifferenceRows::bytes(std::size_t rows, Index dimension) {
    return padded(rows) * (std::uint64_t{dimension} + numbers_in_line - 1) * sizeof(double);
}

void DifferenceRows::set(std::size_t i, std::span<const float> y, std::span<const float> x) {
    HWY_DYNAMIC_DISPATCH(subtract)(y.data(), x.data(), y.size(), lines_[i * lines_of_row_].numbers.data());
}

void DifferenceRows::multiply(Range rows, double* gram, std::size_t stride) const {
    HWY_DYNAMIC_DISPATCH(multiply_rows)(*this, rows, gram, stride);
}

void DifferenceRows::multiply(std::span<const Index> chosen, const DifferenceRows& w, double* products) const {
    HWY_DYNAMIC_DISPATCH(multiply_chosen)(*this, chosen, w.row(0), products);
}

}  // namespace isogon
#endif
