#pragma once
#include <optional>
#include <string>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/methods/method.hpp"
#include "methods/spectral/spectral_neighbors.hpp"

namespace isogon {

/// An option about how edges are found or weighted, and whether the user set it.
struct EdgeOption {
    std::string name{};
    std::string value{};
    bool asked_for = false;
};

/// For methods whose edges may come from outside. If `extras` has affinities: throws InvalidArgument if it has
/// neighbours too, or if the user set one of `options`, which would have no effect; InputError as require_affinities()
/// does (graph/affinities.hpp). O(entries).
void require_given_edges(const FitExtras& extras, Index points, const std::vector<EdgeOption>& options);

/// The number of neighbours for a perplexity: three times as many, beyond which weights are negligible. At most n - 1.
[[nodiscard]] int neighbors_of_perplexity(double perplexity, Index points);

/// The given perplexity, else 30 or a third of the other points, or of the neighbours in `lists`, if that is less, so
/// that each row has the three times as many neighbours that weigh; no value where a third is not above 1. A given one
/// may be any above 1 and below the number of points, else InvalidArgument: its rows then have fewer neighbours, all
/// others at most.
[[nodiscard]] std::optional<double> fitting_perplexity(const std::optional<double>& given, Index points,
                                                       const NeighborLists* lists = nullptr);

/// t-SNE's P: (p_j|i + p_i|j) / 2n over the graph of the wanted neighbours, so that the weights sum to 1; without a
/// perplexity, or where one is as large as the number of all others, all neighbours have the same weight. Seconds go to
/// "neighbors" and "affinities". Throws Interruption.
[[nodiscard]] CsrMatrix<float> neighbor_affinities(const PointsView& points, const NeighborsWanted& wanted,
                                                   const std::optional<double>& perplexity, Summary& summary,
                                                   const RunContext& context);

}  // namespace isogon
