#pragma once
#include <cmath>
#include <optional>

#include "course.hpp"
#include "isogon/linalg/block_arithmetic.hpp"

namespace isogon::bench {

struct LineStep {
    Place place;
    double length = 0.0;
};

/// Backtracking by quadratic interpolation from `length` until the decrease is a fair share of what the slope promises
/// (Armijo). Empty when the direction does not lead down, or nothing is found in twelve tries.
inline std::optional<LineStep> search_along(FaithfulObjective& objective, const Place& from,
                                            const BlockVectors& direction, double length, Course& course,
                                            const RunContext& context) {
    constexpr double fair_share = 1e-4;
    const double slope = dot(from.gradient, direction, context);
    if (!(slope < 0.0)) {
        return {};
    }
    BlockVectors gradient(from.w.rows(), from.w.columns());
    for (int tries = 0; tries < 12; ++tries) {
        BlockVectors moved = objective.retract(from.w, direction, length, context);
        const FaithfulValue value = objective.evaluate(moved, gradient, context);
        course.pass();
        const double rise = value.objective - from.value.objective;
        if (rise <= fair_share * length * slope) {
            return LineStep{{std::move(moved), std::move(gradient), value}, length};
        }
        const double best = -0.5 * slope * length * length / (rise - slope * length);
        length = std::isfinite(best) ? std::clamp(best, 0.1 * length, 0.5 * length) : 0.1 * length;
    }
    return {};
}

/// a - b.
inline BlockVectors difference(const BlockVectors& a, const BlockVectors& b, const RunContext& context) {
    BlockVectors result = a;
    add_scaled(-1.0, b, result, context);
    return result;
}

}  // namespace isogon::bench
