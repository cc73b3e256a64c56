#pragma once
#include "isogon/core/communicator.hpp"
#include <vector>

#include "isogon/core/distributed_points.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// What every method asks of its input: at least two points, not all equal, no NaN or infinity (InputError), and a
/// dimension of at most D and below n (InvalidArgument). Collective.
void require_points(const DistributedPoints& x, int dimension);

/// What ranks ask of each other: the same points, to the bit (of those that they divide as many of the same dimension,
/// for nobody could tell more), and the same options, where without it they would do
/// different things side by side. Throws InputError on all of them, naming the first that differs from rank 0. Does
/// nothing without a communicator.
void require_same_on_all_ranks(const DistributedPoints& x, const OptionValues& options, const RunContext& context);

/// The points as a pairwise objective weighs them, and their lengths: all 1 (every pair counts alike), or their own
/// over the root of the mean square (a pair counts by |x_i|^2 |x_j|^2). Zero vectors keep length 0.
struct WeightedPoints {
    Points points;               ///< of divided points those of this rank
    std::vector<float> lengths;  ///< of all
};

/// O(n D) time and memory. Collective.
[[nodiscard]] WeightedPoints weighted_points(const DistributedPoints& all, bool unit, const RunContext& context);

}  // namespace isogon
