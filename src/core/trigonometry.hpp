#pragma once

/// Trigonometric functions with the same bits on every machine: the rest of elementary.hpp, which says how.
namespace isogon::elementary {

/// Within 0.9 ulp, tan 3 ulp, for |x| < 2^20. Beyond that the result is that of an argument which differs from x by
/// less than an ulp of x. NaN at infinity.
[[nodiscard]] double sin(double x);
[[nodiscard]] double cos(double x);
[[nodiscard]] double tan(double x);

/// Within 0.7 ulp. NaN outside [-1, 1].
[[nodiscard]] double asin(double x);
[[nodiscard]] double acos(double x);

}  // namespace isogon::elementary
