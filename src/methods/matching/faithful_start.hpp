#pragma once
#include <cstdint>
#include <vector>

#include "isogon/linalg/multi_vector.hpp"
#include "isogon/methods/faithful.hpp"
#include "isogon/pairs/similarities.hpp"

namespace isogon {

/// A copy of the user's start.
[[nodiscard]] Points given_start(const FitExtras& extras);

/// Coordinates scaled to the spheres, |y_i| = lengths[i]; where there is no direction to keep, a random one.
[[nodiscard]] MultiVector<float> on_spheres(const PointsView& coordinates, const std::vector<float>& lengths,
                                            std::uint64_t seed);

/// The outputs of 100 updates of tsm, begun at eq. 17 of Saul 2022b from these projections. Throws Interruption.
[[nodiscard]] Points tsm_start(const Similarities& s, const Points& projections, const FaithfulOptions& options,
                               const RunContext& context);

}  // namespace isogon
