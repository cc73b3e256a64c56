#include "isogon/forces/force_layout.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "forces/momentum_steps.hpp"
#include "isogon/core/archive_schema.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/parallel.hpp"
#include "isogon/core/trace.hpp"
#include "isogon/forces/attraction.hpp"

namespace isogon {

namespace {

constexpr int iterations_between_records = 50;
constexpr std::size_t numbers_of_task = 4096;
constexpr OutputKernel cauchy{};

}  // namespace

struct ForceLayout::Descent {
    MomentumSteps steps;
    WideVectors gradient;
    WideVectors pushes;
};

ForceLayout::ForceLayout(const CsrMatrix<float>& edges, Repulsion& repulsion, WideVectors start, Schedule schedule,
                         RunContext context)
    : edges_(edges),
      repulsion_(repulsion),
      y_(std::move(start)),
      schedule_(std::move(schedule)),
      context_(std::move(context)) {
    if (y_.rows != edges_.rows || y_.rows < 2) {
        throw InvalidArgument("start", std::to_string(y_.rows) + " points",
                              "must be as many as the edges join, " + std::to_string(edges_.rows) + ", and at least 2");
    }
    centre_rows(y_, context_);
    const WideVectors zero(y_.rows, y_.columns);
    descent_ = std::make_unique<Descent>(Descent{MomentumSteps(y_.rows, y_.columns), zero, zero});
    entropy_ = negative_entropy(edges_, context_);
}

ForceLayout::~ForceLayout() = default;

std::uint64_t ForceLayout::bytes(Index points, Index dimension) {
    return 4 * WideVectors::bytes(points, dimension);  // steps, gains, gradient, pushes
}

double ForceLayout::gradient(double exaggeration, WideVectors& gradient, const RunContext& context) {
    repulsion_.begin_iteration(static_cast<std::uint64_t>(iteration_));
    const double total = repulsion_.repel(y_, descent_->pushes, context);
    attract(edges_, cauchy, y_, gradient, context);
    const std::vector<double>& pushes = descent_->pushes.values;
    parallel_blocks(context, pushes.size(), numbers_of_task, [&](Range numbers) {
        for (std::size_t k = numbers.begin; k < numbers.end; ++k) {
            gradient.values[k] = exaggeration * gradient.values[k] - pushes[k] / total;
        }
    });
    return total;
}

double ForceLayout::divergence(const RunContext& context) {
    repulsion_.begin_iteration(static_cast<std::uint64_t>(iteration_));
    const double total = repulsion_.repel(y_, descent_->pushes, context);
    return entropy_ + attraction_cost(edges_, cauchy, y_, context) + std::log(total);
}

void ForceLayout::record(double total) {
    const double value = entropy_ + attraction_cost(edges_, cauchy, y_, context_) + std::log(total);
    const double change = trace_.empty() ? 0.0 : trace_.back().objective - value;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin_;
    trace_.push_back({iteration_, value, change, seconds.count()});
}

void ForceLayout::step() {
    const std::size_t place = schedule_.phase_at(iteration_);
    const SchedulePhase& phase = schedule_.phases[place];
    const double total = gradient(phase.exaggeration, descent_->gradient, context_);
    if (iteration_ % iterations_between_records == 0) {
        record(total);
    }
    if (iteration_ > 0 && schedule_.phase_at(iteration_ - 1) != place) {
        descent_->steps.rest();
    }
    descent_->steps.apply(descent_->gradient, phase, y_, context_);
    ++iteration_;
    context_.report({.phase = "layout",
                     .done = static_cast<std::uint64_t>(iteration_),
                     .total = static_cast<std::uint64_t>(schedule_.iterations()),
                     .objective = trace_.back().objective});
}

void ForceLayout::save(Archive& archive) const {
    archive.add_count("iteration", static_cast<std::uint64_t>(iteration_));
    archive.add("outputs", Array{{y_.rows, y_.columns}, y_.values});
    descent_->steps.save(archive);
    add_trace("trace", trace_, archive);
}

void ForceLayout::restore(const Archive& archive) {
    using Scalar = ArchiveArray::Scalar;
    ArchiveSchema schema;
    schema.add(
        {.name = "iteration", .scalar = Scalar::Uint64, .values = {{0, static_cast<double>(schedule_.iterations())}}});
    schema.require(archive);
    const std::uint64_t iteration = archive.count("iteration");
    const auto records = static_cast<double>(block_count(iteration, iterations_between_records));
    // No further from the start than that many steps lead, while the mean goes back to 0.
    const auto [low, high] = std::minmax_element(y_.values.begin(), y_.values.end());
    const double largest =
        1.001 * (std::max(-*low, *high) + 2.0 * MomentumSteps::longest_step * static_cast<double>(iteration));
    schema.add({.name = "outputs", .scalar = Scalar::Float64, .shape = {"n", "d"}, .values = {{-largest, largest}}});
    MomentumSteps::describe(schema);
    add_trace("trace", schema, {records, records});
    schema.require(archive, {{"n", y_.rows}, {"d", y_.columns}});
    trace_ = trace_in(archive, "trace");
    for (IterationRecord& record : trace_) {
        record.iteration = (record.iteration - 1) * iterations_between_records;
    }
    descent_->steps.restore(archive);
    y_.values = archive.numbers<double>("outputs", {y_.rows, y_.columns});
    iteration_ = static_cast<int>(iteration);
}

Termination ForceLayout::run_to(int iteration) {
    const int end = std::min(iteration, schedule_.iterations());
    try {
        while (iteration_ < end) {
            throw_if_cancelled(context_);
            step();
        }
    } catch (const Interruption& interruption) {
        return interruption.reason;
    }
    return iteration_ == schedule_.iterations() ? Termination::Converged : Termination::IterationLimit;
}

}  // namespace isogon
