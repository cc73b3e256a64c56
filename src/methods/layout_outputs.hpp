#pragma once
#include <string>

#include "isogon/core/points.hpp"
#include "isogon/linalg/wide_vectors.hpp"
#include "isogon/methods/embedding.hpp"

namespace isogon {

/// Outputs that forces have moved, as coordinates.
[[nodiscard]] Points to_coordinates(const WideVectors& y);

/// New points of such a layout are mixtures of their 10 nearest fitted ones, drawn towards their mean, as a map of
/// clusters bears no extrapolation.
[[nodiscard]] BarycentricMap mixture_of_nearest(const Points& coordinates);

/// Three digits, which are enough for a sentence.
[[nodiscard]] std::string rounded(double value);

}  // namespace isogon
