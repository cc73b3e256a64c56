#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/forces/sampled_layout.hpp"

namespace isogon {

/// Optimises one output with all other outputs fixed. `place` is its start and receives the result. `neighbors` are
/// rows of the map, whose numbers are at most SampledLayout::largest_start in size, `weights` beside them are at least
/// 0 and not all 0.

/// UMAP's way, by the same samples as SampledLayout: a weight of 1 comes in every epoch. What is drawn is a function of
/// the options' seed, `stream` and the epoch. O(epochs weights negatives). Throws Interruption.
void settle_by_samples(const PointsView& map, std::span<const Index> neighbors, std::span<const double> weights,
                       const SamplingOptions& options, std::uint64_t stream, std::vector<double>& place,
                       const RunContext& context = {});

/// t-SNE's way: down KL(p || q) of this one row, q_l = k_l / sum_l k_l over the whole map, by steps to where its edges
/// alone would be at rest, were weights p k and the pushes what they are; a step that does not go down is halved. At
/// most 30 values. Returns the last, less sum p log p. `weights` are p and sum to 1. O(n) a value.
double settle_by_divergence(const PointsView& map, std::span<const Index> neighbors, std::span<const double> weights,
                            std::vector<double>& place);

}  // namespace isogon
