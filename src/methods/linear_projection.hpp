#pragma once
#include "isogon/methods/method.hpp"
#include "linalg/truncated_svd.hpp"

namespace isogon {

/// Reports the accuracy of a decomposition: message, measure "residual", count "unresolved_directions"; a warning, and
/// IterationLimit, where directions have not converged.
void record_accuracy(const TruncatedSvd& svd, Summary& summary);

}  // namespace isogon
