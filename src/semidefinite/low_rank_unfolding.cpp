#include "semidefinite/low_rank_unfolding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/random.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"
#include "semidefinite/distance_graph.hpp"
#include "semidefinite/dual_bound.hpp"
#include "semidefinite/stretching.hpp"

namespace isogon {

namespace {

void require_options(const MultiVector<double>& start, Index n, const LowRankOptions& options) {
    if (n == 0) {
        throw InvalidArgument("n", "0", "must be at least 1");
    }
    if (start.columns() > 0 && start.rows() != n) {
        throw InvalidArgument("start", std::to_string(start.rows()) + " rows",
                              "must be " + std::to_string(n) + ", one for each point");
    }
    if (!std::all_of(start.values().begin(), start.values().end(), [](double value) { return std::isfinite(value); })) {
        throw InvalidArgument("start", "not a number", "must hold finite numbers");
    }
    if (!(options.tolerance > 0.0 && options.tolerance < 1.0)) {
        throw InvalidArgument("tolerance", to_text(OptionValue{options.tolerance}), "must be between 0 and 1");
    }
    if (options.iterations < 0) {
        throw InvalidArgument("iterations", std::to_string(options.iterations), "must be at least 0");
    }
}

/// Columns to begin with. An optimum of rank r with r (r + 1) / 2 <= m exists (Pataki 1998); n - 1 always do.
Index first_rank(const MultiVector<double>& start, const DistanceGraph& graph) {
    constexpr Index usual = 4;
    const Index rank = start.columns() > 0 ? std::min(start.columns(), usual) : usual;
    const double pairs = static_cast<double>(graph.edge_count());
    const auto enough = static_cast<Index>(std::ceil((std::sqrt(8.0 * pairs + 1.0) - 1.0) / 2.0));
    return std::clamp<Index>(rank, 1, std::max<Index>(1, std::min(enough, graph.nodes - 1)));
}

/// Sum of |r_i - r_j|^2 over edges, relative to that of the kept distances.
double stretch(const MultiVector<double>& r, const DistanceGraph& graph) {
    double sum = 0.0;
    double allowed = 0.0;
    for (std::size_t a = 0; a < graph.edge_count(); ++a) {
        for (Index c = 0; c < r.columns(); ++c) {
            const double difference = r.at(graph.kept.pairs[a].first, c) - r.at(graph.kept.pairs[a].second, c);
            sum += difference * difference;
        }
        allowed += graph.kept.squared[a];
    }
    return sum / allowed;
}

/// The start in the graph's unit, one row per node, with short random columns where it has too few; all random if its
/// lengths are 0. Lengths far from those of the distances would lead to wrong penalties and are rescaled.
MultiVector<double> first_outputs(const MultiVector<double>& start, const DistanceGraph& graph, Index rank,
                                  std::uint64_t seed) {
    const double length = std::sqrt(graph.unit);
    const Index given = std::min(rank, start.columns());
    MultiVector<double> outputs(graph.nodes, rank);
    for (std::size_t i = 0; i < start.rows(); ++i) {
        for (Index c = 0; c < given; ++c) {
            outputs.at(graph.node_of[i], c) = start.at(i, c) / length;
        }
    }
    constexpr double beside = 1e-3;
    const double known = stretch(outputs, graph);
    const double share = known > 0.0 ? beside * std::sqrt(known) : 1.0;
    for (Index v = 0; v < graph.nodes; ++v) {
        Random random(seed, RandomStream::UnfoldingStart, v);
        for (Index c = known > 0.0 ? given : 0; c < rank; ++c) {
            outputs.at(v, c) = share * random.normal();
        }
    }
    const double stretched = stretch(outputs, graph);
    constexpr double least = 0.01;
    if (stretched > 1.0 || stretched < least) {
        const double factor = 1.0 / std::sqrt(stretched);
        for (double& value : outputs.values()) {
            value *= factor;
        }
    }
    return outputs;
}

/// One run: penalties double and multipliers are updated until the gap is within the tolerance.
class Run {
public:
    Run(const DistanceGraph& graph, const LowRankOptions& options, MultiVector<double> outputs,
        const RunContext& context)
        : graph_(graph), options_(options), context_(context), stretching_(graph, std::move(outputs), context) {}

    void go() {
        keep();
        try {
            const DualBound dual(graph_, options_.seed, context_);
            for (double gain = 1e-4; steps_ < options_.iterations; gain = std::max(0.3 * gain, 1e-14)) {
                if (round(gain, dual)) {
                    status_ = SemidefiniteStatus::Solved;
                    return;
                }
            }
        } catch (const Interruption&) {
            status_ = SemidefiniteStatus::Interrupted;
        }
    }

