#include "semidefinite/stretching.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/points.hpp"
#include "linalg/multi_vector_arithmetic.hpp"

namespace isogon {

namespace {

constexpr std::size_t edges_in_block = 4096;
constexpr double least_shift =
    1e-6;  // rotations of the outputs change nothing: H has zero eigenvalues, for which the factor does not exist

double squared_difference(const MultiVector<double>& r, Index i, Index j) {
    return squared_distance(r.row(i), r.row(j), r.columns());
}

double difference_product(const MultiVector<double>& r, const MultiVector<double>& d, Index i, Index j) {
    double sum = 0.0;
    for (Index c = 0; c < r.columns(); ++c) {
        sum += (r.at(i, c) - r.at(j, c)) * (d.at(i, c) - d.at(j, c));
    }
    return sum;
}

constexpr const char* less_memory = "raise the limit, take fewer neighbors, or use landmarks";

double dot(const MultiVector<double>& a, const MultiVector<double>& b) {
    double sum = 0.0;
    for (std::size_t k = 0; k < a.values().size(); ++k) {
        sum += a.values()[k] * b.values()[k];
    }
    return sum;
}

double weighted_dot(const std::vector<double>& masses, const MultiVector<double>& a, const MultiVector<double>& b) {
    double sum = 0.0;
    for (std::size_t v = 0; v < a.rows(); ++v) {
        for (Index c = 0; c < a.columns(); ++c) {
            sum += masses[v] * a.at(v, c) * b.at(v, c);
        }
    }
    return sum;
}

}  // namespace

Stretching::Stretching(const DistanceGraph& graph, MultiVector<double> outputs, const RunContext& context)
    : graph_(graph),
      context_(context),
      outputs_(std::move(outputs)),
      multipliers_(graph.edge_count()),
      penalties_(graph.edge_count()),
      roundings_(graph.edge_count()),
      excess_(graph.edge_count()),
      forces_(graph.edge_count()),
      stiffness_(graph.edge_count()),
      held_(graph.edge_count()),
      linear_(graph.edge_count()),
      quadratic_(graph.edge_count()) {
    centre(graph_, outputs_);
    prepare_system();
    update(first_stiffness, first_rounding);
}

double Stretching::trace() const {
    return weighted_dot(graph_.masses, outputs_, outputs_);
}

double Stretching::usual_force(std::size_t a) const {
    return last_trace_ / static_cast<double>(graph_.edge_count()) / graph_.scale(a);
}

void Stretching::prepare_system() {
    gradient_ = MultiVector<double>(outputs_.rows(), outputs_.columns());
    direction_ = MultiVector<double>(outputs_.rows(), outputs_.columns());
    system_.reset();  // frees the old system before the new one is made
    require_memory(context_,
                   {{"the order of the Hessian's factor", NewtonSystem::order_bytes(graph_, outputs_.columns())}},
                   less_memory);
    system_ = std::make_unique<NewtonSystem>(graph_, outputs_.columns());
    if (system_->operations() > most_operations) {
        throw InvalidArgument(
            "constraints", std::to_string(graph_.edge_count()) + " pairs",
            "their factor would take more than 1e11 operations a step, for the graph is not that of a "
            "surface: use landmarks");
    }
    require_memory(context_, {{"the factor of the Hessian", system_->bytes()}}, less_memory);
}

bool Stretching::may_grow() const {
    // Blocks of r x r: entries grow with r^2, operations with r^3.
    const Index grown = outputs_.columns() + 1;
    const double growth = static_cast<double>(grown) / outputs_.columns();
    const double bytes = static_cast<double>(system_->bytes()) * growth * growth;
    return grown < graph_.nodes && system_->operations() * growth * growth * growth < most_operations &&
           (!context_.memory_limit || (bytes < static_cast<double>(*context_.memory_limit) / 2.0 &&
                                       NewtonSystem::order_bytes(graph_, grown) <= *context_.memory_limit));
}

void Stretching::update(double stiffness, double rounding) {
    multipliers_ = forces_;
    last_trace_ = trace();
    for (std::size_t a = 0; a < graph_.edge_count(); ++a) {
        penalties_[a] = stiffness * usual_force(a) / graph_.scale(a);
        roundings_[a] = rounding * usual_force(a) * rounding * usual_force(a);
    }
    evaluate();
}

/// Excess, forces, the Hessian's terms of each edge, and the gradient 2 (L(forces) - M) R.
void Stretching::evaluate() {
    parallel_blocks(context_, graph_.edge_count(), edges_in_block, [&](Range range) {
        for (std::size_t a = range.begin; a < range.end; ++a) {
            excess_[a] = squared_difference(outputs_, graph_.kept.pairs[a].first, graph_.kept.pairs[a].second) -
                         graph_.kept.squared[a];
            const Pull pull = pull_at(multipliers_[a] + penalties_[a] * excess_[a], roundings_[a]);
            forces_[a] = pull.force;
            stiffness_[a] = 4.0 * penalties_[a] * pull.slope;
        }
    });
    laplacian_product(graph_, forces_, outputs_, gradient_, context_);
    for (std::size_t v = 0; v < graph_.nodes; ++v) {
        for (Index c = 0; c < outputs_.columns(); ++c) {
            gradient_.at(v, c) = 2.0 * (gradient_.at(v, c) - graph_.masses[v] * outputs_.at(v, c));
        }
    }
}

/// direction = -H^-1 gradient, H made positive definite by a share of the usual forces, which damps short waves more
/// than the long ones by which points unfold; returns the slope along it.
double Stretching::newton_direction() {
    constexpr double growth = 4.0;
    // A share that was needed is kept for one more step: each smaller trial costs a factor.
    shift_ = std::max(least_shift, shift_was_needed_ ? shift_ : shift_ / growth);
    const bool tried_less = !shift_was_needed_;
    shift_was_needed_ = false;
    const auto factored = [&] {
        for (std::size_t a = 0; a < graph_.edge_count(); ++a) {
            held_[a] = forces_[a] + shift_ * usual_force(a);
        }
        return system_->factor(outputs_, held_, stiffness_, context_);
    };
    while (!factored()) {
        constexpr double most = 1e100;
        if (!(shift_ < most)) {
            return 0.0;
        }
        shift_ = std::max(growth * shift_, 1e-3);
        shift_was_needed_ = tried_less;
    }
    direction_ = gradient_;
    for (double& value : direction_.values()) {
        value = -value;
    }
    system_->solve(direction_);
    centre(graph_, direction_);
    return dot(direction_, gradient_);
}

/// Where the derivative along the direction vanishes, by Newton's method between brackets. The derivative along
/// R + t D is a sum over edges, each by its own quadratic.
double Stretching::exact_step(double slope) {
    parallel_blocks(context_, graph_.edge_count(), edges_in_block, [&](Range range) {
        for (std::size_t a = range.begin; a < range.end; ++a) {
            linear_[a] =
                2.0 * difference_product(outputs_, direction_, graph_.kept.pairs[a].first, graph_.kept.pairs[a].second);
            quadratic_[a] = squared_difference(direction_, graph_.kept.pairs[a].first, graph_.kept.pairs[a].second);
        }
    });
    const double mixed = weighted_dot(graph_.masses, outputs_, direction_);
    const double square = weighted_dot(graph_.masses, direction_, direction_);
    std::vector<Pull> sums(block_count(graph_.edge_count(), edges_in_block));
    constexpr int most_looks = 40;
    double step = 1.0;
    double low = 0.0;
    double high = std::numeric_limits<double>::infinity();
    for (int look = 0; look < most_looks; ++look) {
        parallel_tasks(context_, sums.size(), [&](std::size_t task) {
            const Range range = block_range(task, graph_.edge_count(), edges_in_block);
            Pull sum{0.0, 0.0};
            for (std::size_t a = range.begin; a < range.end; ++a) {
                const double excess = excess_[a] + step * (linear_[a] + step * quadratic_[a]);
                const double change = linear_[a] + 2.0 * step * quadratic_[a];
                const Pull pull = pull_at(multipliers_[a] + penalties_[a] * excess, roundings_[a]);
                sum.force += pull.force * change;
                sum.slope += 2.0 * pull.force * quadratic_[a] + pull.slope * penalties_[a] * change * change;
            }
            sums[task] = sum;
        });
        Pull derivative{-2.0 * (mixed + step * square), -2.0 * square};
        for (const Pull& sum : sums) {
            derivative.force += sum.force;
            derivative.slope += sum.slope;
        }
        if (std::abs(derivative.force) < -0.1 * slope) {
            break;
        }
        (derivative.force < 0.0 ? low : high) = step;
        const double newton = derivative.slope > 0.0 ? step - derivative.force / derivative.slope : 2.0 * step;
        const bool inside = newton > low && newton < high;
        step = inside ? std::min(newton, 4.0 * step) : high < 1e300 ? (low + high) / 2.0 : 2.0 * step;
    }
    return step;
}

std::int64_t Stretching::descend(double least_gain, std::int64_t steps) {
    std::int64_t taken = 0;
    while (taken < steps && !context_.interruption()) {
        const double slope = newton_direction();
        ++taken;
        if (!(-slope / 2.0 > least_gain * last_trace_)) {
            break;
        }
        const double step = exact_step(slope);
        for (std::size_t k = 0; k < outputs_.values().size(); ++k) {
            outputs_.values()[k] += step * direction_.values()[k];
        }
        evaluate();
    }
    return taken;
}

void Stretching::reshape(Index fewest, double least_share, const std::vector<double>& column) {
    MultiVector<double> heavy = outputs_;
    for (std::size_t v = 0; v < graph_.nodes; ++v) {
        for (Index c = 0; c < heavy.columns(); ++c) {
            heavy.at(v, c) *= graph_.masses[v];
        }
    }
    const SmallEigen axes = symmetric_eigen(gram(outputs_, heavy, context_), SpectrumOrder::Largest);
    MultiVector<double> turned = multiply(outputs_, axes.vectors, context_);
    const double total = trace();
    Index kept = 1;
    while (kept < turned.columns() && (kept < fewest || axes.values[kept] > least_share * total)) {
        ++kept;
    }
    const Index before = outputs_.columns();
    outputs_ = MultiVector<double>(turned.rows(), kept + (column.empty() ? 0 : 1));
    constexpr double share = 1e-6;  // share of the trace that the new column begins with
    for (std::size_t v = 0; v < graph_.nodes; ++v) {
        std::copy_n(turned.row(v), kept, outputs_.row(v));
        if (!column.empty()) {
            outputs_.at(v, kept) = std::sqrt(share * total) * column[v];
        }
    }
    if (outputs_.columns() != before) {
        prepare_system();
    }
    evaluate();
}

}  // namespace isogon
