#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/multi_vector.hpp"
#include "semidefinite/unfolding.hpp"

namespace isogon {

/// All points as combinations of the landmarks: Q, n x m, such that x ~ Q x_landmarks (Weinberger, Packer and Saul,
/// "Nonlinear dimensionality reduction by semidefinite programming and kernel matrix factorization", AISTATS 2005,
/// section 3.1). `weights` W reconstruct points from their neighbours, rows summing to one
/// (graph/barycentric_weights.hpp). With landmarks fixed, the others minimise |(I - W) x|^2: Q has the identity in the
/// rows of landmarks, and -Phi_uu^-1 Phi_ul in those of the unknown, Phi = (I - W)^T (I - W). Rows of Q sum to one.
///
/// Solves by a sparse factor of Phi_uu, in float64, all m right-hand sides in parallel; never a dense n x n. Memory
/// landmark_reconstruction_bytes() and that of the factor, which is stated once its pattern is known; time that of its
/// elimination: seconds for 20,000 points on a sheet, minutes where points fill many dimensions. The same bits for any
/// number of threads. Throws InvalidArgument (landmarks that are not ascending rows of W; W not square), InputError
/// with the number of points that no chain of weights connects to a landmark, LimitExceeded; Interruption when the
/// context ends the run.
[[nodiscard]] MultiVector<double> landmark_reconstruction(const CsrMatrix<double>& weights,
                                                          std::span<const Index> landmarks,
                                                          const RunContext& context = {});

/// Bytes besides the inputs, with the returned matrix, without the factor.
[[nodiscard]] std::uint64_t landmark_reconstruction_bytes(const CsrMatrix<double>& weights, Index landmarks);

struct LandmarkUnfoldingOptions {
    double tolerance = 1e-3;    ///< excess of squared distances above which a constraint is added; the gap that is left
                                ///< in the end is about as much. Less than the error of Q is of no use
    std::int64_t rounds = 200;  ///< rounds of solving and adding violated constraints, at most; some 10 are usual
    SemidefiniteOptions solver{};
};

/// An unfolding of all points as Q times one of the landmarks, and its cost.
struct LandmarkUnfolding {
    Unfolding unfolding{};               ///< outputs n x (m - 1) at most; every distance within its bound, to rounding
    std::int64_t rounds = 0;             ///< rounds that ended with a solution
    std::size_t monitored = 0;           ///< constraints of the last round's program
    std::size_t passed_constraints = 0;  ///< to the solver, in any round
    Summary summary{};                   ///< seconds by phase; trace by round: the trace reached, what was violated
};

/// Maximise trace(Q L Q^T) over m x m matrices L >= 0 subject to sum_ij (Q L Q^T)_ij = 0 and |y_i - y_j|^2 at most its
/// bound, K = Q L Q^T being the Gram matrix of the outputs y (Weinberger, Packer and Saul, AISTATS 2005, eq. 9).
///
/// Solved as max trace(X), K = P X P^T: P, n x (m - 1), is an orthonormal basis of what centred combinations of Q's
/// columns span. Centring then needs no constraint, the program has an interior, and X has the eigenvalues of K.
///
/// Bounds enter in rounds. First m - 1 of them that span the space, chosen by pivots: trace(X) is then bounded, for
/// sum y v v^T, v = p_i - p_j, can be made to exceed I. After each round all bounds are checked and the most violated
/// are added, a few from the neighbourhood of each landmark; constraints with slack and a zero multiplier are dropped,
/// once each. A round's solution, scaled until all bounds hold, is feasible and gives a lower bound; its multipliers y,
/// scaled until sum y v v^T >= I, give an upper bound that does not rely on the solver's status: `gap` is that of the
/// whole problem.
///
/// `reconstruction`: Q, n x m, rows summing to one (landmark_reconstruction()). Constraints must join all points, or
/// the problem has no bound: status Unbounded. Status Solved: nothing is violated beyond the tolerance; Interrupted and
/// NotConverged: the best solution so far; without outputs if there is none. Time a round: a small program (m is some
/// tens) and a pass over all constraints, O((n + constraints) m). Memory landmark_unfolding_bytes(). The same bits for
/// any number of threads. Throws InvalidArgument (fewer than 2 landmarks, a squared distance that is not above 0:
/// remove duplicates first), LimitExceeded; Interruption before the first round.
[[nodiscard]] LandmarkUnfolding landmark_unfolding(const MultiVector<double>& reconstruction,
                                                   const DistanceConstraints& constraints,
                                                   const LandmarkUnfoldingOptions& options,
                                                   const RunContext& context = {});

/// Bytes besides the inputs, without the solver, whose programs are small.
[[nodiscard]] std::uint64_t landmark_unfolding_bytes(Index points, Index landmarks, std::size_t constraints);

}  // namespace isogon
