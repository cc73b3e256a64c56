#pragma once
#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon::cli {

/// The Jaccard index by which Saul 2022, appendix B, judges Isomap: near in x are the pairs of `near` (the upper half
/// of a matrix, as pairs_above() gives it), near in y those with |y_i - y_j|^2 / 2 < 1 - tau, y being the first
/// `dimension` columns of `coordinates`. Each point's pair with itself is in both, and counted. Throws Interruption.
/// O(n^2 d).
[[nodiscard]] double distance_jaccard(const CsrMatrix<float>& near, const PointsView& coordinates, Index dimension,
                                      double tau, const RunContext& context);

}  // namespace isogon::cli
