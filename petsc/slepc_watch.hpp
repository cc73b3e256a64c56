#pragma once
#include <exception>
#include <optional>
#include <vector>

#include "isogon/linalg/eigenproblem.hpp"
#include "petsc_objects.hpp"

/// Private to isogon_petsc.
namespace isogon {

/// When a vector is good enough, and when the run has to end: what SLEPc asks between its iterations.
///
/// SLEPc hands out vectors that have converged and no others. A run that must end is therefore given one more
/// iteration, in which every vector counts as converged: the best there is comes back, and its residuals, measured
/// afterwards, say how good it is.
class SlepcWatch {
public:
    /// `size`: of the largest eigenvalue; `scale`: of |B x|.
    SlepcWatch(const EigenOptions& options, double size, double scale, const RankGroup& ranks,
               const RunContext& context);
    SlepcWatch(const SlepcWatch&) = delete;
    SlepcWatch& operator=(const SlepcWatch&) = delete;

    void attach(EPS solver);
    /// What was thrown inside SLEPc, whose own code no exception may pass.
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

}  // namespace isogon
