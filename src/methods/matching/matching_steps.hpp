#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/core/summary.hpp"
#include "isogon/distributed/distributed_points.hpp"
#include "isogon/pairs/threshold.hpp"

namespace isogon {

/// tau as given, or chosen for 99% sparsity, and the sparsity of S estimated from a sample. Seconds go to "threshold",
/// tau to the measures.
[[nodiscard]] AngleHistograms threshold_step(const DistributedPoints& x, const std::optional<double>& given,
                                             std::uint64_t seed, Summary& summary, const RunContext& context);

/// States the memory of a method that matches similarities: S of which a share `density` of pairs is above the
/// threshold, the `rank` singular directions that it starts with, and `more`.
void state_matching(const DistributedPoints& x, Index rank, double density, std::vector<MemoryItem> more,
                    const RunContext& context);

/// How the updates of tsm or faithful ended, for one sentence.
struct MatchingEnd {
    Termination termination = Termination::Converged;
    std::size_t updates = 0;
    std::string form{};       ///< " on the spheres"; empty where there is only one
    std::string tolerance{};  ///< as a number; empty: nothing was left to solve
    std::string residual{};   ///< ", |S - max(0, L)| / |S| = 0.1"; empty before the first update
    std::string fallback{};   ///< ": these are the coordinates of svd", after a numerical failure
};

[[nodiscard]] std::string message_of(const MatchingEnd& end);

/// Progress with the coordinates that an end of the run now would give, computed only where a callback asks.
[[nodiscard]] Progress with_coordinates(Progress progress, std::function<Points()> coordinates);

/// The context, whose callback gets coordinates after `restore`, in the unit of the input. Refers to `restore`.
[[nodiscard]] RunContext restoring(const RunContext& context, const std::function<void(Points&)>& restore);

}  // namespace isogon
