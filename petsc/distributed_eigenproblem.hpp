#pragma once
#include <optional>

#include "distributed_matrix.hpp"
#include "isogon/linalg/eigenproblem.hpp"

namespace isogon {

/// A x = lambda B x for a symmetric A and a positive definite B whose rows are divided among ranks.
struct DistributedEigenProblem {
    DistributedMatrix a{};
    std::optional<DistributedMatrix> b{};  ///< none: the identity
    SpectrumEnd end = SpectrumEnd::Smallest;
    MultiVector<double> deflation{};  ///< own rows of solutions known beforehand and not wanted
};

/// The eigenproblem entry over ranks, by SLEPc (Hernandez, Roman, Vidal, "SLEPc: a scalable and flexible toolkit for
/// the solution of eigenvalue problems", ACM TOMS 2005). All ranks call it with their rows and the same options. The
/// smallest end: Krylov and Schur's method on (A + shift B)^-1, factored over the ranks by MUMPS where that is
/// affordable; else LOBPCG with a multigrid preconditioner. The largest end: the same method on B^-1 A. Problems of at
/// most 200 rows are gathered and solved by solve() of linalg/eigenproblem.hpp.
///
/// Eigenpairs as there, of which a rank has its own rows; `method` is SparseFactor or Krylov, and may be asked for.
/// Residuals are measured in the end by products of their own, on every run, and the tolerance is on them. Not the same
/// bits for another number of ranks: sums go by MPI's order and factors by MUMPS's (docs/decisions/petsc.md).
///
/// Never stuck: at the limit of iterations, and when the context of any rank ends the run, the best there is comes
/// back, and says so. Only ordering and factor cannot be interrupted: what they cost is known beforehand, and bounded.
/// Throws InvalidArgument unless 1 <= count <= n - left out, or where rows do not belong together; LimitExceeded;
/// Interruption when the context ends the run before its first step. Memory: distributed_eigen_bytes(), matrices twice,
/// and a factor within what the limit leaves.
[[nodiscard]] Eigenpairs solve_distributed(const DistributedEigenProblem& problem, const EigenOptions& options,
                                           const RankGroup& ranks, const RunContext& context);

/// Of vectors on a rank that owns so many rows.
[[nodiscard]] std::uint64_t distributed_eigen_bytes(Index own_rows, Index count);

}  // namespace isogon
