#pragma once
#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "isogon/core/run_context.hpp"

namespace isogon {

/// sqrt(objective) / |S|.
inline double relative_to(double squared_norm, double objective) {
    return squared_norm > 0.0 ? std::sqrt(std::max(0.0, objective) / squared_norm) : 0.0;
}

/// True when the residual changed by less than `tolerance` in each of the last ten updates.
inline bool has_settled(const std::vector<IterationRecord>& trace, double tolerance) {
    constexpr std::ptrdiff_t updates = 10;
    return tolerance > 0.0 && std::ssize(trace) > updates &&
           std::all_of(trace.end() - updates, trace.end(),
                       [&](const IterationRecord& record) { return std::abs(record.change) < tolerance; });
}

/// Updates until `iterations` have been made in all, and records the trace: the loop of ReluDecomposition
/// and RiemannianLbfgs.
template <class Solver>
Termination run_updates(Solver& state, int iterations, double tolerance, const RunContext& context,
                        std::vector<IterationRecord>& trace) {
    // Smaller residuals count as zero. Division by larger ones cannot overflow float64, even for a crafted checkpoint.
    constexpr double least_residual = 1e-150;
    const auto start = std::chrono::steady_clock::now();
    const double before = trace.empty() ? 0.0 : trace.back().seconds;
    while (true) {
        // Tested before each update, so that a run resumed from a checkpoint ends where the original would have.
        if constexpr (requires { state.stalled(); }) {  // for solvers that detect that no step lowers the objective
            if (state.stalled()) {
                return Termination::Stalled;
            }
        }
        if constexpr (requires { state.solved(); }) {  // for solvers that know when nothing is left to solve
            if (state.solved()) {
                return Termination::Converged;
            }
        }
        if (has_settled(trace, tolerance)) {
            return Termination::Converged;
        }
        if (state.iterations() >= iterations) {
            return Termination::IterationLimit;
        }
        try {
            throw_if_cancelled(context);
            state.update();
        } catch (const Interruption& interruption) {
            return interruption.reason;
        }
        const double residual = state.relative_residual();
        if (!std::isfinite(residual)) {
            return Termination::NumericalFailure;
        }
        const double last = trace.empty() ? 0.0 : trace.back().objective;
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
        trace.push_back({state.iterations(), residual, last > least_residual ? residual / last - 1.0 : 0.0,
                         before + elapsed.count()});
        context.report({"matching", static_cast<std::uint64_t>(state.iterations()),
                        static_cast<std::uint64_t>(iterations), residual});
    }
}

}  // namespace isogon
