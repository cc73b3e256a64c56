#include "core/elementary.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "core/unrounded_sum.hpp"

namespace isogon::elementary {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

double times_power_of_two(double x, int exponent) {
    constexpr int bias = 1023;
    if (exponent > bias || exponent < 1 - bias) {
        return std::ldexp(x, exponent);
    }
    return x * std::bit_cast<double>(static_cast<std::uint64_t>(bias + exponent) << 52U);
}

// log 2: 42 bits, so that products with an exponent of 11 bits are exact, and the next 53.
constexpr Sum log_of_2{0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45};

/// exp(x + low) for |x| <= 800. With x = k log 2 + r, Taylor's series of exp(r), |r| <= log(2) / 2 (Cody and Waite
/// 1980, Software manual for the elementary functions, chapter 6, reduce so too).
double exp_of_sum(double x, double low) {
    const double k = nearest_integer(x * std::numbers::log2e);
    const Sum r = sum_of(x - k * log_of_2.high, low - k * log_of_2.low);
    const double r2 = r.high * r.high;
    // (exp(r) - 1 - r) / r^2 to degree 11, even and odd powers apart, which a processor computes side by side.
    const double even = polynomial(r2, 1.0 / 2, 1.0 / 24, 1.0 / 720, 1.0 / 40320, 1.0 / 3628800, 1.0 / 479001600);
    const double odd = polynomial(r2, 1.0 / 6, 1.0 / 120, 1.0 / 5040, 1.0 / 362880, 1.0 / 39916800, 1.0 / 6227020800);
    const Sum linear = sum_of_ordered(1.0, r.high);
    const double rest = linear.low + (r.low + r2 * (even + r.high * odd));
    return times_power_of_two(linear.high + rest, static_cast<int>(k));
}

/// log(x) for finite x > 0, to 2^-55 of its size. With x = 2^k (1 + f), 1 + f between sqrt(1/2) and sqrt(2), and
/// s = f / (2 + f): log(1 + f) = 2 artanh(s) = 2 s + 2 s^3 / 3 + 2 s^5 / 5 + ... Because 2 s = f - f^2 / 2 + s f^2 / 2,
/// only small terms are rounded.
Sum logarithm(double x) {
    int exponent = 0;
    double m = std::frexp(x, &exponent);
    const bool small = m < std::numbers::sqrt2 / 2.0;
    m = small ? 2.0 * m : m;
    const double k = small ? exponent - 1 : exponent;
    const double f = m - 1.0;
    const double s = f / (2.0 + f);
    const double s2 = s * s;
    const double s4 = s2 * s2;
    const double series = polynomial(s4, 2.0 / 3, 2.0 / 7, 2.0 / 11, 2.0 / 15, 2.0 / 19) +
                          s2 * polynomial(s4, 2.0 / 5, 2.0 / 9, 2.0 / 13, 2.0 / 17, 2.0 / 21);
    const Sum square = product_of(f, f);
    const Sum linear = sum_of_ordered(k * log_of_2.high, f);
    const Sum quadratic = sum_of_ordered(linear.high, -0.5 * square.high);
    const double cubic = s * (0.5 * square.high + s2 * series);
    const double rest = (linear.low + quadratic.low) + (k * log_of_2.low - 0.5 * square.low) + cubic;
    return sum_of_ordered(quadratic.high, rest);
}

bool has_logarithm(double x) {
    return x > 0.0 && x < infinity;
}

/// The logarithm of x outside the domain of `logarithm`.
double special_logarithm(double x) {
    return x == 0.0 ? -infinity : x > 0.0 ? x : not_a_number;
}

/// log(x) factor, rounded once: the logarithm of a power of the base is an integer.
double scaled_logarithm(double x, const Sum& factor) {
    if (!has_logarithm(x)) {
        return special_logarithm(x);
    }
    const Sum logarithm_of_x = logarithm(x);
    const Sum product = product_of(logarithm_of_x.high, factor.high);
    return product.high + (product.low + logarithm_of_x.high * factor.low + logarithm_of_x.low * factor.high);
}

}  // namespace

double exp(double x) {
    constexpr double beyond = 800.0;  // all float64 numbers
    if (!(std::abs(x) < beyond)) {
        return x > 0.0 ? infinity : x < 0.0 ? 0.0 : not_a_number;
    }
    return exp_of_sum(x, 0.0);
}

double log(double x) {
    return has_logarithm(x) ? logarithm(x).high : special_logarithm(x);
}

double log2(double x) {
    return scaled_logarithm(x, {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56});
}

double log10(double x) {
    return scaled_logarithm(x, {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57});
}

double log1p(double x) {
    const Sum one_more = sum_of(1.0, x);
    if (!has_logarithm(one_more.high)) {
        return special_logarithm(one_more.high);
    }
    const Sum of_high = logarithm(one_more.high);
    return of_high.high + (of_high.low + one_more.low / one_more.high);
}

double pow(double x, double exponent) {
    if (x == 1.0 || exponent == 0.0) {
        return 1.0;
    }
    if (!(x >= 0.0) || std::isnan(exponent)) {
        return not_a_number;
    }
    if (!has_logarithm(x) || std::isinf(exponent)) {
        return (x > 1.0) == (exponent > 0.0) ? infinity : 0.0;
    }
    constexpr double beyond = 800.0;  // the logarithm of all float64 numbers
    const Sum of_x = logarithm(x);
    const double rounded = exponent * of_x.high;
    if (std::abs(rounded) >= beyond) {
        return rounded > 0.0 ? infinity : 0.0;
    }
    const Sum product = product_of(exponent, of_x.high);
    return exp_of_sum(product.high, product.low + exponent * of_x.low);
}

namespace {

double repeated_product(double x, unsigned int factors) {
    double product = 1.0;
    for (double square = x; factors > 0; square *= square, factors /= 2) {
        product *= factors % 2 == 1 ? square : 1.0;
    }
    return product;
}

}  // namespace

double integer_power(double x, int exponent) {
    const unsigned int size =
        exponent < 0 ? 0U - static_cast<unsigned int>(exponent) : static_cast<unsigned int>(exponent);
    const double power = repeated_product(x, size);
    if (exponent >= 0) {
        return power;
    }
    return std::isinf(power) ? repeated_product(1.0 / x, size) : 1.0 / power;  // the former may be subnormal
}

double asinh(double x) {
    constexpr double large = 0x1p28;  // there sqrt(1 + x^2) = |x|
    const double size = std::abs(x);
    const double value =
        size < large ? log1p(size + size * size / (1.0 + std::sqrt(1.0 + size * size))) : log(size) + std::numbers::ln2;
    return std::copysign(value, x);
}

}  // namespace isogon::elementary
