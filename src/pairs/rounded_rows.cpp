#include "isogon/pairs/rounded_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "isogon/core/parallel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pairs/rounded_rows.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>
// After foreach_target, as it is compiled as often.
#include "isogon/core/lane_sums.hpp"

HWY_BEFORE_NAMESPACE();
namespace isogon::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Shorts = hn::CappedTag<std::int16_t, 32>;
using Integers = hn::RepartitionToWide<Shorts>;

/// Below 2^31 for all rows of RoundedRows: their lengths are at most 2^14.
HWY_INLINE std::int32_t square_of_difference(const std::int16_t* a, const std::int16_t* b, std::size_t stride) {
    const Shorts tag;
    auto sum = hn::Zero(Integers());
    auto other_sum = hn::Zero(Integers());
    for (std::size_t c = 0; c < stride; c += hn::Lanes(tag)) {
        const auto difference = hn::Sub(hn::Load(tag, a + c), hn::Load(tag, b + c));
        sum = hn::ReorderWidenMulAccumulate(Integers(), difference, difference, sum, other_sum);
    }
    return fold_lanes(Integers(), hn::Add(sum, other_sum));
}

std::size_t keep_near_rows(const std::int16_t* rows, std::size_t stride, const std::int32_t* bounds, Index i,
                           std::span<const Index> list, Index* near) {
    constexpr std::size_t ahead = 16;
    constexpr std::size_t line = 32;
    const std::int16_t* row = rows + std::size_t{i} * stride;
    const std::int32_t bound = bounds[i];
    std::size_t count = 0;
    for (std::size_t k = 0; k < list.size(); ++k) {
        if (k + ahead < list.size()) {
            for (std::size_t c = 0; c < stride; c += line) {
                hwy::Prefetch(rows + std::size_t{list[k + ahead]} * stride + c);
            }
        }
        const Index j = list[k];
        const std::int32_t square = square_of_difference(row, rows + std::size_t{j} * stride, stride);
        near[count] = j;  // without a branch
        count += static_cast<std::size_t>(square < (bound > bounds[j] ? bound : bounds[j]));
    }
    return count;
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {

HWY_EXPORT(keep_near_rows);

namespace {

constexpr double longest_rounded = 16000.0;  // so that differences fit into 16 bits, and their squares into 31
constexpr std::size_t rows_in_task = 1024;

double square_of(const float* row, std::size_t numbers) {
    double sum = 0.0;
    for (std::size_t k = 0; k < numbers; ++k) {
        sum += double{row[k]} * double{row[k]};
    }
    return sum;
}

/// Infinite where a row is not finite.
double longest_square(const MultiVector<float>& y, const RunContext& context) {
    std::vector<double> longest(block_count(y.rows(), rows_in_task));
    parallel_blocks(context, y.rows(), rows_in_task, [&](Range rows) {
        double& most = longest[rows.begin / rows_in_task];
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            const double square = square_of(y.row(i), y.columns());
            most = std::max(most, std::isfinite(square) ? square : std::numeric_limits<double>::infinity());
        }
    });
    return *std::ranges::max_element(longest);
}

}  // namespace

std::size_t RoundedRows::stride_for(std::size_t numbers) {
    constexpr std::size_t line = 32;
    return block_count(numbers, line) * line;
}

void RoundedRows::set(const MultiVector<float>& y, std::span<const float> squared_radii, const RunContext& context) {
    if (bounds_.size() != y.rows() || stride_ != stride_for(y.columns())) {
        stride_ = stride_for(y.columns());
        rows_ = AlignedArray<std::int16_t>(y.rows() * stride_);
        bounds_.resize(y.rows());
    }
    const double longest = std::sqrt(longest_square(y, context));
    are_finite_ = std::isfinite(longest);
    const double inverse = are_finite_ && longest > 0.0 ? longest_rounded / longest : 0.0;
    const double error = 0.501 * std::sqrt(static_cast<double>(y.columns()));
    parallel_blocks(context, y.rows(), rows_in_task, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            const float* from = y.row(i);
            for (std::size_t k = 0; k < y.columns() && are_finite_; ++k) {
                rows_.data()[i * stride_ + k] = static_cast<std::int16_t>(std::lrint(double{from[k]} * inverse));
            }
            constexpr double rounding_up = 1.0 + 1e-5;  // of squares in float32
            // In units of s.
            const double reach = rounding_up * inverse * std::sqrt(double{squared_radii[i]}) + 2.0 * error;
            constexpr double most = std::numeric_limits<std::int32_t>::max();
            bounds_[i] = static_cast<std::int32_t>(std::min(most, std::ceil(reach * reach)));
        }
    });
}

std::size_t RoundedRows::keep_near(Index i, std::span<const Index> list, Index* near) const {
    if (!are_finite_) {
        std::ranges::copy(list, near);
        return list.size();
    }
    return HWY_DYNAMIC_DISPATCH(keep_near_rows)(rows_.data(), stride_, bounds_.data(), i, list, near);
}

std::uint64_t RoundedRows::bytes(Index count, Index dimension) {
    return count * (stride_for(dimension) * sizeof(std::int16_t) + sizeof(std::int32_t));
}

}  // namespace isogon
#endif
