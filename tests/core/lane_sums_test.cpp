#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/random.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/lane_sums_test.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>
// After foreach_target, as it is compiled as often.
#include "core/lane_sums.hpp"

HWY_BEFORE_NAMESPACE();
namespace isogon::HWY_NAMESPACE {

/// Sum of x_i y_i - y_i^3, by `lanes` sums.
template <class Sums, class Number>
Sums sums_of_lanes(const Number* x, const Number* y, std::size_t size, std::size_t lanes) {
    const typename Sums::Tag tag;
    Sums sums;
    for (std::size_t k = 0; k < size; k += lanes) {
        sums.add([&](std::size_t lane, typename Sums::Vector sum) {
            const auto left = load_until(tag, x, k + lane, size);
            const auto right = load_until(tag, y, k + lane, size);
            return negative_multiply_add(hn::Mul(right, right), right, multiply_add(left, right, sum));
        });
    }
    return sums;
}

template <class Number, std::size_t lanes, std::size_t widest>
Number product_of_lanes(const Number* x, const Number* y, std::size_t size) {
    return sums_of_lanes<LaneSums<Number, lanes, widest>>(x, y, size, lanes).total();
}

/// The `which`-th of four sums that are folded together: of the arrays, of theirs without the last number, and so on.
float sum_of_four(const float* x, const float* y, std::size_t size, std::size_t which) {
    using Sums = LaneSums<float, 16>;
    const auto shorter = [&](std::size_t by) {
        return sums_of_lanes<Sums>(x, y, size < by ? 0 : size - by, 16).in_one();
    };
    const Sums::Vector vectors[] = {shorter(0), shorter(1), shorter(2), shorter(3)};
    float sums[4];
    fold_four(Sums::Tag(), vectors, sums);
    return sums[which];
}

float sum_of_16(const float* x, const float* y, std::size_t size) {
    return product_of_lanes<float, 16, 16>(x, y, size);
}

float sum_of_32(const float* x, const float* y, std::size_t size) {
    return product_of_lanes<float, 32, 8>(x, y, size);
}

double sum_of_8(const double* x, const double* y, std::size_t size) {
    return product_of_lanes<double, 8, 8>(x, y, size);
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {
HWY_EXPORT(sum_of_16);
HWY_EXPORT(sum_of_32);
HWY_EXPORT(sum_of_8);
HWY_EXPORT(sum_of_four);
}  // namespace isogon

namespace isogon::lane_sums_test {
namespace {

/// The definition of LaneSums in plain words: lane i has the terms i, i + lanes, ...; then halves are added.
template <class Number>
Number reference_sum(const std::vector<Number>& x, const std::vector<Number>& y, std::size_t lanes) {
    std::vector<Number> sums(lanes);
    for (std::size_t i = 0; i < (x.size() + lanes - 1) / lanes * lanes; ++i) {
        const Number left = i < x.size() ? x[i] : Number{0};
        const Number right = i < x.size() ? y[i] : Number{0};
        Number& sum = sums[i % lanes];
        sum = std::fma(-(right * right), right, std::fma(left, right, sum));
    }
    for (std::size_t half = lanes / 2; half > 0; half /= 2) {
        for (std::size_t i = 0; i < half; ++i) {
            sums[i] += sums[i + half];
        }
    }
    return sums[0];
}

template <class Number>
std::vector<Number> normal_numbers(std::size_t count, std::uint64_t seed) {
    Random random(seed, RandomStream::Test, 0);
    std::vector<Number> numbers(count);
    for (Number& number : numbers) {
        number = static_cast<Number>(random.normal());
    }
    return numbers;
}

template <class Number, class Call>
void expect_the_reference(std::size_t lanes, const Call& call) {
    for (const std::size_t size : {0U, 1U, 2U, 7U, 8U, 15U, 16U, 31U, 33U, 64U, 100U, 784U}) {
        const auto x = normal_numbers<Number>(size, size + 1);
        const auto y = normal_numbers<Number>(size, size + 2);
        for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
            hwy::SetSupportedTargetsForTest(target);
            EXPECT_EQ(call(x.data(), y.data(), size), reference_sum(x, y, lanes))
                << size << " numbers, " << hwy::TargetName(target);
        }
    }
    hwy::SetSupportedTargetsForTest(0);
}

TEST(LaneSums, HaveTheSameBitsOnEveryInstructionSet) {
    expect_the_reference<float>(16, [](auto... a) { return HWY_DYNAMIC_DISPATCH(sum_of_16)(a...); });
    expect_the_reference<float>(32, [](auto... a) { return HWY_DYNAMIC_DISPATCH(sum_of_32)(a...); });
    expect_the_reference<double>(8, [](auto... a) { return HWY_DYNAMIC_DISPATCH(sum_of_8)(a...); });
}

TEST(LaneSums, FourFoldedTogetherHaveTheBitsOfEachAlone) {
    const auto x = normal_numbers<float>(100, 1);
    const auto y = normal_numbers<float>(100, 2);
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        hwy::SetSupportedTargetsForTest(target);
        for (std::size_t which = 0; which < 4; ++which) {
            EXPECT_EQ(HWY_DYNAMIC_DISPATCH(sum_of_four)(x.data(), y.data(), 100, which),
                      HWY_DYNAMIC_DISPATCH(sum_of_16)(x.data(), y.data(), 100 - which))
                << hwy::TargetName(target);
        }
    }
    hwy::SetSupportedTargetsForTest(0);
}

}  // namespace
}  // namespace isogon::lane_sums_test
#endif
