#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "petsc_objects.hpp"

/// Private to isogon_petsc.
namespace isogon {

/// A symmetric matrix A = L D L^T, factored over the ranks by MUMPS (Amestoy, Duff, L'Excellent, Koster, "A fully
/// asynchronous multifrontal solver using distributed dynamic scheduling", SIMAX 2001). Its cost is known before the
/// factorisation, which cannot be interrupted.
class MumpsFactor {
public:
    /// Symbolic analysis only. The matrix must be assembled and symmetric, and must outlive the factor.
    explicit MumpsFactor(Mat matrix);

    /// Operations of all ranks together.
    [[nodiscard]] double operations() const;
    /// Memory of the rank that needs the most, as MUMPS estimates.
    [[nodiscard]] std::uint64_t most_bytes() const;

    /// The numerical factorisation. False if it fails: a pivot is zero, or memory does not suffice.
    [[nodiscard]] bool factor();
    /// Deflation: solutions become x - v (w^T x) for this `vector` v, where `image` w = B v and v^T w = 1.
    void deflate(VecHandle vector, VecHandle image);
    /// x = A^-1 b, deflated. Returns a PETSc error code, as its callbacks must.
    [[nodiscard]] PetscErrorCode solve(Vec b, Vec x) const;

private:
    Mat original_;
    MatFactorInfo info_{};
    MatHandle factor_{};
    std::vector<std::pair<VecHandle, VecHandle>> deflation_{};
};

/// The factor of a matrix, unless it needs more operations for each rank, or more memory than the context's limit
/// leaves, or the factorisation fails.
[[nodiscard]] std::optional<MumpsFactor> affordable_factor(Mat matrix, double most_operations_of_rank,
                                                           const RankGroup& ranks, const RunContext& context);

/// Makes the solver's preconditioner apply the factor, which must outlive it: a solver that does nothing else
/// (KSPPREONLY) is then direct.
void use_factor(KSP solver, MumpsFactor& factor);

}  // namespace isogon
