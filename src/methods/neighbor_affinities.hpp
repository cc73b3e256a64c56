#pragma once
#include <cstdint>
#include <optional>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/core/summary.hpp"
#include "methods/spectral_neighbors.hpp"

namespace isogon {

/// How many neighbours a perplexity takes: three times as many, beyond which weights are nothing. At most n - 1.
[[nodiscard]] int neighbors_of_perplexity(double perplexity, Index points);

/// The perplexity that takes so many; not above 1 of three and fewer, which are then all alike.
[[nodiscard]] double perplexity_of_neighbors(int neighbors);

/// The perplexity that is given, or else `usual`, or what so many points have if that is less. Throws InvalidArgument
/// naming the largest that fits, (n - 1) / 3, for one that is above it. No value: too few points for any above 1.
[[nodiscard]] std::optional<double> fitting_perplexity(const std::optional<double>& given, double usual, Index points);

/// t-SNE's P: (p_j|i + p_i|j) / 2n over the graph of the wanted neighbours, so that all weights together are 1; without
/// a perplexity, all neighbours alike. Seconds go to "neighbors" and "affinities". Throws Interruption.
[[nodiscard]] CsrMatrix<float> neighbor_affinities(const PointsView& points, const NeighborsWanted& wanted,
                                                   const std::optional<double>& perplexity, Summary& summary,
                                                   const RunContext& context);

}  // namespace isogon
