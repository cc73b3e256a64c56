#pragma once
#include <cmath>
#include <optional>

#include "course.hpp"
#include "linalg/multi_vector_arithmetic.hpp"

namespace isogon::bench {

struct LineStep {
    Place place;
    double length = 0.0;
};

// The objective's operations on some rows, applied to all.

inline void project(const SphereObjective& objective, const MultiVector<float>& w, MultiVector<float>& v,
                    const RunContext& context) {
    for_each_row_block(v, 0, context, [&](const RowBlock& rows) { objective.project(w, rows); });
}

inline void precondition(const SphereObjective& objective, MultiVector<float>& v, const RunContext& context) {
    for_each_row_block(v, 0, context, [&](const RowBlock& rows) { objective.precondition(rows); });
}

inline MultiVector<float> retracted(const SphereObjective& objective, const MultiVector<float>& w,
                                    MultiVector<float> direction, double length, const RunContext& context) {
    for_each_row_block(direction, 0, context, [&](const RowBlock& rows) { objective.retract(w, length, rows); });
    return direction;
}

/// Backtracking by quadratic interpolation from `length` until the decrease is a fair share of what the slope promises
/// (Armijo). Empty when the direction does not lead down, or nothing is found in twelve tries.
inline std::optional<LineStep> search_along(SphereObjective& objective, const Place& from,
                                            const MultiVector<float>& direction, double length, Course& course,
                                            const RunContext& context) {
    constexpr double fair_share = 1e-4;
    const double slope = dot(from.gradient, direction, context);
    if (!(slope < 0.0)) {
        return {};
    }
    MultiVector<float> gradient(from.w.rows(), from.w.columns());
    for (int tries = 0; tries < 12; ++tries) {
        MultiVector<float> moved = retracted(objective, from.w, direction, length, context);
        const DescentValue value = objective.evaluate(moved, gradient, context);
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
inline MultiVector<float> difference(const MultiVector<float>& a, const MultiVector<float>& b,
                                     const RunContext& context) {
    MultiVector<float> result = a;
    axpy(-1.0, b, result, context);
    return result;
}

}  // namespace isogon::bench
