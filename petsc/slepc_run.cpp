#include "slepc_solution.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "distributed/agreement.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

SlepcWatch::SlepcWatch(const EigenOptions& options, double size, double scale, const RankGroup& ranks,
                       const RunContext& context)
    : options_(options), scale_(scale), ranks_(ranks), context_(context) {
    constexpr double float64_floor = 1e-13;  // share of A's size: no residual gets below, as EigenOptions has it
    least_value_ = float64_floor * size / options.tolerance;
}

void SlepcWatch::attach(EPS solver) {
    // SLEPc's own limit is above ours, because a run that reaches ours needs one more iteration.
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
        reason = EPS_DIVERGED_ITS;  // the additional iteration did not find all of them either
    } else if (const auto interruption = agreed_interruption(context_, ranks_)) {
        ended_ = interruption;
    } else if (iterations + 1 >= static_cast<PetscInt>(options_.iterations)) {
        ended_ = Termination::IterationLimit;
    }
}

/// The largest residual tested in this iteration: that of the first vector not found, as most methods test no further.
void SlepcWatch::record(PetscInt iterations, PetscInt converged) {
    const double error = std::exchange(worst_, 0.0);
    trace_.push_back({static_cast<int>(iterations), error, static_cast<double>(converged), 0.0});
    on_all_ranks(ranks_, [&] {
        context_.report({"eigenvectors", static_cast<std::uint64_t>(converged), options_.count, error});
    });
}

namespace {

/// Scales to x^T B x = 1, with the component of largest magnitude positive. `image` is overwritten.
void fix(const SlepcProblem& problem, Vec x, Vec image) {
    double square = 0.0;
    double least = 0.0;
    double most = 0.0;
    apply_b(problem, x, image);
    require_petsc(VecDot(x, image, &square), "length");
    require_petsc(VecMin(x, nullptr, &least), "sign");
    require_petsc(VecMax(x, nullptr, &most), "sign");
    require_petsc(VecScale(x, (-least > most ? -1.0 : 1.0) / std::sqrt(square)), "length");
}

}  // namespace

void apply_b(const SlepcProblem& problem, Vec x, Vec image) {
    require_petsc(problem.b == nullptr ? VecCopy(x, image) : MatMult(problem.b, x, image), "B x");
}

Eigenpairs pairs_of(EPS solver, const SlepcProblem& problem, Index count) {
    PetscInt found = 0;
    require_petsc(EPSGetConverged(solver, &found), "eigenvectors");
    if (found < static_cast<PetscInt>(count)) {
        throw Error("SLEPc found " + std::to_string(found) + " of " + std::to_string(count) +
                    " eigenvectors and gave up; take another seed, or fewer dimensions");
    }
    const VecHandle x = column_vector(problem.a);
    const VecHandle product = row_vector(problem.a);
    const VecHandle image = row_vector(problem.a);
    PetscInt own = 0;
    require_petsc(VecGetLocalSize(x.get(), &own), "eigenvectors");
    Eigenpairs pairs{.vectors = MultiVector<double>(static_cast<Index>(own), count)};
    for (Index j = 0; j < count; ++j) {
        PetscScalar value = 0.0;
        require_petsc(EPSGetEigenpair(solver, static_cast<PetscInt>(j), &value, nullptr, x.get(), nullptr),
                      "eigenvectors");
        fix(problem, x.get(), image.get());
        read(x.get(), pairs.vectors, j);
        apply_b(problem, x.get(), image.get());
        require_petsc(MatMult(problem.a, x.get(), product.get()), "A x");
        require_petsc(VecAXPY(product.get(), -value, image.get()), "residual");
        pairs.values.push_back(value);
        pairs.scales.push_back(length(image.get()));
        pairs.residuals.push_back(length(product.get()));
    }
    return pairs;
}

}  // namespace isogon
