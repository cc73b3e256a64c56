#pragma once

/// The arithmetic of elementary functions: exact sums and products as two numbers, and polynomials.
namespace isogon::elementary {

/// A number as the sum of two that is not rounded.
struct Sum {
    double high = 0.0;
    double low = 0.0;
};

/// a + b exactly, if |a| >= |b| or a = 0 (Dekker 1971, A floating-point technique for extending the available
/// precision).
inline Sum sum_of_ordered(double a, double b) {
    const double high = a + b;
    return {high, (a - high) + b};
}

/// a + b exactly (Knuth, The art of computer programming, volume 2, section 4.2.2, theorem B).
inline Sum sum_of(double a, double b) {
    const double high = a + b;
    const double from_b = high - a;
    return {high, (a - (high - from_b)) + (b - from_b)};
}

/// The upper 26 bits of x, and the rest (Veltkamp's split, in Dekker 1971): products of such halves are exact.
inline Sum halves(double x) {
    const double scaled = 0x8000001p0 * x;  // 2^27 + 1
    const double high = scaled - (scaled - x);
    return {high, x - high};
}

/// a b exactly, without fused multiply-add (Dekker 1971); for |a|, |b| < 2^996.
inline Sum product_of(double a, double b) {
    const double high = a * b;
    const Sum p = halves(a);
    const Sum q = halves(b);
    return {high, ((p.high * q.high - high) + p.high * q.low + p.low * q.high) + p.low * q.low};
}

/// For |x| < 2^51. Adding 3 2^51 leaves no bits for a fraction.
inline double nearest_integer(double x) {
    constexpr double shift = 0x1.8p52;
    return (x + shift) - shift;
}

/// c0 + c1 x + c2 x^2 + ...
template <class... More>
double polynomial(double x, double constant, More... more) {
    if constexpr (sizeof...(more) == 0) {
        return constant;
    } else {
        return constant + x * polynomial(x, more...);
    }
}

}  // namespace isogon::elementary
