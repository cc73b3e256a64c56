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
/// asynchronous multifrontal solver using distributed dynamic scheduling", SIMAX 2001). What it will cost is known
/// before anything is factored; once begun it cannot be interrupted.
class MumpsFactor {
public:
    /// Orders and looks, no more. The matrix must be assembled, symmetric and outlive the factor.
    explicit MumpsFactor(Mat matrix);

    /// Operations of all ranks together.
    [[nodiscard]] double operations() const;
    /// Of the rank that takes the most, by MUMPS's own estimate.
    [[nodiscard]] std::uint64_t most_bytes() const;

    /// False where MUMPS gives up: a pivot of zero, or more memory than there is.
    [[nodiscard]] bool factor();
    /// Solutions are from now on without their part along `vector`: x - v (w^T x), where `image` w = B v and v^T w = 1.
    void leave_out(VecHandle vector, VecHandle image);
    /// x = A^-1 b, less what is left out. PETSc's code, as its callbacks want it.
    [[nodiscard]] PetscErrorCode solve(Vec b, Vec x) const;

private:
    Mat original_;
    MatFactorInfo info_{};
    MatHandle factor_{};
    std::vector<std::pair<VecHandle, VecHandle>> deflation_{};
};

/// The factor of a matrix, unless it would take more operations than that for each rank, or more memory than the
/// context's limit leaves it, or MUMPS gives up.
[[nodiscard]] std::optional<MumpsFactor> affordable_factor(Mat matrix, double most_operations_of_rank,
                                                           const RankGroup& ranks, const RunContext& context);

/// Makes the solver's preconditioner apply the factor, which must outlive it: a solver that does nothing else
/// (KSPPREONLY) is then direct.
void use_factor(KSP solver, MumpsFactor& factor);

}  // namespace isogon
