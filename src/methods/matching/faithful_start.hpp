#pragma once
#include <cstdint>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "isogon/distributed/distributed_points.hpp"
#include "isogon/linalg/multi_vector.hpp"
#include "isogon/linalg/truncated_svd.hpp"
#include "isogon/methods/faithful.hpp"
#include "isogon/pairs/similarities.hpp"

namespace isogon {

/// The top d singular directions, where a descent begins. Of more than 100,000 points those of a sample: it
/// leaves them at once, and of a million digits those of all took ten seconds. O(rows D^2). Collective.
[[nodiscard]] TruncatedSvd start_directions(const DistributedPoints& points, Index d, std::uint64_t seed,
                                            const RunContext& context);
/// Bytes that it takes, those of a sample among them.
[[nodiscard]] std::uint64_t start_bytes(Index count, Index dimension, Index d);

/// The outputs of 100 updates of tsm, begun at eq. 17 of Saul 2022b from these projections. Throws Interruption.
[[nodiscard]] Points tsm_start(const Similarities& s, const Points& projections, const FaithfulOptions& options,
                               const RunContext& context);

}  // namespace isogon
