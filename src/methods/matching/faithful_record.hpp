#pragma once
#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "isogon/faithful/faithful_path.hpp"
#include "isogon/methods/faithful.hpp"
#include "methods/checkpoints.hpp"

namespace isogon {

/// d, once it is chosen.
[[nodiscard]] inline Index dimension_of(const FaithfulOptions& options) {
    return static_cast<Index>(options.dimension.value_or(0));
}

/// The most dimensions that faithful can have: those of the inputs, and fewer than points.
[[nodiscard]] inline Index most_dimensions(const DistributedPoints& x) {
    return std::min(x.dimension(), x.count() - 1);
}

/// States what faithful takes, once tau and with it the density of S is known, and `more`.
void state_faithful(const DistributedPoints& x, const FaithfulOptions& options, double density, bool checkpoints,
                    const RunContext& context, std::vector<MemoryItem> more = {});

/// The same where every point's neighbours alone are kept: no similarities, and no search where they are given.
void state_neighbors_alone(const DistributedPoints& x, const FaithfulOptions& options, Index k, const FitExtras& extras,
                           const RunContext& context);

/// The path, and its end, with a checkpoint between updates where one is due, and after an interruption; from the
/// checkpoint to resume, if there is one. `coordinates`: those that the path has come to, for a callback that looks.
struct FollowedPath {
    std::unique_ptr<FaithfulPath> path;
    Termination end = Termination::Converged;
};
[[nodiscard]] FollowedPath follow_path(const Similarities& s, const std::vector<float>& lengths,
                                       MultiVector<float> start, const FaithfulPathOptions& options,
                                       const std::function<Points(const FaithfulPath&)>& coordinates,
                                       Checkpoints& checkpoints, const RunContext& context);

/// Termination, trace, message, violating_pairs, relaxed, strained, relative_residual, residual_on_spheres.
void record_path(const FollowedPath& followed, Index dimension, Summary& summary);

}  // namespace isogon
