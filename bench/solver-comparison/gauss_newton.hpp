#pragma once
#include "line_search.hpp"
#include "pairs/hinge_pass.hpp"

namespace isogon::bench {

/// The Gauss-Newton model of the objective at one place, f(w) + g.v + v.H v / 2, as products with H + lambda M, where M
/// is what `precondition` divides by.
class GaussNewtonModel {
public:
    GaussNewtonModel(const SphereObjective& objective, const Place& place, Course& course, const RunContext& context)
        : objective_(objective),
          place_(place),
          course_(course),
          context_(context),
          matrix_(objective.matrix(place.w)),
          packed_(pack({{&matrix_, 1.0}}, context)),
          pass_(objective.similarities().upper),
          inverse_scale_(place.w) {
        for (std::size_t i = 0; i < inverse_scale_.rows(); ++i) {
            std::fill_n(inverse_scale_.row(i), inverse_scale_.columns(), 1.0F);
        }
        precondition(objective, inverse_scale_, context);
    }

    /// H v: with dL_ij = v_i.u_j + u_i.v_j, sum_ij m_ij dL_ij^2 = v.H v / 2 gives 4 sum_j m_ij dL_ij u_j in row i.
    MultiVector<float> curvature(const MultiVector<float>& v) {
        const MultiVector<float>& u = place_.w;
        MultiVector<float> product(u.rows(), u.columns());
        pass_.curvature(packed_.left, packed_.right, beside(v, u), beside(u, v), objective_.terms().off_support_weight,
                        u, product, context_);
        course_.pass();
        scale(4.0, product, context_);
        project(objective_, u, product, context_);
        return product;
    }

    /// v := v + damping M w
    void add_damping(double damping, const MultiVector<float>& w, MultiVector<float>& v) const {
        for (std::size_t i = 0; i < v.rows(); ++i) {
            for (Index k = 0; k < v.columns(); ++k) {
                v.row(i)[k] += static_cast<float>(damping * w.row(i)[k] / inverse_scale_.row(i)[k]);
            }
        }
    }

private:
    [[nodiscard]] PackedPoints beside(const MultiVector<float>& a, const MultiVector<float>& b) const {
        Points both(a.rows(), a.columns() + b.columns());
        for (Index i = 0; i < a.rows(); ++i) {
            std::copy_n(b.row(i), b.columns(), std::copy_n(a.row(i), a.columns(), both[i].begin()));
        }
        return pack(both.view(), {}, {}, context_);
    }

    const SphereObjective& objective_;
    const Place& place_;
    Course& course_;
    const RunContext& context_;
    LowRank matrix_;
    PackedLowRank packed_;
    HingePass pass_;
    MultiVector<float> inverse_scale_;
};

struct ModelStep {
    MultiVector<float> direction;
    double promised = 0.0;  ///< decrease of the undamped model
};

/// Some steps of preconditioned conjugate gradients on (H + damping M) v = -g.
inline ModelStep solve_damped(GaussNewtonModel& model, const SphereObjective& objective, const Place& place,
                              double damping, int products, const RunContext& context) {
    constexpr double fair_end = 0.01;  // share of the preconditioned residual
    ModelStep step{MultiVector<float>(place.w.rows(), place.w.columns()), 0.0};
    MultiVector<float> bent = step.direction;  // H v
    MultiVector<float> residual = place.gradient;
    scale(-1.0, residual, context);
    MultiVector<float> z = residual;
    precondition(objective, z, context);
    MultiVector<float> search = z;
    double rz = dot(residual, z, context);
    const double first = rz;
    for (int k = 0; k < products && rz > fair_end * fair_end * first; ++k) {
        const MultiVector<float> curved = model.curvature(search);
        MultiVector<float> damped = curved;
        model.add_damping(damping, search, damped);
        const double bend = dot(search, damped, context);
        if (!(bend > 0.0)) {
            break;
        }
        const double length = rz / bend;
        axpy(length, search, step.direction, context);
        axpy(length, curved, bent, context);
        axpy(-length, damped, residual, context);
        z = residual;
        precondition(objective, z, context);
        const double next = dot(residual, z, context);
        scale(next / rz, search, context);
        axpy(1.0, z, search, context);
        rz = next;
    }
    step.promised = -dot(place.gradient, step.direction, context) - 0.5 * dot(step.direction, bent, context);
    return step;
}

/// Levenberg and Marquardt's trust region on the Gauss-Newton model: the damping falls when the model keeps its promise
/// and rises when it does not. An inner product is a pass of three times the depth.
inline Course gauss_newton(const Problem& problem, int products, double budget, const RunContext& context) {
    constexpr double most = 1e6;
    SphereObjective objective(problem.similarities, problem.lengths, {});
    Course course(budget, problem.similarities.squared_norm);
    Place place = start_place(objective, problem, course, context);
    double damping = 0.1;
    MultiVector<float> gradient = place.gradient;
    while (!course.over() && damping < most) {
        GaussNewtonModel model(objective, place, course, context);
        const ModelStep step = solve_damped(model, objective, place, damping, products, context);
        MultiVector<float> moved = retracted(objective, place.w, step.direction, 1.0, context);
        const DescentValue value = objective.evaluate(moved, gradient, context);
        course.pass();
        const double gain = (place.value.objective - value.objective) / step.promised;
        if (gain > 0.75) {
            damping /= 3.0;
        } else if (!(gain > 0.25)) {
            damping *= 3.0;
        }
        if (gain > 1e-4) {
            place = Place{std::move(moved), gradient, value};
            course.record(place.value);
        }
    }
    return course;
}

}  // namespace isogon::bench
