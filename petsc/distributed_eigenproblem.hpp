#pragma once
#include <optional>

#include "distributed_matrix.hpp"
#include "isogon/distributed/distributed_points.hpp"
#include "linalg/eigenproblem.hpp"

namespace isogon {

/// A x = lambda B x for a symmetric A and a positive definite B whose rows are divided among ranks.
struct DistributedEigenProblem {
    DistributedMatrix a{};
    std::optional<DistributedMatrix> b{};  ///< none: the identity
    SpectrumEnd end = SpectrumEnd::Smallest;
    MultiVector<double> deflation{};  ///< own rows of known solutions to exclude
};

/// Solves eigenproblems over ranks, by SLEPc (Hernandez, Roman, Vidal, "SLEPc: a scalable and flexible toolkit for
/// the solution of eigenvalue problems", ACM TOMS 2005). All ranks call it with their rows and the same options. The
/// smallest end: the Krylov-Schur method on (A + shift B)^-1, factored over the ranks by MUMPS if that is affordable;
/// else LOBPCG with a multigrid preconditioner. The largest end: the same method on B^-1 A. Problems of at most 200
/// rows are gathered and solved by solve() of linalg/eigenproblem.hpp.
///
/// Eigenpairs as there, of which a rank has its own rows; `method` is SparseFactor or Krylov, and may be asked for.
/// Residuals are computed from the result in the end, and the tolerance is on them. Another number of ranks gives other
/// bits: MPI and MUMPS choose the order of sums (docs/decisions/petsc.md).
///
/// At the limit of iterations, and when the context of any rank ends the run, it returns the best result so far and the
/// reason. Only ordering and factorisation cannot be interrupted: their cost is known beforehand, and bounded.
/// Throws InvalidArgument unless 1 <= count <= n - columns of `deflation`, or if shapes do not agree; LimitExceeded;
/// Interruption when the context ends the run before its first step. Memory: distributed_eigen_bytes(), matrices twice,
/// and a factor within what the limit leaves.
[[nodiscard]] Eigenpairs solve_distributed(const DistributedEigenProblem& problem, const EigenOptions& options,
                                           const RankGroup& ranks, const RunContext& context);

/// Bytes of the vectors on a rank that owns so many rows.
[[nodiscard]] std::uint64_t distributed_eigen_bytes(Index own_rows, Index count);

/// solve() over the ranks of a communicator: every rank calls it with the same whole problem, takes the rows that it
/// owns, and gets the whole solution. Given to a method as FitExtras::eigen_solver or to solve() as
/// EigenOptions::solver, on all ranks; the communicator must outlive it. See solve_distributed().
class PetscEigenSolver final : public EigenSolver {
public:
    explicit PetscEigenSolver(const RankGroup& ranks) : ranks_(ranks) {}
    [[nodiscard]] Eigenpairs solve(const EigenProblem& problem, const EigenOptions& options,
                                   const RunContext& context) const override;

private:
    RankGroup ranks_;
};

}  // namespace isogon
