#include "core/trigonometry.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "core/unrounded_sum.hpp"

namespace isogon::elementary {

namespace {

/// sin(x + low) for |x| <= pi / 4, by Taylor's series to degree 17.
double sine_near_zero(const Sum& x) {
    const double x2 = x.high * x.high;
    const double x4 = x2 * x2;
    const double series = polynomial(x4, -1.0 / 6, -1.0 / 5040, -1.0 / 39916800, -1.0 / 1307674368000) +
                          x2 * polynomial(x4, 1.0 / 120, 1.0 / 362880, 1.0 / 6227020800, 1.0 / 355687428096000);
    return x.high + (x.high * x2 * series + x.low * (1.0 - 0.5 * x2));
}

/// cos(x + low) for |x| <= pi / 4, by Taylor's series to degree 16.
double cosine_near_zero(const Sum& x) {
    const double x2 = x.high * x.high;
    const double x4 = x2 * x2;
    const double series = polynomial(x4, 1.0 / 24, 1.0 / 40320, 1.0 / 479001600, 1.0 / 20922789888000) -
                          x2 * polynomial(x4, 1.0 / 720, 1.0 / 3628800, 1.0 / 87178291200);
    const Sum quadratic = sum_of_ordered(1.0, -0.5 * x2);
    return quadratic.high + (quadratic.low + (x4 * series - x.high * x.low));
}

/// x as a multiple of pi / 2 and a rest of at most pi / 4.
struct Angle {
    std::int64_t quarters = 0;
    Sum rest;
};

/// For finite x. pi / 2 is subtracted in parts of 33 bits (Cody and Waite 1980, chapter 8): their products with an
/// integer of 20 bits are exact.
Angle reduced(double x) {
    constexpr double farthest = 0x1p20;
    if (std::abs(x) > farthest) {
        x = std::remainder(x, 2.0 * std::numbers::pi);
    }
    const double n = nearest_integer(x * (2.0 / std::numbers::pi));
    const double first = x - n * 0x1.921fb544p+0;  // exact: n = 0, or one is at most twice the other (Sterbenz)
    const Sum second = sum_of(first, -n * 0x1.0b4611a6p-34);
    const Sum third = sum_of(second.high, -n * 0x1.3198a2ep-69);
    const double low = (second.low + third.low) - n * 0x1.b839a252049c1p-104;
    return {static_cast<std::int64_t>(n), sum_of_ordered(third.high, low)};
}

/// The sine of x plus a multiple of pi / 2.
double sine_after(std::int64_t quarters, double x) {
    if (!std::isfinite(x)) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const Angle angle = reduced(x);
    const auto turned = static_cast<std::uint64_t>(angle.quarters + quarters);
    const double value = turned % 2 == 0 ? sine_near_zero(angle.rest) : cosine_near_zero(angle.rest);
    return turned % 4 < 2 ? value : -value;
}

/// (asin(x) - x) / x for x^2 <= 1/4: x^2 times the polynomial that interpolates at 13 Chebyshev nodes, relative
/// error of asin 6e-18.
double arcsine_excess(double x2) {
    const double x4 = x2 * x2;
    const double even =
        polynomial(x4, 0x1.5555555555556p-3, 0x1.6db6db6e31f13p-5, 0x1.6e8bb1c8209a2p-6, 0x1.c9cf07674736ap-7,
                   0x1.52420b04b37bep-7, 0x1.1d189408314eep-6, 0x1.d72b2bc8155f8p-6);
    const double odd = polynomial(x4, 0x1.3333333332ecap-4, 0x1.f1c71c1db0623p-6, 0x1.1c4d35cf95421p-6,
                                  0x1.782651caa6547p-7, 0x1.65a9c4dfcf8b2p-8, -0x1.e6aaa8a0a04ccp-7);
    return x2 * (even + x2 * odd);
}

/// acos(x) for 1/2 <= x < 1: 2 asin(s) with s = sqrt((1 - x) / 2).
Sum arccosine_near_one(double x) {
    const double s2 = 0.5 * (1.0 - x);  // exact
    const double s = std::sqrt(s2);
    const Sum square = product_of(s, s);
    const double missing = ((s2 - square.high) - square.low) / (2.0 * s);  // the root's error, by a Newton step
    return {2.0 * s, 2.0 * (missing + s * arcsine_excess(s2))};
}

constexpr Sum half_pi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

/// quarters pi / 2 - x
double difference_to_quarters(double quarters, const Sum& x) {
    const Sum high = sum_of_ordered(quarters * half_pi.high, -x.high);
    return high.high + (high.low + (quarters * half_pi.low - x.low));
}

}  // namespace

double sin(double x) {
    constexpr double tiny = 0x1p-27;  // keeps the sign of 0, too
    return std::abs(x) < tiny ? x : sine_after(0, x);
}

double cos(double x) {
    return sine_after(1, x);
}

double tan(double x) {
    return sin(x) / cos(x);
}

double asin(double x) {
    const double size = std::abs(x);
    if (!(size <= 1.0)) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    if (size == 1.0) {
        return std::copysign(half_pi.high, x);
    }
    return size <= 0.5 ? x + x * arcsine_excess(x * x)
                       : std::copysign(difference_to_quarters(1.0, arccosine_near_one(size)), x);
}

double acos(double x) {
    if (!(std::abs(x) <= 1.0)) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    if (std::abs(x) == 1.0) {
        return x > 0.0 ? 0.0 : std::numbers::pi;
    }
    if (x > 0.5) {
        const Sum value = arccosine_near_one(x);
        return value.high + value.low;
    }
    if (x < -0.5) {
        return difference_to_quarters(2.0, arccosine_near_one(-x));
    }
    return difference_to_quarters(1.0, {x, x * arcsine_excess(x * x)});
}

}  // namespace isogon::elementary
