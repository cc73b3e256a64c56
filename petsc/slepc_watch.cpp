#include "slepc_watch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "isogon/distributed/agreement.hpp"

namespace isogon {

SlepcWatch::SlepcWatch(const EigenOptions& options, double size, double scale, const RankGroup& ranks,
                       const RunContext& context)
    : options_(options), scale_(scale), ranks_(ranks), context_(context) {
    constexpr double float64_floor = 1e-13;  // of A's size: no residual gets below, as EigenOptions has it
    least_value_ = float64_floor * size / options.tolerance;
}

void SlepcWatch::attach(EPS solver) {
    // SLEPc's own limit is beyond ours: the last iteration of a run that ends at ours is one more.
    constexpr PetscInt more = 3;
    require_petsc(EPSSetTolerances(solver, options_.tolerance, static_cast<PetscInt>(options_.iterations) + more),
                  "eigensolver");
    require_petsc(EPSSetConvergenceTestFunction(solver, weigh, this, nullptr), "eigensolver");
    require_petsc(EPSSetStoppingTestFunction(solver, decide, this, nullptr), "eigensolver");
}

void SlepcWatch::rethrow() const {
    if (thrown_) {
        std::rethrow_exception(thrown_);
    }
}

PetscErrorCode SlepcWatch::weigh(EPS /*solver*/, PetscScalar value, PetscScalar /*imaginary*/, PetscReal residual,
                                 PetscReal* error, void* watch) {
    auto& own = *static_cast<SlepcWatch*>(watch);
    own.worst_ = std::max(own.worst_, residual / (std::max(std::abs(value), own.least_value_) * own.scale_));
    *error = own.ended_ ? 0.0 : residual / (std::max(std::abs(value), own.least_value_) * own.scale_);
    return 0;
}

PetscErrorCode SlepcWatch::decide(EPS /*solver*/, PetscInt iterations, PetscInt /*limit*/, PetscInt converged,
                                  PetscInt wanted, EPSConvergedReason* reason, void* watch) {
    auto& own = *static_cast<SlepcWatch*>(watch);
    try {
        own.look(iterations, converged, wanted, *reason);
        return 0;
    } catch (...) {
        own.thrown_ = std::current_exception();
        return PETSC_ERR_USER;
    }
}

void SlepcWatch::look(PetscInt iterations, PetscInt converged, PetscInt wanted, EPSConvergedReason& reason) {
    record(iterations, converged);
    reason = EPS_CONVERGED_ITERATING;
    if (converged >= wanted) {
        reason = EPS_CONVERGED_TOL;
    } else if (ended_) {
        reason = EPS_DIVERGED_ITS;  // the one more iteration did not bring all of them either
    } else if (const auto interruption = agreed_interruption(context_, ranks_)) {
        ended_ = interruption;
    } else if (iterations + 1 >= static_cast<PetscInt>(options_.iterations)) {
        ended_ = Termination::IterationLimit;
    }
}

/// The largest residual looked at in this iteration: that of the first vector not found, as most ways look no further.
void SlepcWatch::record(PetscInt iterations, PetscInt converged) {
    const double error = std::exchange(worst_, 0.0);
    trace_.push_back({static_cast<int>(iterations), error, static_cast<double>(converged), 0.0});
    on_all_ranks(ranks_, [&] {
        context_.report({"eigenvectors", static_cast<std::uint64_t>(converged), options_.count, error});
    });
}

}  // namespace isogon
