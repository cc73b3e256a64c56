#include "transform/distance_newton.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "transform/newton_kernel.hpp"

namespace isogon {

DistanceNewton::DistanceNewton(const MultiVector<float>& outputs)
    : outputs_(outputs),
      dimension_(outputs.columns()),
      stride_(outputs.stride()),
      vectors_(vectors_held * stride_),
      rows_(gathered_at_once * stride_),
      normal_(stride_ * stride_),
      factor_(2 * stride_ * stride_) {}

std::uint64_t DistanceNewton::bytes(Index dimension) {
    const std::uint64_t stride = MultiVector<float>(1, dimension).stride();
    return (gathered_at_once + vectors_held + 3 * stride) * stride * sizeof(double);
}

double DistanceNewton::value(std::span<const PlacementTerm> terms, const double* y) {
    double sum = 0.0;
    for (const PlacementTerm& term : terms) {
        const double residual =
            term.scale * (subtract_row(y, outputs_.row(term.place), difference(), stride_) - term.target);
        sum += term.is_near || residual < 0.0 ? residual * residual : 0.0;
    }
    return sum;
}

/// The sum, a quarter of its gradient, and the two parts of a quarter of its Hessian.
void DistanceNewton::linearize(std::span<const PlacementTerm> terms, const double* y) {
    std::fill_n(descent(), stride_, 0.0);
    std::fill_n(normal_.data(), stride_ * stride_, 0.0);
    value_ = 0.0;
    shift_ = 0.0;
    std::size_t gathered = 0;
    const auto add_gathered = [&] {
        add_products_of_columns(rows_.data(), gathered, dimension_, stride_, normal_.data());
        gathered = 0;
    };
    for (const PlacementTerm& term : terms) {
        double* const row = rows_.data() + gathered * stride_;
        const double residual = term.scale * (subtract_row(y, outputs_.row(term.place), row, stride_) - term.target);
        if (!term.is_near && !(residual < 0.0)) {
            continue;
        }
        const double pull = residual * term.scale;
        value_ += residual * residual;
        shift_ += pull;
        for (std::size_t k = 0; k < stride_; ++k) {
            descent()[k] -= pull * row[k];
            row[k] *= std::numbers::sqrt2 * term.scale;
        }
        if (++gathered == gathered_at_once) {
            add_gathered();
        }
    }
    add_gathered();
    trace_ = 0.0;
    for (std::size_t i = 0; i < dimension_; ++i) {
        trace_ += normal_.data()[i * stride_ + i] / dimension_;
    }
}

bool DistanceNewton::solve(double damping) {
    return solve_updated_system({normal_.data(), none(), none(), descent(), shift_ + damping, dimension_, stride_},
                                scratch(), factor_.data(), step());
}

void DistanceNewton::advance(std::span<const PlacementTerm> terms, double reach, int most, State& state) {
    constexpr double least_gain = 1e-8;  // of 1 and the sum: relative squared errors
    constexpr double first_damping = 1e-2;
    constexpr double factor = 8.0;
    constexpr int most_trials = 20;
    constexpr double worthwhile = 0.1;  // of the reach
    double* const y = state.y.data();
    std::copy_n(y, stride_, anchor());
    double damping = 0.0;
    linearize(terms, y);
    for (int failed = 0; state.steps < most;) {
        const bool solved = solve(damping * trace_);
        if (solved && !(2.0 * dot_product(step(), descent(), stride_) > least_gain * (1.0 + value_))) {
            state.settled = true;
            return;
        }
        double length = 1.0;
        if (solved) {
            std::transform(y, y + stride_, anchor(), trial(), [](double a, double b) { return a - b; });
            const double left = reach - std::sqrt(dot_product(trial(), trial(), stride_));
            length = std::min(1.0, left / std::sqrt(dot_product(step(), step(), stride_)));
            if (length < 1.0 && left < worthwhile * reach) {
                return;
            }
            std::transform(y, y + stride_, step(), trial(), [&](double a, double b) { return a + length * b; });
        }
        if (solved && value(terms, trial()) < value_) {
            std::copy_n(trial(), stride_, y);
            ++state.steps;
            damping = damping > first_damping ? damping / factor : 0.0;
            failed = 0;
            linearize(terms, y);
        } else if (++failed == most_trials) {
            state.settled = true;  // to rounding
            return;
        } else {
            damping = std::max(first_damping, factor * damping);
        }
    }
}

}  // namespace isogon
