#include "methods/forces/target_graph.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "graph/calibrated_affinities.hpp"
#include "isogon/core/error.hpp"
#include "methods/forces/layout_outputs.hpp"
#include "methods/spectral/spectral_neighbors.hpp"

namespace isogon {

namespace {

bool is_known(std::span<const float> target) {
    return std::ranges::none_of(target, [](float value) { return std::isnan(value); });
}

std::vector<Index> known_rows(const PointsView& targets) {
    std::vector<Index> rows;
    for (Index i = 0; i < targets.count; ++i) {
        if (is_known(targets[i])) {
            rows.push_back(i);
        }
    }
    return rows;
}

/// The targets of these rows over the largest number, with noise.
Points separated(const PointsView& targets, const std::vector<Index>& rows, std::uint64_t seed) {
    constexpr double share_of_noise = 0.1;  // of the 1e-4 of a random start
    Points known = read_rows(ViewRows(targets), rows);
    double largest = 0.0;
    std::ranges::for_each(known.values(), [&](float value) { largest = std::max(largest, std::abs(double{value})); });
    const MultiVector<double> noise = random_start(known.count(), known.dimension(), seed);
    std::transform(known.values().begin(), known.values().end(), noise.values().begin(), known.values().begin(),
                   [largest](float value, double normal) {
                       return static_cast<float>((largest > 0.0 ? value / largest : 0.0) + share_of_noise * normal);
                   });
    return known;
}

/// The graph of some rows as one of all.
CsrMatrix<double> spread_to(Index points, const std::vector<Index>& rows, CsrMatrix<double> graph) {
    std::vector<Offset> offsets(std::size_t{points} + 1);
    for (std::size_t k = 0; k < rows.size(); ++k) {
        offsets[rows[k] + 1] = graph.offsets[k + 1] - graph.offsets[k];
    }
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    std::ranges::transform(graph.indices, graph.indices.begin(), [&](Index k) { return rows[k]; });
    return {points, points, std::move(offsets), std::move(graph.indices), std::move(graph.values)};
}

}  // namespace

void require_targets(const PointsView& targets, Index points) {
    if (targets.empty()) {
        return;
    }
    if (targets.count != points) {
        throw InvalidArgument("targets", std::to_string(targets.count),
                              "must be " + std::to_string(points) + ", one for each point");
    }
    for (Index i = 0; i < targets.count; ++i) {
        if (is_known(targets[i])) {
            require_finite({targets[i].data(), 1, targets.dimension, targets.stride}, "targets", i);
        }
    }
    if (known_rows(targets).size() < 2) {
        throw InputError("targets", "", "fewer than two rows have a target: give more, or none");
    }
}

CsrMatrix<double> target_graph(const PointsView& targets, int neighbors, std::uint64_t seed,
                               const RunContext& context) {
    const std::vector<Index> rows = known_rows(targets);
    const Points known = separated(targets, rows, seed);
    const int most = static_cast<int>(rows.size()) - 1;
    Summary summary;  // of a search that is none of the inputs'
    NeighborLists lists =
        neighbors_of(known.view(), {.neighbors = std::min(neighbors, most), .seed = seed}, summary, context);
    return spread_to(targets.count, rows, fuzzy_affinities(std::move(lists), 1.0, context));
}

}  // namespace isogon
