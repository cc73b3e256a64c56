#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

namespace isogon {

/// a b + c, rounded once, on processors that have no such operation: std::fma for float64, and for float32, where that
/// takes a hundred cycles, the sum in float64. There the product is exact, and the sum is rounded to odd: where it is
/// not exact, to the one of the two nearest numbers whose last bit is set. The second rounding, to float32, then
/// gives what one rounding gives (Boldo and Melquiond, Emulation of FMA and correctly rounded sums, 2008, theorem 1).
[[nodiscard]] inline double fused_multiply_add(double a, double b, double c) {
    return std::fma(a, b, c);
}

[[nodiscard]] inline float fused_multiply_add(float a, float b, float c) {
    const double product = double{a} * double{b};
    const double sum = product + double{c};
    // Knuth's two-sum: what `sum` lacks; NaN where it is not finite.
    const double part = sum - product;
    const double lack = (product - (sum - part)) + (double{c} - part);
    auto bits = std::bit_cast<std::uint64_t>(sum);
    if ((lack > 0.0 || lack < 0.0) && (bits & 1U) == 0) {
        bits += (lack > 0.0) == (sum > 0.0) ? std::uint64_t{1} : ~std::uint64_t{0};
    }
    return static_cast<float>(std::bit_cast<double>(bits));
}

}  // namespace isogon
