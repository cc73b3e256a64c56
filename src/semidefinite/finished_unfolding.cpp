#include "semidefinite/finished_unfolding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "isogon/core/option_table.hpp"
#include "isogon/linalg/symmetric_eigen.hpp"
#include "isogon/linalg/wide_vectors.hpp"

namespace isogon {

namespace {

void take_mean_off(WideVectors& outputs) {
    for (Index c = 0; c < outputs.columns; ++c) {
        double mean = 0.0;
        for (std::size_t i = 0; i < outputs.rows; ++i) {
            mean += outputs.at(i, c);
        }
        mean /= static_cast<double>(outputs.rows);
        for (std::size_t i = 0; i < outputs.rows; ++i) {
            outputs.at(i, c) -= mean;
        }
    }
}

void multiply(double factor, WideVectors& outputs, Index c) {
    for (std::size_t i = 0; i < outputs.rows; ++i) {
        outputs.at(i, c) *= factor;
    }
}

void fix_sign(WideVectors& outputs, Index c) {
    double largest = 0.0;
    for (std::size_t i = 0; i < outputs.rows; ++i) {
        if (std::abs(outputs.at(i, c)) > std::abs(largest)) {
            largest = outputs.at(i, c);
        }
    }
    if (largest < 0.0) {
        multiply(-1.0, outputs, c);
    }
}

std::string message_of(const Unfolding& unfolding, double tolerance) {
    const std::string gap = "gap " + to_text(OptionValue{unfolding.gap}) + ", largest violation " +
                            to_text(OptionValue{unfolding.largest_violation});
    switch (unfolding.status) {
        case SemidefiniteStatus::Solved: return gap + ", within " + to_text(OptionValue{tolerance});
        case SemidefiniteStatus::Unbounded:
            return "at this price the points can be pulled apart without end: raise the price";
        case SemidefiniteStatus::Interrupted: return "interrupted at " + gap;
        default: return "the iterations ended at " + gap;
    }
}

}  // namespace

KeptDistances kept_distances(const WideVectors& outputs, const std::vector<Index>& first,
                             const std::vector<Index>& second, const std::vector<double>& squared,
                             const MultiplierRule& rule) {
    KeptDistances kept;
    double largest = 1.0;
    for (std::size_t a = 0; a < squared.size(); ++a) {
        double found = 0.0;
        for (Index c = 0; c < outputs.columns; ++c) {
            const double difference = outputs.at(first[a], c) - outputs.at(second[a], c);
            found += difference * difference;
        }
        const double ratio = found == squared[a] ? 1.0
                             : squared[a] > 0.0  ? found / squared[a]
                                                 : std::numeric_limits<double>::infinity();
        kept.paid += rule.rule() == DistanceRule::Slack ? rule.price() * std::abs(found - squared[a]) : 0.0;
        largest = std::max(largest, ratio);
        if (rule.rule() == DistanceRule::Equal) {
            kept.largest_violation = std::max(kept.largest_violation, std::abs(ratio - 1.0));
        }
    }
    if (rule.rule() == DistanceRule::AtMost) {
        kept.largest_violation = largest - 1.0;
        kept.scale = 1.0 / std::sqrt(largest);
    }
    return kept;
}

Unfolding finished_unfolding(WideVectors outputs, const DistanceConstraints& constraints, const MultiplierRule& rule,
                             double bound, double tolerance, SemidefiniteStatus status, const RunContext& context) {
    std::vector<Index> first;
    std::vector<Index> second;
    for (const auto& [i, j] : constraints.pairs) {
        first.push_back(i);
        second.push_back(j);
    }
    take_mean_off(outputs);
    const double scale = kept_distances(outputs, first, second, constraints.squared, rule).scale;
    for (Index c = 0; c < outputs.columns; ++c) {
        multiply(scale, outputs, c);
    }
    const SmallEigen axes = symmetric_eigen(cross_product(outputs, outputs, context), SpectrumOrder::Largest);
    Unfolding result{.status = status, .outputs = combination(outputs, axes.vectors, context), .bound = bound};
    for (Index c = 0; c < result.outputs.columns; ++c) {
        fix_sign(result.outputs, c);
    }
    const KeptDistances kept = kept_distances(result.outputs, first, second, constraints.squared, rule);
    for (const double length : column_lengths(result.outputs, context)) {
        result.eigenvalues.push_back(length * length);
        result.trace += length * length;
    }
    result.trace -= kept.paid;
    result.largest_violation = kept.largest_violation;
    // Without a unit of its own: the same for points of any size.
    const double size = std::abs(bound) + std::abs(result.trace);
    result.gap = std::isinf(bound) ? bound : size > 0.0 ? (bound - result.trace) / size : 0.0;
    // The best outputs and the best bound may be of different rounds: together they may prove what neither round did.
    if (status == SemidefiniteStatus::NotConverged && std::abs(result.gap) <= tolerance &&
        result.largest_violation <= tolerance) {
        result.status = SemidefiniteStatus::Solved;
    }
    result.message = message_of(result, tolerance);
    return result;
}

}  // namespace isogon
