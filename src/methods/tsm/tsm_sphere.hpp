#pragma once
#include <cstdint>

#include "isogon/distributed/distributed_points.hpp"
#include "methods/checkpoints.hpp"
#include "methods/method_frame.hpp"
#include "methods/tsm.hpp"

namespace isogon {

using TsmFit = RunningFit<TsmOptions, DistributedPoints>;

/// tsm by outputs on spheres: the directions y_i of length 1 (0 for inputs of length 0) that minimise
///     sum_{cos_ij > tau} (y_i.y_j - cos_ij)^2 + 0.8 sum_{all others} max(0, y_i.y_j - tau)^2
/// by L-BFGS (decomposition/riemannian_lbfgs.hpp), then scaled to the lengths of the inputs. Every pair counts alike.
/// Isolated points are tied to their ten nearest by these pairs' cosines. `copied`: bytes of the points in their unit.
void fit_on_spheres(TsmFit& fit, std::uint64_t copied, Checkpoints& checkpoints);

}  // namespace isogon
