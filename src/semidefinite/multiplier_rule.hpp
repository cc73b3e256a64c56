#pragma once
#include "isogon/semidefinite/unfolding.hpp"

namespace isogon {

/// What a constraint pulls with, and how that grows with what asks for it.
struct Pull {
    double force = 0.0;
    double slope = 1.0;
};

/// Multipliers of a distance's constraint. With y the last one, sigma the penalty and g what |r_i - r_j|^2 has too much,
/// the augmented Lagrangian's derivative by g is the force at t = y + sigma g: t itself for Equal, max(0, t) for AtMost,
/// t within the prices for Slack. The last two have corners, between which Newton's method goes astray; rounded ones are
/// those of a logarithmic barrier for what is missing (or paid for): max(0, t) becomes (t + sqrt(t^2 + rounding)) / 2,
/// whose force times what is missing is rounding / (4 sigma).
class MultiplierRule {
public:
    MultiplierRule(DistanceRule rule, double price) : rule_(rule), price_(price) {}

    [[nodiscard]] Pull at(double t, double rounding) const;
    [[nodiscard]] DistanceRule rule() const { return rule_; }
    [[nodiscard]] double price() const { return price_; }

private:
    DistanceRule rule_;
    double price_;
};

}  // namespace isogon
