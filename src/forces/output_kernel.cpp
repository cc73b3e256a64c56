#include "forces/output_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/elementary.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"

namespace isogon {

double OutputKernel::value(double squared) const {
    return 1.0 / (1.0 + (is_cauchy() ? squared : a * elementary::pow(squared, b)));
}

double OutputKernel::cost(double squared) const {
    return elementary::log1p(is_cauchy() ? squared : a * elementary::pow(squared, b));
}

double OutputKernel::pull(double squared) const {
    if (is_cauchy()) {
        return 1.0 / (1.0 + squared);
    }
    if (!(squared > 0.0)) {
        return b == 1.0 ? a : 0.0;
    }
    const double power = a * elementary::pow(squared, b);
    return b * power / (squared * (1.0 + power));
}

double OutputKernel::gap_cost(double squared) const {
    const double apart = std::max(squared, softening);
    return elementary::log1p(1.0 / (is_cauchy() ? apart : a * elementary::pow(apart, b)));
}

double OutputKernel::push(double squared) const {
    return b / ((softening + squared) * (1.0 + (is_cauchy() ? squared : a * elementary::pow(squared, b))));
}

namespace {

constexpr int samples = 300;
constexpr double longest = 3.0;  // distance of the last sample, in spreads

/// The logarithms of a and b, which keep both above 0.
struct Form {
    double a = 0.0;
    double b = 0.0;
};

/// Sum of squares for parameters, with J^T r and J^T J of Gauss-Newton.
struct Misfit {
    double squares = 0.0;
    double gradient_a = 0.0, gradient_b = 0.0;
    double aa = 0.0, ab = 0.0, bb = 0.0;
};

Misfit misfit(const Form& form, double flat) {
    Misfit sum;
    const double b = elementary::exp(form.b);
    for (int i = 1; i < samples; ++i) {  // at distance 0 all forms agree
        const double distance = longest * i / (samples - 1);
        const double requested = elementary::exp(-std::max(0.0, distance - flat));
        const double power = elementary::exp(form.a + 2.0 * b * elementary::log(distance));
        const double value = 1.0 / (1.0 + power);
        const double residual = value - requested;
        const double by_a = -power * value * value;
        const double by_b = by_a * 2.0 * b * elementary::log(distance);
        sum.squares += residual * residual;
        sum.gradient_a += by_a * residual;
        sum.gradient_b += by_b * residual;
        sum.aa += by_a * by_a;
        sum.ab += by_a * by_b;
        sum.bb += by_b * by_b;
    }
    return sum;
}

/// Levenberg's step: Gauss-Newton with `damping`.
Form stepped(const Form& form, const Misfit& at, double damping) {
    const double aa = at.aa * (1.0 + damping);
    const double bb = at.bb * (1.0 + damping);
    const double determinant = aa * bb - at.ab * at.ab;
    return {form.a - (bb * at.gradient_a - at.ab * at.gradient_b) / determinant,
            form.b - (aa * at.gradient_b - at.ab * at.gradient_a) / determinant};
}

Form fitted(double flat) {
    constexpr int most_steps = 200;
    constexpr double settled = 1e-14;
    Form form;
    Misfit here = misfit(form, flat);
    double damping = 1e-2;
    for (int step = 0; step < most_steps; ++step) {
        const Form next = stepped(form, here, damping);
        const Misfit there = misfit(next, flat);
        const bool better = there.squares < here.squares;
        const double change = std::abs(next.a - form.a) + std::abs(next.b - form.b);
        damping = better ? 0.1 * damping : 10.0 * damping;
        if (better) {
            form = next;
            here = there;
        }
        if (change <= settled) {
            break;
        }
    }
    return form;
}

}  // namespace

OutputKernel fit_output_kernel(double min_distance, double spread) {
    constexpr double extreme = 1e6;
    if (!(spread >= 1.0 / extreme && spread <= extreme)) {
        throw InvalidArgument("spread", to_text(OptionValue{spread}), "must be between 1e-6 and 1e6");
    }
    if (!(min_distance >= 0.0 && min_distance <= spread)) {
        throw InvalidArgument("min-dist", to_text(OptionValue{min_distance}),
                              "must be at least 0 and at most the spread, " + to_text(OptionValue{spread}));
    }
    const Form form = fitted(min_distance / spread);
    const double b = elementary::exp(form.b);
    return {elementary::exp(form.a - 2.0 * b * elementary::log(spread)), b};
}

}  // namespace isogon
