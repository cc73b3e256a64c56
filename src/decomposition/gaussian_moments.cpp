#include "decomposition/gaussian_moments.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace isogon {

namespace {

/// sqrt(2 / pi) / erfcx(t / sqrt 2): the density at t over the probability of being below zero.
double hazard(double t) {
    constexpr double negligible = -37.0;  // exp(-t^2 / 2) is below the smallest float64
    return t < negligible ? 0.0 : std::sqrt(2.0 / std::numbers::pi) / scaled_erfc(t / std::numbers::sqrt2);
}

}  // namespace

double scaled_erfc(double x) {
    constexpr double large = 20.0;  // erfc underflows beyond 26
    if (x < large) {
        return std::exp(x * x) * std::erfc(x);
    }
    // Asymptotic series: 1 / (x sqrt pi) (1 - 1 / (2 x^2) + 3 / (4 x^4) - 15 / (8 x^6) + 105 / (16 x^8) - 945 / (32
    // x^10))
    const double u = 1.0 / (2.0 * x * x);
    return (1.0 - u * (1.0 - 3.0 * u * (1.0 - 5.0 * u * (1.0 - 7.0 * u * (1.0 - 9.0 * u))))) /
           (x * std::sqrt(std::numbers::pi));
}

double mean_below_zero(double t) {
    return std::min(0.0, t - hazard(t));
}

double variance_below_zero(double t) {
    constexpr double far_above = 100.0;  // there 1 - (rho - t) rho loses what the asymptotic series has
    if (t > far_above) {
        const double u = 1.0 / (t * t);
        return u * (1.0 - u * (6.0 - 50.0 * u));
    }
    const double rho = hazard(t);
    return std::clamp(1.0 - (rho - t) * rho, 0.0, 1.0);
}

}  // namespace isogon
