#pragma once
#include <exception>
#include <optional>
#include <vector>

#include "linalg/eigenproblem.hpp"
#include "petsc_objects.hpp"

/// Private to isogon_petsc: eigenproblems by SLEPc. The problem, the control of a run, and the eigenpairs it found.
namespace isogon {

/// The problem of solve_distributed() in PETSc matrices.
struct SlepcProblem {
    Mat a = nullptr;
    Mat b = nullptr;  ///< null: the identity
    SpectrumEnd end = SpectrumEnd::Smallest;
    const MultiVector<double>* deflation = nullptr;  ///< own rows
};

/// See solve_distributed().
[[nodiscard]] Eigenpairs solve_by_slepc(const SlepcProblem& problem, const EigenOptions& options,
                                        const RankGroup& ranks, const RunContext& context);

/// The size of the basis at which the Krylov method restarts.
[[nodiscard]] Index krylov_columns(Index count);

/// The callbacks of SLEPc between iterations: whether a vector has converged, and whether the run must end.
///
/// SLEPc returns converged vectors only. A run that must end is therefore given one more iteration, in which every
/// vector counts as converged: it returns the best vectors so far, whose residuals are measured afterwards.
class SlepcWatch {
public:
    /// `size`: magnitude of the largest eigenvalue; `scale`: magnitude of |B x|.
    SlepcWatch(const EigenOptions& options, double size, double scale, const RankGroup& ranks,
               const RunContext& context);
    SlepcWatch(const SlepcWatch&) = delete;
    SlepcWatch& operator=(const SlepcWatch&) = delete;

    void attach(EPS solver);
    /// Rethrows what a callback threw: exceptions must not propagate through SLEPc, which is C.
    void rethrow() const;
    [[nodiscard]] Termination termination() const { return ended_.value_or(Termination::Converged); }
    [[nodiscard]] int iterations() const { return static_cast<int>(trace_.size()); }
    [[nodiscard]] const std::vector<IterationRecord>& trace() const { return trace_; }

private:
    static PetscErrorCode weigh(EPS solver, PetscScalar value, PetscScalar imaginary, PetscReal residual,
                                PetscReal* error, void* watch);
    static PetscErrorCode decide(EPS solver, PetscInt iterations, PetscInt limit, PetscInt converged, PetscInt wanted,
                                 EPSConvergedReason* reason, void* watch);
    void look(PetscInt iterations, PetscInt converged, PetscInt wanted, EPSConvergedReason& reason);
    void record(PetscInt iterations, PetscInt converged);

    const EigenOptions& options_;
    double least_value_;
    double scale_;
    double worst_ = 0.0;
    RankGroup ranks_;
    const RunContext& context_;
    std::optional<Termination> ended_{};
    std::vector<IterationRecord> trace_{};
    std::exception_ptr thrown_{};
};

/// The first `count` eigenpairs that a solver has found, own rows: x^T B x = 1, the component of largest magnitude
/// positive; residuals are computed from the returned vectors. Throws Error if there are fewer.
[[nodiscard]] Eigenpairs pairs_of(EPS solver, const SlepcProblem& problem, Index count);

/// image = B x.
void apply_b(const SlepcProblem& problem, Vec x, Vec image);

}  // namespace isogon
