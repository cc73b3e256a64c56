#pragma once
#include <cstdint>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "semidefinite/unfolding.hpp"

namespace isogon {

struct ExactUnfoldingOptions {
    double price = 1.0;  ///< above 0: lost trace for a unit of error of a squared distance; slack_penalty()
    SemidefiniteOptions solver{};
};

/// Maximise trace(K) over n x n matrices K >= 0 with sum_ij K_ij = 0, less price |K_ii - 2 K_ij + K_jj - d_a| for each
/// kept distance (Weinberger, Packer and Saul, AISTATS 2005, section 2), by an interior point method: the optimum to
/// its gap. Distances are then off by some thousandths: noisy and curved data do not unfold under equalities.
///
/// Solved over K' of n - 1 rows, the Gram matrix with the last point in the origin: distances do not depend on the
/// origin, so that maximise trace(K') - 1^T K' 1 / n, the trace of K' centred, is the same program, and no constraint
/// keeps its solutions on an edge of the cone. Equalities would keep them there, where points have more
/// neighbours than dimensions: distances within a neighbourhood then fix its Gram matrix, which is singular. With a
/// price there is always an interior.
///
/// Constraints must join all points, or there is no bound: status Unbounded. For some thousand constraints: time n^3 +
/// m^3 / 3 + m^2 an iteration, memory semidefinite_bytes(n, m). Outputs: those eigenvectors of K whose eigenvalues are
/// above 1e-9 of the first. The same bits for any number of threads. Throws InvalidArgument (no points, no constraints
/// or more than 8,000, a price that is not above 0), LimitExceeded. An interrupted run returns its last iterate,
/// without outputs if distances are wrong by half or more on average.
[[nodiscard]] Unfolding unfold_exactly(Index points, const DistanceConstraints& constraints,
                                       const ExactUnfoldingOptions& options, const RunContext& context = {});

}  // namespace isogon
