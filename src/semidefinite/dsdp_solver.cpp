#include "semidefinite/dsdp_solver.hpp"

#include <isogon_dsdp.hpp>  // DSDP's own header, with the names that its functions have here

#include <cmath>
#include <string>

namespace isogon {

namespace {

constexpr int only_block = 0;

/// DSDP's functions return 0: expected errors, such as missing memory, are thrown by DsdpHost.
void require(int failure) {
    if (failure != 0) {
        throw DsdpFailure("the solver's error " + std::to_string(failure));
    }
}

int watch(DSDP dsdp, void* context) {
    const auto& run = *static_cast<const RunContext*>(context);
    int iterations = 0;
    double objective = 0.0;
    DSDPGetIts(dsdp, &iterations);
    DSDPGetDDObjective(dsdp, &objective);
    run.report({.phase = "semidefinite program",
                .done = static_cast<std::uint64_t>(iterations),
                .total = 0,
                .objective = -objective});
    // A limit of 0 iterations ends the run: the function that sets the flag is declared without C linkage and cannot be
    // linked.
    return run.interruption() ? DSDPSetMaxIts(dsdp, 0) : 0;
}

}  // namespace

DsdpSolver::DsdpSolver(const SemidefiniteProgram& program, const SemidefiniteOptions& options) : program_(program) {
    require(DSDPCreate(static_cast<int>(program.constraints()), &dsdp_));
    require(DSDPCreateSDPCone(dsdp_, 1, &cone_));
    require(SDPConeSetBlockSize(cone_, only_block, static_cast<int>(program.order())));
    // Full squares: a packed triangle would keep LAPACK from using blocks.
    require(SDPConeSetStorageFormat(cone_, only_block, 'U'));
    set_objective();
    set_constraints();
    set_prices();
    // Smaller than the requested tolerance: the gap that is measured afterwards includes the violations of X.
    require(DSDPSetGapTolerance(dsdp_, 0.1 * options.tolerance));
    require(DSDPSetMaxIts(dsdp_, static_cast<int>(options.iterations)));
    require(DSDPSetPenaltyParameter(dsdp_, options.trace_limit));
}

/// -C, lower triangle. DSDP has no dense matrix in this format, but accepts a full sparse one.
void DsdpSolver::set_objective() {
    const auto n = static_cast<int>(program_.order());
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i; ++j) {
            objective_indices_.push_back(i * n + j);
            objective_values_.push_back(-program_.objective(i, j));
        }
    }
    require(SDPConeSetASparseVecMat(cone_, only_block, 0, n, 1.0, 0, objective_indices_.data(),
                                    objective_values_.data(), static_cast<int>(objective_indices_.size())));
}

void DsdpSolver::set_constraints() {
    const CsrMatrix<double>& vectors = program_.vectors;
    vector_indices_.assign(vectors.indices.begin(), vectors.indices.end());
    for (Index a = 0; a < vectors.rows; ++a) {
        const auto variable = static_cast<int>(a) + 1;
        require(DSDPSetDualObjective(dsdp_, variable, program_.values[a]));
        require(SDPConeSetARankOneMat(cone_, only_block, variable, static_cast<int>(program_.order()), 1.0, 0,
                                      vector_indices_.data() + vectors.offsets[a],
                                      vectors.values.data() + vectors.offsets[a],
                                      static_cast<int>(vectors.row_indices(a).size())));
    }
}

/// -(excess price) <= -y <= shortfall price.
void DsdpSolver::set_prices() {
    const bool below = std::isfinite(program_.excess_price);
    const bool above = std::isfinite(program_.shortfall_price);
    if (!below && !above) {
        return;
    }
    const auto count = static_cast<int>(program_.constraints());
    BCone bounds = nullptr;
    require(DSDPCreateBCone(dsdp_, &bounds));
    require(BConeAllocateBounds(bounds, (below ? count : 0) + (above ? count : 0)));
    for (int variable = 1; variable <= count; ++variable) {
        if (below) {
            require(BConeSetLowerBound(bounds, variable, -program_.excess_price));
        }
        if (above) {
            require(BConeSetUpperBound(bounds, variable, program_.shortfall_price));
        }
    }
}

bool DsdpSolver::run(const RunContext& context) {
    host_.set_context(context);
    RunContext watched = context;
    require(DSDPSetMonitor(dsdp_, watch, &watched));
    require(DSDPSetup(dsdp_));
    DSDPTerminationReason reason = CONTINUE_ITERATING;
    DSDPSolutionType type = DSDP_PDUNKNOWN;
    // The reason reports numerical failure; the last iterate may still be accurate enough.
    static_cast<void>(DSDPSolve(dsdp_));
    static_cast<void>(DSDPComputeX(dsdp_));
    require(DSDPStopReason(dsdp_, &reason));
    require(DSDPGetSolutionType(dsdp_, &type));
    unbounded_ = type == DSDP_INFEASIBLE;
    infeasible_ = type == DSDP_UNBOUNDED;
    return reason == DSDP_CONVERGED && type == DSDP_PDFEASIBLE;
}

DenseMatrix DsdpSolver::x() const {
    double* values = nullptr;
    int length = 0;
    require(SDPConeGetXArray(cone_, only_block, &values, &length));
    const std::size_t n = program_.order();
    DenseMatrix x(n, n);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            x(i, j) = x(j, i) = values[i * n + j];
        }
    }
    require(SDPConeRestoreXArray(cone_, only_block, &values, &length));
    return x;
}

std::vector<double> DsdpSolver::y() const {
    std::vector<double> y(program_.constraints());
    require(DSDPGetY(dsdp_, y.data(), static_cast<int>(y.size())));
    for (double& value : y) {
        value = -value;
    }
    return y;
}

double DsdpSolver::dual_objective() const {
    double value = 0.0;
    require(DSDPGetDDObjective(dsdp_, &value));
    return -value;
}

std::int64_t DsdpSolver::iterations() const {
    int count = 0;
    require(DSDPGetIts(dsdp_, &count));
    return count;
}

}  // namespace isogon
