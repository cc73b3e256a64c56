#pragma once

/// Elementary functions in float64 with the same bits on every machine. Those of the C library differ: it chooses a
/// version by the processor, with or without fused multiply-add, and libraries round differently. These use only
/// operations that IEEE 754 rounds correctly, in a fixed order, and no std::fma, which is slow where the processor has
/// none. To be compiled with -ffp-contract=off.
///
/// NaN yields NaN, and so does an argument outside the domain. An ulp is the distance of adjacent float64 numbers at
/// the exact result; the bounds are what tests find, rounded up.
namespace isogon::elementary {

/// e^x within 0.8 ulp. Infinite above 709.79, 0 below -745.2.
[[nodiscard]] double exp(double x);

/// Within 0.7 ulp. -infinity at 0. The logarithms of powers of their base are exact in log2 and log10.
[[nodiscard]] double log(double x);
[[nodiscard]] double log2(double x);
[[nodiscard]] double log10(double x);

/// log(1 + x), within 0.7 ulp also for small x. -infinity at -1.
[[nodiscard]] double log1p(double x);

/// x^exponent for x >= 0, with relative error below 2^-53 (1 + |exponent log x| / 4), if neither subnormal nor
/// infinite. NaN for x < 0, also where the exponent is an integer: integer_power is for these. 1 where x = 1 or the
/// exponent is 0, whatever the other.
[[nodiscard]] double pow(double x, double exponent);

/// x^exponent by multiplications, |exponent| - 1 roundings at most: 10^22 and below are exact. A negative exponent
/// divides 1 by the power.
[[nodiscard]] double integer_power(double x, int exponent);

/// The inverse of sinh within 2 ulp.
[[nodiscard]] double asinh(double x);

}  // namespace isogon::elementary
