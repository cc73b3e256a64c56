#pragma once
#include <cstdint>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// Throws InvalidArgument unless there are as many targets as points, InputError for infinity, and unless two rows at
/// least have no NaN. None at all are allowed.
void require_targets(const PointsView& targets, Index points);

/// The fuzzy graph (graph/calibrated_affinities.hpp) of the points by their targets: rows are numbers, compared by
/// Euclidean distance, and a row with NaN is of an unknown target and has no edges. Noise of 1e-5 of the largest number
/// draws neighbours at random from among those at equal distance. Time and memory of a search for neighbours.
[[nodiscard]] CsrMatrix<double> target_graph(const PointsView& targets, int neighbors, std::uint64_t seed,
                                             const RunContext& context);

}  // namespace isogon
