#pragma once

namespace isogon {

/// exp(x^2) erfc(x), without overflow for x >= 0; to 1e-13 of itself. Infinite below some -26.
[[nodiscard]] double scaled_erfc(double x);

/// The mean of a normal variable of mean t and variance 1 given that it is below zero: t - rho(t) with
/// rho = sqrt(2 / pi) / erfcx(t / sqrt 2) (Saul 2022a, the E-step).
[[nodiscard]] double mean_below_zero(double t);

/// Its variance: 1 - (rho - t) rho, in [0, 1].
[[nodiscard]] double variance_below_zero(double t);

}  // namespace isogon
