#include "core/hypotenuse.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isogon {

double hypotenuse(double a, double b) {
    const double x = std::max(std::abs(a), std::abs(b));
    const double y = std::min(std::abs(a), std::abs(b));
    if (!(std::isfinite(a) && std::isfinite(b)) || x == 0.0) {
        return std::isinf(a) || std::isinf(b) ? std::numeric_limits<double>::infinity() : a + b;
    }
    // The unit makes the longer one lie between 1/2 and 1.
    int exponent = 0;
    const double p = std::frexp(x, &exponent);
    const double q = std::ldexp(y, -exponent);
    const double h = std::sqrt(std::fma(p, p, q * q));
    // One step of Newton's method, with the error of each square by fma (Borges 2019, An improved algorithm for
    // hypot(a, b), algorithm 5).
    const double h2 = h * h;
    const double p2 = p * p;
    const double error = std::fma(-q, q, h2 - p2) + std::fma(h, h, -h2) - std::fma(p, p, -p2);
    return std::ldexp(h - error / (2.0 * h), exponent);
}

}  // namespace isogon
