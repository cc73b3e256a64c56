#pragma once
#include "isogon/core/csr_matrix.hpp"
#include "isogon/methods/method.hpp"
#include "linalg/truncated_svd.hpp"

namespace isogon {

/// Common part of svd and pca: projections of the inputs on their top singular directions, those of the centred inputs
/// if `centered`. Options are left to the method.
[[nodiscard]] Embedding linear_projection(const PointsView& x, int dimension, bool centered, const RunContext& context);
/// The same of a sparse matrix.
[[nodiscard]] Embedding linear_projection(const CsrMatrix<double>& x, int dimension, bool centered,
                                          const RunContext& context);

/// Reports the accuracy of a decomposition: message, measure "residual", count "unresolved_directions"; a warning, and
/// IterationLimit, where directions have not converged.
void record_accuracy(const TruncatedSvd& svd, Summary& summary);

}  // namespace isogon
