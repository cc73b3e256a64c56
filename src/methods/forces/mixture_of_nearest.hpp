#pragma once
#include "isogon/core/points.hpp"
#include "isogon/methods/embedding.hpp"

namespace isogon {

/// New points of a force layout are mixtures of their 10 nearest fitted points, strongly regularised towards their
/// mean, because a map of clusters allows no extrapolation.
[[nodiscard]] BarycentricMap mixture_of_nearest(const Points& coordinates);

}  // namespace isogon