    [[nodiscard]] const MultiVector<double>& outputs() const { return best_; }
    [[nodiscard]] double bound() const { return bound_; }
    [[nodiscard]] SemidefiniteStatus status() const { return status_; }
    [[nodiscard]] std::int64_t steps() const { return steps_; }

private:
    /// One descent and the update of its bound; true if the gap is within the tolerance.
    bool round(double gain, const DualBound& dual) {
        constexpr std::int64_t most_steps = 60;
        const std::int64_t taken = stretching_.descend(gain, std::min(most_steps, options_.iterations - steps_));
        steps_ += taken;
        settled_ = taken < most_steps;
        ++rounds_;
        keep();
        throw_if_cancelled(context_);
        context_.report({"unfolding", static_cast<std::uint64_t>(steps_),
                         static_cast<std::uint64_t>(options_.iterations), value_ * graph_.unit});
        constexpr int rounds_between_looks = 4;
        std::vector<double> column;
        if (within(multiplied()) || steps_ >= options_.iterations || rounds_ % rounds_between_looks == 0) {
            const LeastEigenpair least = least_eigenpair(graph_, stretching_.forces(), options_.seed, context_);
            bound_ = std::min(bound_, dual.from(stretching_.forces(), least));
            if (within(bound_)) {
                return true;
            }
            column = way_out(least);
        }
        go_on(column);
        return false;
    }

    /// An eigenvector along which the objective can grow at a local optimum; empty if there is none.
    [[nodiscard]] std::vector<double> way_out(const LeastEigenpair& least) const {
        const double clearly_below = 1.0 - std::max(options_.tolerance, 0.01);
        return least.value < clearly_below && stretching_.may_grow() ? least.vector : std::vector<double>();
    }

    /// Increases the stiffness, or lowers it where outputs are at a local optimum. Negligible columns are dropped, but
    /// not the second one at the beginning: soft constraints make a sheet almost a line at first, and it opens again
    /// later.
    void go_on(const std::vector<double>& column) {
        constexpr double stiff = 1000.0;
        constexpr double stiffest =
            1e10;  // float64 resolves the excess to 1e-16, and so forces to 1e-6 of the usual ones
        constexpr double softened = 120.0;
        constexpr double least_share = 1e-9;
        stretching_.reshape(stiffness_ >= stiff ? 1 : 2, least_share, column);
        if (!settled_ && column.empty()) {
            return;  // forces that are not in balance yet would be bad multipliers
        }
        stiffness_ = column.empty() ? std::min(2.0 * stiffness_, stiffest) : std::min(stiffness_, softened);
        stretching_.update(stiffness_, Stretching::first_rounding);
    }

    [[nodiscard]] bool within(double bound) const { return bound - value_ <= options_.tolerance * std::abs(bound); }

    /// b.y: the bound, if the multipliers are feasible.
    [[nodiscard]] double multiplied() const {
        double sum = 0.0;
        for (std::size_t a = 0; a < graph_.edge_count(); ++a) {
            sum += stretching_.forces()[a] * graph_.kept.squared[a];
        }
        return sum;
    }

    /// Stores the current outputs if they are the best once they are scaled.
    void keep() {
        const double scale = 1.0 / std::sqrt(largest_stretch(stretching_.outputs(), graph_.kept));
        const double value = stretching_.trace() * scale * scale;
        if (best_.columns() == 0 || value > value_) {
            best_ = stretching_.outputs();
            value_ = value;
        }
    }

    const DistanceGraph& graph_;
    const LowRankOptions& options_;
    const RunContext& context_;
    Stretching stretching_;
    MultiVector<double> best_{};
    double value_ = 0.0;
    double bound_ = std::numeric_limits<double>::infinity();
    double stiffness_ = Stretching::first_stiffness;
    int rounds_ = 0;
    bool settled_ = false;
    std::int64_t steps_ = 0;
    SemidefiniteStatus status_ = SemidefiniteStatus::NotConverged;
};

}  // namespace

Unfolding unfold_low_rank(const MultiVector<double>& start, Index n, const DistanceConstraints& constraints,
                          const LowRankOptions& options, const RunContext& context) {
    require_options(start, n, options);
    constexpr std::uint64_t numbers_of_edge = 24;
    constexpr std::uint64_t numbers_of_point = 200;  // three times the Krylov space of a bound, 60 vectors, above all
    const std::uint64_t of_edges = constraints.size() * numbers_of_edge * sizeof(double);
    const std::uint64_t of_points = std::uint64_t{n} * numbers_of_point * sizeof(double);
    require_memory(context, {{"distances and forces", of_edges}, {"vectors of the bound", of_points}},
                   "raise the limit or take fewer neighbors");
    const RunContext rest = beside(context, of_edges + of_points);
    const DistanceGraph graph = distance_graph(n, constraints);
    const auto finished = [&](Unfolding found) {
        return finished_unfolding(std::move(found), constraints, options.tolerance, context);
    };
    if (graph.edge_count() == 0) {
        return finished({.status = SemidefiniteStatus::Solved, .outputs = MultiVector<double>(n, 1)});
    }
    Run run(graph, options, first_outputs(start, graph, first_rank(start, graph), options.seed), rest);
    run.go();
    MultiVector<double> outputs(n, run.outputs().columns());
    for (std::size_t i = 0; i < n; ++i) {
        for (Index c = 0; c < outputs.columns(); ++c) {
            outputs.at(i, c) = std::sqrt(graph.unit) * run.outputs().at(graph.node_of[i], c);
        }
    }
    return finished({.status = run.status(),
                     .outputs = std::move(outputs),
                     .bound = run.bound() * graph.unit,
                     .iterations = run.steps()});
}

}  // namespace isogon
