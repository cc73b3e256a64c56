#pragma once
#include "isogon/linalg/eigenproblem.hpp"
#include "petsc_objects.hpp"

/// Private to isogon_petsc.
namespace isogon {

/// What solve_distributed() solves, as PETSc's matrices.
struct SlepcProblem {
    Mat a = nullptr;
    Mat b = nullptr;  ///< null: the identity
    SpectrumEnd end = SpectrumEnd::Smallest;
    const MultiVector<double>* deflation = nullptr;  ///< own rows
};

/// See solve_distributed().
[[nodiscard]] Eigenpairs solve_by_slepc(const SlepcProblem& problem, const EigenOptions& options,
                                        const RankGroup& ranks, const RunContext& context);

/// Vectors that the basis grows to before it is cut back.
[[nodiscard]] Index krylov_columns(Index count);

}  // namespace isogon
