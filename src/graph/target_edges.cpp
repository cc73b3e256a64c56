#include "graph/target_edges.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/elementary.hpp"
#include "core/parallel.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"

namespace isogon {

namespace {

constexpr std::size_t target_rows_of_task = 256;

double least_weight(const CsrMatrix<double>& graph) {
    double least = 1.0;
    std::ranges::for_each(graph.values, [&](double value) { least = value > 0.0 ? std::min(least, value) : least; });
    return std::max(least / 2.0, 1e-8);
}

/// How two weights of a pair become one.
struct Mixture {
    double weight;
    double without_edge;    ///< the weight of a pair that is no edge of the inputs
    double without_target;  ///< or of the targets

    [[nodiscard]] double of(double input, double target) const {
        if (weight < 0.5) {
            return input * elementary::pow(target, weight / (1.0 - weight));
        }
        return elementary::pow(input, (1.0 - weight) / weight) * target;
    }
};

/// Calls visit(j, place in one or -1, place in the other or -1) for each column of either row, in order.
template <class Visit>
void for_each_of_both(const CsrMatrix<double>& one, const CsrMatrix<double>& other, Index i, const Visit& visit) {
    Offset a = one.offsets[i];
    Offset b = other.offsets[i];
    while (a < one.offsets[i + 1] || b < other.offsets[i + 1]) {
        const bool has_a = a < one.offsets[i + 1];
        const bool has_b = b < other.offsets[i + 1];
        const bool takes_a = has_a && (!has_b || one.indices[a] <= other.indices[b]);
        const bool takes_b = has_b && (!has_a || other.indices[b] <= one.indices[a]);
        visit(takes_a ? one.indices[a] : other.indices[b], takes_a ? &one.values[a] : nullptr,
              takes_b ? &other.values[b] : nullptr);
        a += takes_a ? 1 : 0;
        b += takes_b ? 1 : 0;
    }
}

/// Columns of either graph in each row, and no values yet.
CsrMatrix<double> joined(const CsrMatrix<double>& one, const CsrMatrix<double>& other) {
    CsrMatrix<double> all{.rows = one.rows, .columns = one.columns};
    all.offsets.assign(1, 0);
    for (Index i = 0; i < one.rows; ++i) {
        for_each_of_both(one, other, i, [&](Index j, const double*, const double*) { all.indices.push_back(j); });
        all.offsets.push_back(all.indices.size());
    }
    all.values.resize(all.indices.size());
    return all;
}

/// Each row divided by its largest weight, then the union of both directions.
void restore_connectivity(CsrMatrix<double>& graph, const RunContext& context) {
    std::vector<double> largest(graph.rows);
    for (Index i = 0; i < graph.rows; ++i) {
        const auto weights = graph.row_values(i);
        largest[i] = weights.empty() ? 1.0 : *std::ranges::max_element(weights);
    }
    parallel_blocks(context, graph.rows, target_rows_of_task, [&](Range rows) {
        for (auto i = static_cast<Index>(rows.begin); i < rows.end; ++i) {
            for (Offset e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) {
                const double there = graph.values[e] / largest[i];
                const double back = graph.values[e] / largest[graph.indices[e]];
                graph.values[e] = there + back - there * back;
            }
        }
    });
}

}  // namespace

CsrMatrix<double> with_targets(CsrMatrix<double> graph, const CsrMatrix<double>& targets, double weight,
                               const RunContext& context) {
    if (!(weight >= 0.0 && weight <= 1.0)) {
        throw InvalidArgument("target-weight", to_text(OptionValue{weight}), "must be at least 0 and at most 1");
    }
    if (targets.rows != graph.rows) {
        throw InvalidArgument("targets", std::to_string(targets.rows),
                              "must be " + std::to_string(graph.rows) + ", one for each point");
    }
    if (weight == 0.0 || targets.values.empty()) {
        return graph;
    }
    constexpr double most_without_target = 1e-4;
    const Mixture mixture{std::min(weight, 1.0 - 1e-6), least_weight(graph),
                          std::min(least_weight(targets), most_without_target)};
    const auto is_known = [&](Index i) { return targets.offsets[i] < targets.offsets[i + 1]; };
    CsrMatrix<double> all = joined(graph, targets);
    throw_if_cancelled(context);
    parallel_blocks(context, graph.rows, target_rows_of_task, [&](Range rows) {
        for (auto i = static_cast<Index>(rows.begin); i < rows.end; ++i) {
            double* value = all.values.data() + all.offsets[i];
            for_each_of_both(graph, targets, i, [&](Index j, const double* input, const double* target) {
                const double by_input = input == nullptr ? mixture.without_edge : *input;
                const double by_target = !(is_known(i) && is_known(j)) ? std::sqrt(mixture.without_target)
                                         : target == nullptr           ? mixture.without_target
                                                                       : *target;
                *value++ = mixture.of(by_input, by_target);
            });
        }
    });
    restore_connectivity(all, context);
    return all;
}

}  // namespace isogon
