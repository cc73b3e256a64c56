#pragma once
#include "isogon/linalg/truncated_svd.hpp"
#include "isogon/methods/embedding.hpp"

namespace isogon {

/// What svd and pca share: checks, memory, projection, summary.
[[nodiscard]] Embedding linear_projection(const PointsView& x, int dimension, bool centered, const RunContext& context);

}  // namespace isogon
