#pragma once
#include "line_search.hpp"

namespace isogon::bench {

/// Riemannian nonlinear conjugate gradients, preconditioned: Polak and Ribiere's formula, cut off at 0; vectors are
/// carried over by projection. Each search begins 1.5 times as far out as the last one ended.
inline Course conjugate_gradients(const Problem& problem, double budget, const RunContext& context) {
    constexpr double growth = 1.5;
    SphereObjective objective(problem.similarities, problem.lengths, {});
    Course course(budget, problem.similarities.squared_norm);
    Place place = start_place(objective, problem, course, context);
    const auto preconditioned = [&](const MultiVector<float>& gradient) {
        MultiVector<float> z = gradient;
        precondition(objective, z, context);
        return z;
    };
    MultiVector<float> z = preconditioned(place.gradient);
    MultiVector<float> direction = z;
    scale(-1.0, direction, context);
    double length = 1.0;
    bool steepest = true;
    while (!course.over()) {
        auto step = search_along(objective, place, direction, length, course, context);
        if (!step && steepest) {
            break;
        }
        double share = 0.0;
        if (step) {
            const double before = dot(place.gradient, z, context);
            const MultiVector<float> z_new = preconditioned(step->place.gradient);
            project(objective, step->place.w, z, context);
            share = before > 0.0
                        ? std::max(0.0, dot(step->place.gradient, difference(z_new, z, context), context) / before)
                        : 0.0;
            place = std::move(step->place);
            z = z_new;
            length = growth * step->length;
            course.record(place.value);
        }
        project(objective, place.w, direction, context);
        scale(share, direction, context);
        axpy(-1.0, z, direction, context);
        steepest = share == 0.0;
        if (!(dot(place.gradient, direction, context) < 0.0)) {
            direction = z;
            scale(-1.0, direction, context);
            steepest = true;
        }
    }
    return course;
}

}  // namespace isogon::bench
