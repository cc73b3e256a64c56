#pragma once
#include <cmath>

#include "isogon/core/points.hpp"

namespace isogon {

/// Places that outputs of a layout are held at: each is drawn back to its own by a spring.
struct Anchors {
    PointsView places{};  ///< a row for each output, of NaN for one without a place; empty: none has one
    double hold = 0.0;    ///< from 0, outputs move freely, to 1, they stay at their places

    [[nodiscard]] bool holds(Index i) const { return hold > 0.0 && !places.empty() && !std::isnan(places[i].front()); }
    [[nodiscard]] bool fixes(Index i) const { return hold >= 1.0 && holds(i); }
    /// The share of the way back that a step of this rate takes: that of an implicit step down |y - place|^2 / 2 times
    /// hold / (1 - hold), stable for any rate. It is `hold` at a rate of 1.
    [[nodiscard]] double share(double rate) const { return rate * hold / (1.0 - hold + rate * hold); }
};

}  // namespace isogon
