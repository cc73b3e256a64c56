#pragma once
#include "isogon/core/communicator.hpp"
#include <vector>

#include "isogon/core/distributed_points.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// Requirements of every method on its input: at least two points, not all equal, no NaN or infinity (else InputError),
/// and a dimension of at most D and below n (else InvalidArgument). Collective.
void require_points(const DistributedPoints& x, int dimension);

/// Requires that all ranks have the same points, bit for bit (of distributed points the same number and dimension,
/// which is all that can be compared), and the same options. Throws InputError on all ranks, naming the first that
/// differs from rank 0. Does nothing without a communicator.
void require_same_on_all_ranks(const DistributedPoints& x, const OptionValues& options, const RunContext& context);

/// The points scaled for a pairwise objective, and their lengths: all 1 (every pair has the same weight), or |x_i| over
/// the root mean square (a pair has the weight |x_i|^2 |x_j|^2). Zero vectors keep length 0.
struct WeightedPoints {
    Points points;               ///< of distributed points those of this rank
    std::vector<float> lengths;  ///< of all
};

/// O(n D) time and memory. Collective.
[[nodiscard]] WeightedPoints weighted_points(const DistributedPoints& all, bool unit, const RunContext& context);

}  // namespace isogon
