#include "mumps_factor.hpp"

#include <algorithm>

#include "distributed/agreement.hpp"

namespace isogon {

namespace {

PetscErrorCode apply_factor(PC preconditioner, Vec in, Vec out) {
    void* factor = nullptr;
    const PetscErrorCode code = PCShellGetContext(preconditioner, &factor);
    return code != 0 ? code : static_cast<MumpsFactor*>(factor)->solve(in, out);
}

}  // namespace

MumpsFactor::MumpsFactor(Mat matrix) : original_(matrix) {
    constexpr PetscInt room_for_pivots = 14;  // MUMPS's number of the option: memory beyond its estimate, in percent
    constexpr PetscInt percent = 50;          // its own 20 do not always do for matrices that are nearly singular
    require_petsc(MatSetOption(matrix, MAT_SYMMETRIC, PETSC_TRUE), "factor");
    require_petsc(MatGetFactor(matrix, MATSOLVERMUMPS, MAT_FACTOR_CHOLESKY, factor_.out()), "factor");
    require_petsc(MatMumpsSetIcntl(factor_.get(), room_for_pivots, percent), "factor");
    require_petsc(MatFactorInfoInitialize(&info_), "factor");
    require_petsc(MatCholeskyFactorSymbolic(factor_.get(), matrix, nullptr, &info_), "order of elimination");
}

double MumpsFactor::operations() const {
    constexpr PetscInt estimated_operations = 1;  // RINFOG(1)
    PetscReal result = 0.0;
    require_petsc(MatMumpsGetRinfog(factor_.get(), estimated_operations, &result), "factor");
    return result;
}

std::uint64_t MumpsFactor::most_bytes() const {
    constexpr PetscInt estimated_megabytes = 16;  // INFOG(16)
    PetscInt result = 0;
    require_petsc(MatMumpsGetInfog(factor_.get(), estimated_megabytes, &result), "factor");
    return (static_cast<std::uint64_t>(result) + 1) * 1'000'000U;  // it rounds down
}

bool MumpsFactor::factor() {
    MatFactorError error = MAT_FACTOR_NOERROR;
    require_petsc(MatFactorGetError(factor_.get(), &error), "factor");
    if (error == MAT_FACTOR_NOERROR) {
        require_petsc(MatCholeskyFactorNumeric(factor_.get(), original_, &info_), "factor");
        require_petsc(MatFactorGetError(factor_.get(), &error), "factor");
    }
    return error == MAT_FACTOR_NOERROR;
}

void MumpsFactor::deflate(VecHandle vector, VecHandle image) {
    deflation_.emplace_back(std::move(vector), std::move(image));
}

PetscErrorCode MumpsFactor::solve(Vec b, Vec x) const {
    constexpr int times = 2;  // the rest by rounding after the first time grows as A comes near to singular
    PetscErrorCode code = MatSolve(factor_.get(), b, x);
    for (int time = 0; time < times; ++time) {
        for (const auto& [vector, image] : deflation_) {
            double share = 0.0;
            code = code != 0 ? code : VecDot(image.get(), x, &share);
            code = code != 0 ? code : VecAXPY(x, -share, vector.get());
        }
    }
    return code;
}

std::optional<MumpsFactor> affordable_factor(Mat matrix, double most_operations_of_rank, const RankGroup& ranks,
                                             const RunContext& context) {
    stop_if_any_asked(context, ranks);
    std::optional<MumpsFactor> factor(matrix);
    // A limit may differ from rank to rank: the tightest counts.
    const int own = context.memory_limit && factor->most_bytes() > *context.memory_limit ? 1 : 0;
    const std::vector<int> too_large = gathered(std::span<const int>(&own, 1), ranks);
    const bool held = std::find(too_large.begin(), too_large.end(), 1) == too_large.end();
    if (!held || factor->operations() > most_operations_of_rank * static_cast<double>(ranks.size()) ||
        !factor->factor()) {
        factor.reset();
    }
    return factor;
}

void use_factor(KSP solver, MumpsFactor& factor) {
    PC preconditioner = nullptr;
    require_petsc(KSPGetPC(solver, &preconditioner), "solver");
    require_petsc(PCSetType(preconditioner, PCSHELL), "solver");
    require_petsc(PCShellSetContext(preconditioner, &factor), "solver");
    require_petsc(PCShellSetApply(preconditioner, apply_factor), "solver");
}

}  // namespace isogon
