#include "forces/force_layout.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "core/archive_schema.hpp"
#include "core/elementary.hpp"
#include "core/parallel.hpp"
#include "forces/descent.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/points.hpp"

namespace isogon {

int Schedule::iterations() const {
    return std::accumulate(phases.begin(), phases.end(), 0,
                           [](int sum, const SchedulePhase& phase) { return sum + phase.iterations; });
}

std::size_t Schedule::phase_at(int iteration) const {
    std::size_t place = 0;
    while (place + 1 < phases.size() && iteration >= phases[place].iterations) {
        iteration -= phases[place].iterations;
        ++place;
    }
    return place;
}

Schedule tsne_schedule(Index points, const ScheduleOptions& options) {
    constexpr int most_exaggerated = 250;
    constexpr double early_momentum = 0.5;
    constexpr double late_momentum = 0.8;
    const int early = std::min(most_exaggerated, options.iterations / 3);
    const auto rate = [&](double exaggeration) {
        return options.learning_rate.value_or(static_cast<double>(points) / exaggeration);
    };
    return {{{early, options.exaggeration, early_momentum, rate(options.exaggeration)},
             {options.iterations - early, 1.0, late_momentum, rate(1.0)}}};
}

namespace {

constexpr int iterations_between_records = 50;
constexpr std::size_t numbers_of_task = 4096;
constexpr OutputKernel cauchy_kernel{};

}  // namespace

struct ForceLayout::Descent {
    MomentumSteps steps;
    MultiVector<double> gradient;
    MultiVector<double> pushes;
};

ForceLayout::ForceLayout(const CsrMatrix<float>& edges, Repulsion& repulsion, HeldStart start, Schedule schedule,
                         RunContext context)
    : edges_(edges),
      repulsion_(repulsion),
      y_(std::move(start.outputs)),
      anchors_(start.anchors),
      schedule_(std::move(schedule)),
      context_(std::move(context)) {
    if (y_.rows() != edges_.rows || y_.rows() < 2) {
        throw InvalidArgument("start", std::to_string(y_.rows()) + " points",
                              "must be as many as the edges join, " + std::to_string(edges_.rows) + ", and at least 2");
    }
    if (anchors_.hold == 0.0) {
        centre_rows(y_, context_);
    }
    const MultiVector<double> zero(y_.rows(), y_.columns());
    descent_ = std::make_unique<Descent>(Descent{MomentumSteps(y_.rows(), y_.columns()), zero, zero});
    entropy_ = negative_entropy(edges_, context_);
}

ForceLayout::~ForceLayout() = default;

std::uint64_t ForceLayout::bytes(Index points, Index dimension) {
    return 4 * MultiVector<double>::bytes(points, dimension);  // steps, gains, gradient, pushes
}

double ForceLayout::gradient(double exaggeration, MultiVector<double>& gradient, const RunContext& context) {
    repulsion_.begin_iteration(static_cast<std::uint64_t>(iteration_));
    const double total = repulsion_.repel(y_, descent_->pushes, context);
    attract(edges_, cauchy_kernel, y_, gradient, context);
    const std::vector<double>& pushes = descent_->pushes.values();
    parallel_blocks(context, pushes.size(), numbers_of_task, [&](Range numbers) {
        for (std::size_t k = numbers.begin; k < numbers.end; ++k) {
            gradient.values()[k] = exaggeration * gradient.values()[k] - pushes[k] / total;
        }
    });
    return total;
}

double ForceLayout::divergence(const RunContext& context) {
    repulsion_.begin_iteration(static_cast<std::uint64_t>(iteration_));
    const double total = repulsion_.repel(y_, descent_->pushes, context);
    return entropy_ + attraction_cost(edges_, cauchy_kernel, y_, context) + elementary::log(total);
}

void ForceLayout::record(double total) {
    const double value = entropy_ + attraction_cost(edges_, cauchy_kernel, y_, context_) + elementary::log(total);
    add_record(iteration_, value, begin_, trace_);
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
    descent_->steps.apply(descent_->gradient, phase, y_, context_, anchors_);
    ++iteration_;
    context_.report({.phase = "layout",
                     .done = static_cast<std::uint64_t>(iteration_),
                     .total = static_cast<std::uint64_t>(schedule_.iterations()),
                     .objective = trace_.back().objective,
                     .coordinates = [this] { return to_points(y_); }});
}

void ForceLayout::save(Archive& archive) const {
    archive.add_count("iteration", static_cast<std::uint64_t>(iteration_));
    archive.add("outputs", Array{{y_.rows(), y_.columns()}, y_.values()});
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
    // Coordinates cannot be further from the start than the sum of the longest steps.
    const auto [low, high] = std::minmax_element(y_.values().begin(), y_.values().end());
    const double largest =
        1.001 * (std::max(-*low, *high) + 2.0 * MomentumSteps::longest_step * static_cast<double>(iteration));
    schema.add({.name = "outputs", .scalar = Scalar::Float64, .shape = {"n", "d"}, .values = {{-largest, largest}}});
    MomentumSteps::describe(schema);
    add_trace("trace", schema, {records, records});
    schema.require(archive, {{"n", y_.rows()}, {"d", y_.columns()}});
    trace_ = trace_in(archive, "trace");
    for (IterationRecord& record : trace_) {
        record.iteration = (record.iteration - 1) * iterations_between_records;
    }
    descent_->steps.restore(archive);
    y_.values() = archive.numbers<double>("outputs", {y_.rows(), y_.columns()});
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
