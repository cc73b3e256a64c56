#include "graph/label_edges.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/elementary.hpp"
#include "core/parallel.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"

namespace isogon {

namespace {

constexpr std::size_t labelled_rows_of_task = 256;
constexpr double least_factor = 1e-12;  // restored, an edge is still an edge

struct LabelFactors {
    double different = 1.0;
    double unknown = 1.0;

    [[nodiscard]] double of(std::int64_t one, std::int64_t other) const {
        return one < 0 || other < 0 ? unknown : one == other ? 1.0 : different;
    }
};

LabelFactors factors_of(double weight) {
    const double far = weight < 1.0 ? elementary::exp(-5.0 * weight / (1.0 - weight)) : 0.0;
    return {std::max(far, least_factor), elementary::exp(-2.0 * weight)};
}

double heaviest(std::span<const double> weights) {
    return weights.empty() ? 0.0 : *std::max_element(weights.begin(), weights.end());
}

}  // namespace

bool any_known(std::span<const std::int64_t> labels) {
    return std::ranges::any_of(labels, [](std::int64_t label) { return label >= 0; });
}

CsrMatrix<double> with_labels(CsrMatrix<double> graph, std::span<const std::int64_t> labels, double weight,
                              const RunContext& context) {
    if (!(weight >= 0.0 && weight <= 1.0)) {
        throw InvalidArgument("target-weight", to_text(OptionValue{weight}), "must be at least 0 and at most 1");
    }
    if (labels.size() != graph.rows) {
        throw InvalidArgument("labels", std::to_string(labels.size()),
                              "must be " + std::to_string(graph.rows) + ", one for each point");
    }
    if (weight == 0.0 || !any_known(labels)) {
        return graph;
    }
    const LabelFactors factors = factors_of(weight);
    std::vector<double> restoring(graph.rows, 1.0);  // each point's heaviest edge before over after
    const auto for_each_row = [&](const auto& visit) {
        throw_if_cancelled(context);
        parallel_blocks(context, graph.rows, labelled_rows_of_task, [&](Range rows) {
            for (auto i = static_cast<Index>(rows.begin); i < rows.end; ++i) {
                visit(i, std::span(graph.values).subspan(graph.offsets[i], graph.offsets[i + 1] - graph.offsets[i]));
            }
        });
    };
    for_each_row([&](Index i, std::span<double> weights) {
        const double before = heaviest(weights);
        const auto others = graph.row_indices(i);
        for (std::size_t k = 0; k < weights.size(); ++k) {
            weights[k] *= factors.of(labels[i], labels[others[k]]);
        }
        const double after = heaviest(weights);
        restoring[i] = after > 0.0 ? before / after : 1.0;
    });
    for_each_row([&](Index i, std::span<double> weights) {
        const auto others = graph.row_indices(i);
        for (std::size_t k = 0; k < weights.size(); ++k) {
            weights[k] *= std::max(restoring[i], restoring[others[k]]);
        }
    });
    return graph;
}

}  // namespace isogon
