#pragma once
#include <functional>

#include "isogon/methods/method.hpp"
#include "linalg/multi_vector.hpp"

namespace isogon {

/// A fit in d dimensions with its certificate ("kept_neighbors"): begun at the coordinates of a fit in more dimensions,
/// or, where these are null, at the method's own start. Seconds go on from those in `before`.
using FitInDimensions = std::function<Embedding(Index d, const Embedding* wider, const Summary& before)>;

/// The fit in the fewest dimensions, at most `most`, that keeps a share `recall` of all neighbours: d is doubled from 8
/// until a fit does, and then bisected, each fit begun at the best one's principal directions. Between two dimensions
/// the share is taken to grow, so that about 2 log2(d) fits suffice. The measures of the result have the curve
/// ("kept_neighbors_in_8", ...), its seconds are those of all fits. An interruption ends the search with the fit in the
/// fewest dimensions that did, or with the last one. `before`: seconds of the steps before.
[[nodiscard]] Embedding fit_in_fewest_dimensions(double recall, Index most, const FitInDimensions& fit,
                                                 const Summary& before);

/// The points in the d directions in which they are longest: a start for a fit in fewer dimensions.
[[nodiscard]] Points in_fewer_dimensions(const Points& coordinates, Index d, const RunContext& context);

}  // namespace isogon
