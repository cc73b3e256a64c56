#include "pairs/rounded_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/parallel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pairs/rounded_rows.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>
// After foreach_target, as it is compiled as often.
#include "core/lane_sums.hpp"

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

std::size_t keep_near_rows(const RoundedRows::View& of, Index i, std::span<const Index> list, Index* near) {
    const auto [rows, stride, bounds] = of;
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

std::size_t keep_near_pairs(const RoundedRows::View& of, std::span<ListedPair> pairs) {
    const auto [rows, stride, bounds] = of;
    constexpr std::size_t ahead = 8;
    constexpr std::size_t line = 32;
    std::size_t count = 0;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        if (k + ahead < pairs.size()) {
            const ListedPair& next = pairs[k + ahead];
            for (std::size_t c = 0; c < stride; c += line) {
                hwy::Prefetch(rows + std::size_t{next.i} * stride + c);
                hwy::Prefetch(rows + std::size_t{next.j} * stride + c);
            }
        }
        const auto [i, j] = pairs[k];
        const std::int32_t square =
            square_of_difference(rows + std::size_t{i} * stride, rows + std::size_t{j} * stride, stride);
        pairs[count] = {i, j};  // without a branch
        count += static_cast<std::size_t>(square < (bounds[i] > bounds[j] ? bounds[i] : bounds[j]));
    }
    return count;
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {

HWY_EXPORT(keep_near_rows);
HWY_EXPORT(keep_near_pairs);

namespace {

constexpr double longest_rounded = 16000.0;  // so that differences fit into 16 bits, and their squares into 31
constexpr std::size_t rows_in_task = 1024;

/// In several sums: each addition to a single one depends on the one before.
double square_of(std::span<const float> row) {
    constexpr std::size_t at_once = 8;
    std::array<double, at_once> sums{};
    std::size_t first = 0;
    for (; first + at_once <= row.size(); first += at_once) {
        for (std::size_t k = 0; k < at_once; ++k) {
            sums[k] += double{row[first + k]} * double{row[first + k]};
        }
    }
    for (; first < row.size(); ++first) {
        sums.front() += double{row[first]} * double{row[first]};
    }
    return std::accumulate(sums.begin(), sums.end(), 0.0);
}

/// Infinite where a row is not finite.
double longest_square(const PointsView& y, const RunContext& context) {
    std::vector<double> longest(block_count(y.count, rows_in_task));
    parallel_blocks(context, y.count, rows_in_task, [&](Range rows) {
        double& most = longest[rows.begin / rows_in_task];
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            const double square = square_of(y[static_cast<Index>(i)]);
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

std::int32_t RoundedRows::bound_of(double radius) const {
    constexpr double rounding_up = 1.0 + 1e-5;  // of squares in float32
    constexpr double largest_bound = std::numeric_limits<std::int32_t>::max();
    const double reach = rounding_up * inverse_ * radius + 2.0 * error_;
    return static_cast<std::int32_t>(std::min(largest_bound, std::ceil(reach * reach)));
}

void RoundedRows::set(const PointsView& y, std::span<const float> squared_radii, const RunContext& context) {
    set_shape(y.count, y.dimension, std::sqrt(longest_square(y, context)));
    parallel_blocks(context, y.count, rows_in_task, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            set_row(i, y[static_cast<Index>(i)]);
            bounds_[i] = bound_of(std::sqrt(double{squared_radii[i]}));
        }
    });
}

void RoundedRows::set(Index dimension, double longest, const WriteRow& write, std::span<const float> squared_radii,
                      const RunContext& context) {
    set_shape(squared_radii.size(), dimension, longest);
    parallel_blocks(context, squared_radii.size(), rows_in_task, [&](Range rows) {
        std::vector<float> row(dimension);
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            write(static_cast<Index>(i), row);
            set_row(i, row);
            bounds_[i] = bound_of(std::sqrt(double{squared_radii[i]}));
        }
    });
}

void RoundedRows::set_shape(std::size_t count, Index dimension, double longest) {
    if (bounds_.size() != count || stride_ != stride_for(dimension)) {
        stride_ = stride_for(dimension);
        rows_ = AlignedArray<std::int16_t>(count * stride_);
        bounds_.resize(count);
    }
    are_finite_ = std::isfinite(longest);
    inverse_ = are_finite_ && longest > 0.0 ? longest_rounded / longest : 0.0;
    error_ = 0.501 * std::sqrt(static_cast<double>(dimension));
}

void RoundedRows::set_row(std::size_t i, std::span<const float> row) {
    for (std::size_t k = 0; k < row.size() && are_finite_; ++k) {
        rows_.data()[i * stride_ + k] = static_cast<std::int16_t>(std::lrint(double{row[k]} * inverse_));
    }
}

std::size_t RoundedRows::keep_near(Index i, std::span<const Index> list, Index* near) const {
    if (!are_finite_) {
        std::ranges::copy(list, near);
        return list.size();
    }
    return HWY_DYNAMIC_DISPATCH(keep_near_rows)(view(), i, list, near);
}

std::size_t RoundedRows::keep_near(std::span<ListedPair> pairs) const {
    if (!are_finite_) {
        return pairs.size();
    }
    return HWY_DYNAMIC_DISPATCH(keep_near_pairs)(view(), pairs);
}

std::uint64_t RoundedRows::bytes(Index count, Index dimension) {
    return count * (stride_for(dimension) * sizeof(std::int16_t) + sizeof(std::int32_t));
}

}  // namespace isogon
#endif
