#include "forces/momentum_steps.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "isogon/core/parallel.hpp"

namespace isogon {

namespace {

constexpr std::size_t moved_rows_of_task = 1024;

// Of Jacobs' rule, as in van der Maaten's code.
constexpr double gain_growth = 0.2;
constexpr double gain_decay = 0.8;
constexpr double least_gain = 0.01;

}  // namespace

void MomentumSteps::rest() {
    std::fill(steps_.values().begin(), steps_.values().end(), 0.0);
    std::fill(gains_.begin(), gains_.end(), 1.0);
}

void MomentumSteps::step_row(std::size_t i, const double* gradient, const SchedulePhase& phase) {
    double* step = steps_.row(i);
    double* gain = gains_.data() + i * steps_.columns();
    double squared = 0.0;
    for (Index c = 0; c < steps_.columns(); ++c) {
        const bool onward = !(gradient[c] * step[c] > 0.0);  // steps go against the gradient
        gain[c] = onward ? gain[c] + gain_growth : std::max(least_gain, gain[c] * gain_decay);
        step[c] = phase.momentum * step[c] - phase.learning_rate * gain[c] * gradient[c];
        squared += step[c] * step[c];
    }
    if (squared > longest_step * longest_step) {
        const double share = longest_step / std::sqrt(squared);
        std::transform(step, step + steps_.columns(), step, [share](double value) { return share * value; });
    }
}

void MomentumSteps::apply(const MultiVector<double>& gradient, const SchedulePhase& phase, MultiVector<double>& y,
                          const RunContext& context) {
    parallel_blocks(context, y.rows(), moved_rows_of_task, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            step_row(i, gradient.row(i), phase);
            std::transform(steps_.row(i), steps_.row(i) + y.columns(), y.row(i), y.row(i), std::plus<>());
        }
    });
    centre_rows(y, context);
}

void MomentumSteps::save(Archive& archive) const {
    archive.add("steps", Array{{steps_.rows(), steps_.columns()}, steps_.values()});
    archive.add("gains", Array{{steps_.rows(), steps_.columns()}, gains_});
}

void MomentumSteps::describe(ArchiveSchema& schema) {
    constexpr double longest = 1.001 * longest_step;  // to rounding
    constexpr double largest_gain = 1.0 + gain_growth * std::numeric_limits<int>::max();
    using Scalar = ArchiveArray::Scalar;
    schema.add({.name = "steps", .scalar = Scalar::Float64, .shape = {"n", "d"}, .values = {{-longest, longest}}});
    schema.add(
        {.name = "gains", .scalar = Scalar::Float64, .shape = {"n", "d"}, .values = {{least_gain, largest_gain}}});
}

void MomentumSteps::restore(const Archive& archive) {
    const std::vector<std::uint64_t> shape{steps_.rows(), steps_.columns()};
    steps_.values() = archive.numbers<double>("steps", shape);
    gains_ = archive.numbers<double>("gains", shape);
}

void centre_rows(MultiVector<double>& y, const RunContext& context) {
    for (Index c = 0; c < y.columns(); ++c) {
        const double sum = parallel_sum(context, y.rows(), moved_rows_of_task, [&](Range rows) {
            double part = 0.0;
            for (std::size_t i = rows.begin; i < rows.end; ++i) {
                part += y.at(i, c);
            }
            return part;
        });
        const double mean = sum / static_cast<double>(y.rows());
        parallel_blocks(context, y.rows(), moved_rows_of_task, [&](Range rows) {
            for (std::size_t i = rows.begin; i < rows.end; ++i) {
                y.at(i, c) -= mean;
            }
        });
    }
}

}  // namespace isogon
