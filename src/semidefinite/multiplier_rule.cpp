#include "semidefinite/multiplier_rule.hpp"

#include <cmath>

namespace isogon {

namespace {

/// max(0, t) with its corner rounded off, without the cancellation that t < 0 would bring.
Pull rounded(double t, double rounding) {
    const double root = std::sqrt(t * t + rounding);
    if (root == 0.0) {
        return {0.0, 0.5};
    }
    const double force = t > 0.0 ? (t + root) / 2.0 : rounding / (root - t) / 2.0;
    return {force, force / root};
}

}  // namespace

Pull MultiplierRule::at(double t, double rounding) const {
    if (rule_ == DistanceRule::Equal) {
        return {t, 1.0};
    }
    if (rule_ == DistanceRule::AtMost) {
        return rounded(t, rounding);
    }
    const Pull lower = rounded(t + price_, rounding);
    const Pull upper = rounded(t - price_, rounding);
    // Rounding must not carry a force over the price that bounds it.
    return {std::fmin(std::fmax(lower.force - upper.force - price_, -price_), price_), lower.slope - upper.slope};
}

}  // namespace isogon
