#include "graph/difference_gram.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "graph/difference_gram.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isogon::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// At most 8 lanes: differences are padded to that.
using Doubles = hn::CappedTag<double, 8>;
using Vector = hn::Vec<Doubles>;

// Sums must fit the registers with what is multiplied: 16 and 5 of 32 with AVX-512, 8 and 5 of 16 below it.
constexpr std::size_t rows_at_once = 4;
#if HWY_TARGET <= HWY_AVX3
constexpr std::size_t columns_at_once = 4;
#else
constexpr std::size_t columns_at_once = 2;
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

/// rows_at_once x columns_at_once products over `depth` components, added to what is there if `add`.
HWY_INLINE void multiply_block(const double* left, const double* right, std::size_t stride, std::size_t depth,
                               double* HWY_RESTRICT gram, std::size_t rows, bool add) {
    const Doubles tag;
    Vector sums[rows_at_once][columns_at_once];
#pragma GCC unroll 4
    for (auto& row : sums) {
#pragma GCC unroll 4
        for (auto& sum : row) {
            sum = hn::Zero(tag);
        }
    }
    for (std::size_t k = 0; k < depth; k += hn::Lanes(tag)) {
        Vector columns[columns_at_once];
#pragma GCC unroll 4
        for (std::size_t j = 0; j < columns_at_once; ++j) {
            columns[j] = hn::Load(tag, right + j * stride + k);
        }
#pragma GCC unroll 4
        for (std::size_t i = 0; i < rows_at_once; ++i) {
            const Vector row = hn::Load(tag, left + i * stride + k);
#pragma GCC unroll 4
            for (std::size_t j = 0; j < columns_at_once; ++j) {
                sums[i][j] = hn::MulAdd(row, columns[j], sums[i][j]);
            }
        }
    }
    for (std::size_t i = 0; i < rows_at_once; ++i) {
        for (std::size_t j = 0; j < columns_at_once; ++j) {
            const double sum = hn::GetLane(hn::SumOfLanes(tag, sums[i][j]));
            gram[j * rows + i] = add ? gram[j * rows + i] + sum : sum;
        }
    }
}

/// The lower triangle of the products of `rows` vectors of `stride` components.
void multiply_all(const double* vectors, std::size_t rows, std::size_t stride, double* gram) {
    for (std::size_t k = 0; k == 0 || k < stride; k += depth_at_once) {
        const std::size_t depth = stride - k < depth_at_once ? stride - k : depth_at_once;
        for (std::size_t i = 0; i < rows; i += rows_at_once) {
            for (std::size_t j = 0; j <= i + rows_at_once - columns_at_once; j += columns_at_once) {
                multiply_block(vectors + i * stride + k, vectors + j * stride + k, stride, depth, gram + j * rows + i,
                               rows, k > 0);
            }
        }
    }
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {

HWY_EXPORT(subtract);
HWY_EXPORT(multiply_all);

namespace {

constexpr std::size_t multiple_of_rows = 4;

}  // namespace

DifferenceGram::DifferenceGram(Index neighbors, Index dimension)
    : rows_((std::size_t{neighbors} + multiple_of_rows - 1) / multiple_of_rows * multiple_of_rows),
      lines_((std::size_t{dimension} + numbers_in_line - 1) / numbers_in_line),
      differences_(rows_ * lines_),
      gram_(rows_ * rows_) {}

std::uint64_t DifferenceGram::bytes(Index neighbors, Index dimension) {
    const std::uint64_t rows = std::uint64_t{neighbors} + multiple_of_rows - 1;
    return rows * (std::uint64_t{dimension} + numbers_in_line - 1 + rows) * sizeof(double);
}

void DifferenceGram::fill(std::span<const float> row, const PointsView& points, std::span<const Index> neighbors) {
    for (std::size_t j = 0; j < neighbors.size(); ++j) {
        HWY_DYNAMIC_DISPATCH(subtract)
        (row.data(), points[neighbors[j]].data(), row.size(), differences_[j * lines_].numbers.data());
    }
    HWY_DYNAMIC_DISPATCH(multiply_all)
    (differences_.front().numbers.data(), rows_, lines_ * numbers_in_line, gram_.data());
}

}  // namespace isogon
#endif
