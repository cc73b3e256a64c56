#pragma once
#include <cstdint>

#include "isogon/core/run_context.hpp"
#include "semidefinite/unfolding.hpp"

namespace isogon {

struct LowRankOptions {
    double tolerance = 1e-3;        ///< bound on gap and violation: distances to three digits
    std::int64_t iterations = 500;  ///< Newton steps at most; some 100 are usual
    std::uint64_t seed = 0;         ///< seed for the columns that the start does not determine
};

/// Unfolds n points by their outputs themselves, K = R R^T with R of few columns (Burer and Monteiro, "A nonlinear
/// programming algorithm for solving semidefinite programs via low-rank factorization", Math. Programming 2003), so
/// that n may be tens of thousands:
///     maximise sum_i |r_i - mean|^2 subject to |r_i - r_j|^2 <= d_a of the kept squared distances,
/// inequalities, which are feasible whatever the distances; most are active at the optimum. Tried and rejected:
/// equalities, which a few columns cannot satisfy, take many steps and may end without a bound.
/// An augmented Lagrangian, its multipliers smooth by a barrier, is minimised by Newton steps with a sparse factor of
/// the Hessian and an exact line search, at penalties that double (docs/methods/sde.md).
///
/// The multipliers y also give a bound: where L(y), the Laplacian of the graph with weights y, is at least mu times the
/// centring matrix, y / mu is feasible for the dual, and no unfolding has more than b.y / mu. So the gap is certified
/// even at a local optimum; where mu is below 1 at what looks like an optimum, R gets a column along the eigenvector, a
/// direction of descent (Boumal, Voroninski, Bandeira, "The non-convex Burer-Monteiro approach works on smooth
/// semidefinite programs", NeurIPS 2016).
///
/// `start`: n rows, one or more columns, for instance the projection on principal directions, which passes no distance;
/// empty: random, of 4. Points joined by a distance of 0 are one point. After a final scaling no distance is passed.
/// Time: by the fill of the factor, n^1.5 and more a step on a sheet, far more where points are in many dimensions; n k
/// words of memory and the factor, stated when its pattern is known. Same bits for any number of threads.
///
/// Throws InvalidArgument (sizes, options; pairs that are not i < j < n, ascending, each once; squared distances that
/// are not finite and at least 0; points that no chain of pairs connects, for which the program is unbounded; pairs
/// whose factor would take more than 1e11 operations), LimitExceeded. An interrupted run returns the best so far.
[[nodiscard]] Unfolding unfold_low_rank(const MultiVector<double>& start, Index n,
                                        const DistanceConstraints& constraints, const LowRankOptions& options = {},
                                        const RunContext& context = {});

}  // namespace isogon
