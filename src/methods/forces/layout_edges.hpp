#pragma once
#include <optional>
#include <string>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/core/summary.hpp"
#include "isogon/methods/embedding.hpp"
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

/// The perplexity for that many neighbours; not above 1 for three and fewer, whose weights are then equal.
[[nodiscard]] double perplexity_of_neighbors(int neighbors);

/// The given perplexity, else `usual`, limited to the largest that the number of points allows. Throws InvalidArgument
/// naming the largest that fits, (n - 1) / 3, for one that is above it. No value: too few points for any above 1.
[[nodiscard]] std::optional<double> fitting_perplexity(const std::optional<double>& given, double usual, Index points);

/// t-SNE's P: (p_j|i + p_i|j) / 2n over the graph of the wanted neighbours, so that the weights sum to 1; without a
/// perplexity, all neighbours have the same weight. Seconds go to "neighbors" and "affinities". Throws Interruption.
[[nodiscard]] CsrMatrix<float> neighbor_affinities(const PointsView& points, const NeighborsWanted& wanted,
                                                   const std::optional<double>& perplexity, Summary& summary,
                                                   const RunContext& context);

}  // namespace isogon
