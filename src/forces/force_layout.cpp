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

constexpr std::size_t edge_rows_of_task = 256;

/// Some rows, in `Dimension` numbers, or as many as there are if that is 0.
template <Index Dimension>
void pull_rows(const CsrMatrix<float>& edges, const OutputKernel& kernel, const MultiVector<double>& y, Range rows,
               MultiVector<double>& pulls) {
    const Index dimension = Dimension == 0 ? y.columns() : Dimension;
    const bool cauchy = kernel.is_cauchy();
    for (std::size_t i = rows.begin; i < rows.end; ++i) {
        const double* own = y.row(i);
        double* pull = pulls.row(i);
        std::fill_n(pull, dimension, 0.0);
        for (Offset e = edges.offsets[i]; e < edges.offsets[i + 1]; ++e) {
            const double* other = y.row(edges.indices[e]);
            const double squared = squared_distance(own, other, dimension);
            // The attraction of the Cauchy kernel, inlined by hand: a call for every edge would dominate the time.
            const double force = double{edges.values[e]} * (cauchy ? 1.0 / (1.0 + squared) : kernel.pull(squared));
            for (Index c = 0; c < dimension; ++c) {
                pull[c] += force * (own[c] - other[c]);
            }
        }
    }
}

}  // namespace

void attract(const CsrMatrix<float>& edges, const OutputKernel& kernel, const MultiVector<double>& y,
             MultiVector<double>& pulls, const RunContext& context) {
    parallel_blocks(context, edges.rows, edge_rows_of_task, [&](Range rows) {
        switch (y.columns()) {
            case 2: return pull_rows<2>(edges, kernel, y, rows, pulls);
            case 3: return pull_rows<3>(edges, kernel, y, rows, pulls);
            default: return pull_rows<0>(edges, kernel, y, rows, pulls);
        }
    });
}

double attraction_cost(const CsrMatrix<float>& edges, const OutputKernel& kernel, const MultiVector<double>& y,
                       const RunContext& context) {
    return parallel_sum(context, edges.rows, edge_rows_of_task, [&](Range rows) {
        double sum = 0.0;
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            for (Offset e = edges.offsets[i]; e < edges.offsets[i + 1]; ++e) {
                sum += double{edges.values[e]} *
                       kernel.cost(squared_distance(y.row(i), y.row(edges.indices[e]), y.columns()));
            }
        }
        return sum;
    });
}

double negative_entropy(const CsrMatrix<float>& edges, const RunContext& context) {
    return parallel_sum(context, edges.values.size(), edge_rows_of_task * edge_rows_of_task, [&](Range entries) {
        double sum = 0.0;
        for (std::size_t e = entries.begin; e < entries.end; ++e) {
            const auto weight = double{edges.values[e]};
            sum += weight > 0.0 ? weight * elementary::log(weight) : 0.0;
        }
        return sum;
    });
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
