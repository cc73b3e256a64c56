#include "slepc_pairs.hpp"

#include <cmath>
#include <string>

#include "isogon/core/error.hpp"

namespace isogon {

namespace {

/// x^T B x = 1, and the component of largest magnitude positive. `image` is lost.
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
