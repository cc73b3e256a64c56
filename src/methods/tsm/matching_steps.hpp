#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/distributed/distributed_points.hpp"
#include "isogon/methods/method.hpp"
#include "linalg/multi_vector.hpp"
#include "pairs/similarities.hpp"
#include "pairs/threshold.hpp"

namespace isogon {

/// tau as given, or chosen for 99% sparsity, and the sparsity of S estimated from a sample. Seconds go to "threshold",
/// tau to the measures.
[[nodiscard]] AngleHistograms threshold_step(const DistributedPoints& x, const std::optional<double>& given,
                                             std::uint64_t seed, Summary& summary, const RunContext& context);

/// States the memory of a method that matches similarities: S of which a share `density` of pairs is above the
/// threshold, the `rank` singular directions that it starts with, and `more`.
void state_matching(const DistributedPoints& x, Index rank, double density, std::vector<MemoryItem> more,
                    const RunContext& context);

/// How many nearest points an isolated one is tied to.
inline constexpr Index ties_of_isolated = 10;

/// S of eq. 3, with isolated points tied to their nearest, as it says nothing of them. Seconds go to "similarities",
/// the number of ties to the counts. Collective.
[[nodiscard]] Similarities tied_similarities(const DistributedPoints& points, double tau, const RunContext& context,
                                             Summary& summary);

/// A copy of the user's start.
[[nodiscard]] Points given_start(const FitExtras& extras);

/// Coordinates scaled to the spheres, |y_i| = lengths[i]; where there is no direction to keep, a random one.
[[nodiscard]] MultiVector<float> on_spheres(const PointsView& coordinates, const std::vector<float>& lengths,
                                            std::uint64_t seed);

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
