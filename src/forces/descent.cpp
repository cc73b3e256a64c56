#include "forces/descent.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <functional>
#include <limits>
#include <utility>

#include "core/parallel.hpp"

namespace isogon {

void add_record(int iteration, double objective, std::chrono::steady_clock::time_point begin,
                std::vector<IterationRecord>& trace) {
    const double change = trace.empty() ? 0.0 : trace.back().objective - objective;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    trace.push_back({iteration, objective, change, seconds.count()});
}

namespace {

constexpr std::size_t moved_rows_of_task = 1024;

// Jacobs' rule, as in van der Maaten's code.
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

/// Replaces a step by one that is implicit in the spring: gains and momentum then change no place of rest.
void MomentumSteps::draw_back(Index i, const double* y, const SchedulePhase& phase, const Anchors& anchors) {
    const double rate = phase.learning_rate / static_cast<double>(steps_.rows());
    for (Index c = 0; c < steps_.columns(); ++c) {
        double& step = steps_.row(i)[c];
        const double share = anchors.share(rate * gains_[i * steps_.columns() + c]);
        step += share * (double{anchors.places[i][c]} - y[c] - step);
    }
}

void MomentumSteps::apply(const MultiVector<double>& gradient, const SchedulePhase& phase, MultiVector<double>& y,
                          const RunContext& context, const Anchors& anchors) {
    parallel_blocks(context, y.rows(), moved_rows_of_task, [&](Range rows) {
        for (auto i = static_cast<Index>(rows.begin); i < rows.end; ++i) {
            step_row(i, gradient.row(i), phase);
            if (anchors.holds(i)) {
                draw_back(i, y.row(i), phase, anchors);
            }
            std::transform(steps_.row(i), steps_.row(i) + y.columns(), y.row(i), y.row(i), std::plus<>());
        }
    });
    if (anchors.hold == 0.0) {
        centre_rows(y, context);
    }
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

namespace {

constexpr std::size_t remembered_steps = 10;
constexpr int monotone_iterations_between_records = 10;
constexpr double wanted_decrease = 1e-4;  // share of the first-order decrease (Armijo)
constexpr int most_halvings = 40;         // 1e-12 of a step
constexpr double first_step =
    0.1;  // for the point that moves most, without curvature information: a tenth of the kernel's width
constexpr double longest_point_step = 5.0;  // for any point: clusters are some tens across
constexpr double least_curvature = 1e-12;   // relative to |s| |z|: smaller values are rounding
constexpr std::size_t descent_numbers_of_task = 4096;

double dot(const MultiVector<double>& u, const MultiVector<double>& v, const RunContext& context) {
    return parallel_sum(context, u.values().size(), descent_numbers_of_task, [&](Range numbers) {
        double sum = 0.0;
        for (std::size_t k = numbers.begin; k < numbers.end; ++k) {
            sum += u.values()[k] * v.values()[k];
        }
        return sum;
    });
}

/// out += factor v.
void add(const MultiVector<double>& v, double factor, MultiVector<double>& out, const RunContext& context) {
    parallel_blocks(context, v.values().size(), descent_numbers_of_task, [&](Range numbers) {
        for (std::size_t k = numbers.begin; k < numbers.end; ++k) {
            out.values()[k] += factor * v.values()[k];
        }
    });
}

void scale(MultiVector<double>& v, double factor) {
    for (double& value : v.values()) {
        value *= factor;
    }
}

/// The largest step of a point.
double longest_row(const MultiVector<double>& v) {
    double largest = 0.0;
    for (std::size_t i = 0; i < v.rows(); ++i) {
        double squares = 0.0;
        for (std::size_t c = 0; c < v.columns(); ++c) {
            squares += v.at(i, c) * v.at(i, c);
        }
        largest = std::max(largest, squares);
    }
    return std::sqrt(largest);
}

}  // namespace

/// State of the descent besides the outputs, which are only replaced after a complete step.
struct MonotoneDescent::Memory {
    struct Pair {
        MultiVector<double> step;
        MultiVector<double> change;  ///< change of the gradient along it
        double curvature;
    };

    MultiVector<double> gradient;
    MultiVector<double> direction;
    MultiVector<double> tried;
    MultiVector<double> tried_gradient;
    double tried_value = 0.0;
    std::deque<Pair> pairs;

    /// direction = -H gradient, by the two loops.
    void look_down(const RunContext& context);
};

void MonotoneDescent::Memory::look_down(const RunContext& context) {
    direction = gradient;
    scale(direction, -1.0);
    if (pairs.empty()) {
        const double length = longest_row(direction);
        scale(direction, length > 0.0 ? first_step / length : 0.0);
        return;
    }
    std::vector<double> shares(pairs.size());
    for (std::size_t p = pairs.size(); p-- > 0;) {
        shares[p] = dot(pairs[p].step, direction, context) / pairs[p].curvature;
        add(pairs[p].change, -shares[p], direction, context);
    }
    const Pair& last = pairs.back();
    scale(direction, last.curvature / dot(last.change, last.change, context));
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        const double share = dot(pairs[p].change, direction, context) / pairs[p].curvature;
        add(pairs[p].step, shares[p] - share, direction, context);
    }
    const double length = longest_row(direction);
    scale(direction, length > longest_point_step ? longest_point_step / length : 1.0);
}

MonotoneDescent::MonotoneDescent(Objective objective, MultiVector<double> start, double tolerance, RunContext context)
    : objective_(std::move(objective)), y_(std::move(start)), tolerance_(tolerance), context_(std::move(context)) {
    centre_rows(y_, context_);
    const MultiVector<double> zero(y_.rows(), y_.columns());
    memory_ = std::make_unique<Memory>(Memory{zero, zero, zero, zero, 0.0, {}});
    value_ = objective_(y_, memory_->gradient, context_);
    ++evaluations_;
    add_record(iteration_, value_, begin_, trace_);
}

MonotoneDescent::~MonotoneDescent() = default;

std::uint64_t MonotoneDescent::bytes(Index points, Index dimension) {
    return (2 * (remembered_steps + 1) + 4) *
           MultiVector<double>::bytes(points, dimension);  // one pair more for a moment
}

double MonotoneDescent::slope() const {
    return std::sqrt(dot(memory_->gradient, memory_->gradient, context_));
}

/// Backtracking line search along the direction, whose product with the gradient is `slope`.
bool MonotoneDescent::search(double slope) {
    double length = 1.0;
    for (int halving = 0; halving < most_halvings; ++halving) {
        memory_->tried = y_;
        add(memory_->direction, length, memory_->tried, context_);
        memory_->tried_value = objective_(memory_->tried, memory_->tried_gradient, context_);
        ++evaluations_;
        if (memory_->tried_value <= value_ + wanted_decrease * length * slope && memory_->tried_value < value_) {
            return true;
        }
        length *= 0.5;
    }
    return false;
}

void MonotoneDescent::remember() {
    Memory::Pair pair{memory_->tried, memory_->tried_gradient, 0.0};
    add(y_, -1.0, pair.step, context_);
    add(memory_->gradient, -1.0, pair.change, context_);
    pair.curvature = dot(pair.step, pair.change, context_);
    const double lengths = std::sqrt(dot(pair.step, pair.step, context_) * dot(pair.change, pair.change, context_));
    if (pair.curvature > least_curvature * lengths) {
        memory_->pairs.push_back(std::move(pair));
    }
    if (memory_->pairs.size() > remembered_steps) {
        memory_->pairs.pop_front();
    }
}

bool MonotoneDescent::step() {
    memory_->look_down(context_);
    double slope = dot(memory_->direction, memory_->gradient, context_);
    bool found = slope < 0.0 && search(slope);
    if (!found && !memory_->pairs.empty()) {
        memory_->pairs.clear();  // the curvature pairs mislead: steepest descent
        memory_->look_down(context_);
        slope = dot(memory_->direction, memory_->gradient, context_);
        found = slope < 0.0 && search(slope);
    }
    if (!found) {
        return false;
    }
    remember();
    std::swap(y_, memory_->tried);
    std::swap(memory_->gradient, memory_->tried_gradient);
    value_ = memory_->tried_value;
    ++iteration_;
    return true;
}

Termination MonotoneDescent::run_to(int iteration) {
    try {
        while (iteration_ < iteration && !at_rest_ && !stuck_) {
            throw_if_cancelled(context_);
            stuck_ = !step();
            if (!stuck_ && iteration_ % monotone_iterations_between_records == 0) {
                add_record(iteration_, value_, begin_, trace_);
                at_rest_ = tolerance_ > 0.0 && trace_.back().change <= tolerance_ * std::abs(value_);
            }
            context_.report({.phase = "layout",
                             .done = static_cast<std::uint64_t>(iteration_),
                             .total = static_cast<std::uint64_t>(iteration),
                             .objective = value_,
                             .coordinates = [this] { return to_points(y_); }});
        }
    } catch (const Interruption& interruption) {
        return interruption.reason;
    }
    if (stuck_) {
        return Termination::Stalled;
    }
    return at_rest_ ? Termination::Converged : Termination::IterationLimit;
}

}  // namespace isogon
