#include "semidefinite/semidefinite_program.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>

#include "isogon/core/error.hpp"
#include "linalg/dense_cholesky.hpp"
#include "semidefinite/dsdp_solver.hpp"

namespace isogon {

namespace {

void require_program(const SemidefiniteProgram& program) {
    const std::size_t n = program.order();
    const auto refuse = [](const char* what, std::size_t value, const std::string& bound) {
        throw InvalidArgument(what, std::to_string(value), bound);
    };
    if (n == 0 || n != program.objective.columns) {
        refuse("objective", n, "must have as many rows as columns, and at least one");
    }
    if (program.constraints() == 0 || program.vectors.rows != program.constraints()) {
        refuse("vectors", program.vectors.rows,
               "must be one for each of " + std::to_string(program.constraints()) + " values, and at least one");
    }
    if (program.vectors.columns != n) {
        refuse("vectors", program.vectors.columns, "must have " + std::to_string(n) + " columns, as the objective");
    }
    validate(program.vectors);
    const auto finite = [](const std::vector<double>& values) {
        return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
    };
    if (!finite(program.objective.values) || !finite(program.values)) {
        throw InvalidArgument("program", "nan or inf", "must hold numbers");
    }
    if (!(program.shortfall_price >= 0.0) || !(program.excess_price >= 0.0)) {
        throw InvalidArgument("price", std::to_string(std::min(program.shortfall_price, program.excess_price)),
                              "must be at least 0");
    }
}

double largest(const std::vector<double>& values) {
    double most = 0.0;
    for (const double value : values) {
        most = std::max(most, std::abs(value));
    }
    return most > 0.0 ? most : 1.0;
}

/// The same program in units in which its numbers are near 1, as the solver's tolerances require.
struct ScaledProgram {
    explicit ScaledProgram(const SemidefiniteProgram& original)
        : program(original), of_x(largest(original.values)), of_y(largest(original.objective.values)) {
        for (double& value : program.values) {
            value /= of_x;
        }
        for (double& value : program.objective.values) {
            value /= of_y;
        }
        program.shortfall_price /= of_y;
        program.excess_price /= of_y;
    }

    SemidefiniteProgram program;
    double of_x;  ///< X = of_x times the X found
    double of_y;  ///< y = of_y times the y found
};

/// v_a^T X v_a
double quadratic_form(const CsrMatrix<double>& vectors, Index a, const DenseMatrix& x) {
    const auto indices = vectors.row_indices(a);
    const auto values = vectors.row_values(a);
    double sum = 0.0;
    for (std::size_t k = 0; k < indices.size(); ++k) {
        double row = 0.0;
        for (std::size_t l = 0; l < indices.size(); ++l) {
            row += x(indices[l], indices[k]) * values[l];
        }
        sum += row * values[k];
    }
    return sum;
}

/// <C, X> minus the penalties, and the largest forbidden violation, computed from X.
void measure(const SemidefiniteProgram& program, SemidefiniteSolution& solution) {
    double scale = 0.0;
    for (const double value : program.values) {
        scale += std::abs(value) / static_cast<double>(program.constraints());
    }
    for (std::size_t k = 0; k < program.objective.values.size(); ++k) {
        solution.primal += program.objective.values[k] * solution.x.values[k];
    }
    for (Index a = 0; a < program.vectors.rows; ++a) {
        const double excess = quadratic_form(program.vectors, a, solution.x) - program.values[a];
        const double price = excess > 0.0 ? program.excess_price : program.shortfall_price;
        if (std::isfinite(price)) {
            solution.primal -= price * std::abs(excess);
        } else if (scale > 0.0) {
            solution.largest_violation = std::max(solution.largest_violation, std::abs(excess) / scale);
        }
    }
    solution.gap = (solution.dual - solution.primal) / (largest(program.values) * largest(program.objective.values) +
                                                        std::abs(solution.primal) + std::abs(solution.dual));
}

SemidefiniteStatus status_of(const DsdpSolver& solver, bool solved, const RunContext& context) {
    if (solved) {
        return SemidefiniteStatus::Solved;
    }
    if (context.interruption()) {
        return SemidefiniteStatus::Interrupted;
    }
    if (solver.unbounded()) {
        return SemidefiniteStatus::Unbounded;
    }
    return solver.infeasible() ? SemidefiniteStatus::Infeasible : SemidefiniteStatus::NotConverged;
}

/// The lock for a DsdpSolver, of which there is one at a time. Waits for the solver of another thread; throws
/// Interruption if the run ends while it waits.
std::unique_lock<std::timed_mutex> turn_of(const RunContext& context) {
    constexpr std::chrono::milliseconds between_questions{20};
    static std::timed_mutex one_at_a_time;
    std::unique_lock lock(one_at_a_time, std::defer_lock);
    while (!lock.try_lock_for(between_questions)) {
        if (const auto reason = context.interruption()) {
            throw Interruption{*reason};
        }
    }
    return lock;
}

SemidefiniteSolution solve_in_turn(const ScaledProgram& scaled, const SemidefiniteOptions& options,
                                   const RunContext& context) {
    const auto turn = turn_of(context);
    DsdpSolver solver(scaled.program, options);
    const bool solved = solver.run(context);
    SemidefiniteSolution solution{.status = status_of(solver, solved, context), .x = solver.x(), .y = solver.y()};
    solution.iterations = solver.iterations();
    solution.dual = solver.dual_objective() * scaled.of_x * scaled.of_y;
    return solution;
}

/// Empty X and y if the solver ended before its first iterate.
SemidefiniteSolution solve_scaled(const ScaledProgram& scaled, const SemidefiniteOptions& options,
                                  const RunContext& context) {
    try {
        return solve_in_turn(scaled, options, context);
    } catch (const Interruption&) {
        return {.status = SemidefiniteStatus::Interrupted, .gap = 1.0, .message = "ended before there was a solution"};
    } catch (const DsdpFailure& failure) {
        return {.status = SemidefiniteStatus::NotConverged,
                .gap = 1.0,
                .message = std::string("the solver got nowhere: ") + failure.what()};
    }
}

/// The status follows from the measured gap: without an interior the solver may report numerical failure with all
/// requested digits, and with high prices the remaining violations may cost more than the solver's gap contains.
void correct_status(const SemidefiniteOptions& options, SemidefiniteSolution& solution) {
    constexpr double least_violation = 1e-5;
    const bool within = std::abs(solution.gap) <= options.tolerance;
    if (solution.status == SemidefiniteStatus::NotConverged && within &&
        solution.largest_violation <= least_violation) {
        solution.status = SemidefiniteStatus::Solved;
    } else if (solution.status == SemidefiniteStatus::Solved && !within) {
        solution.status = SemidefiniteStatus::NotConverged;
    }
}

std::string message_of(const SemidefiniteSolution& solution) {
    switch (solution.status) {
        case SemidefiniteStatus::Solved: return "solved in " + std::to_string(solution.iterations) + " iterations";
        case SemidefiniteStatus::NotConverged:
            return "the solver got no further after " + std::to_string(solution.iterations) + " iterations";
        case SemidefiniteStatus::Unbounded: return "the objective has no bound";
        case SemidefiniteStatus::Infeasible: return "no solution keeps the constraints";
        case SemidefiniteStatus::Interrupted:
            return "ended after " + std::to_string(solution.iterations) + " iterations";
    }
    return {};
}

}  // namespace

SemidefiniteSolution solve(const SemidefiniteProgram& program, const SemidefiniteOptions& options,
                           const RunContext& context) {
    require_program(program);
    require_memory(context, {{"the semidefinite program", semidefinite_bytes(program.order(), program.constraints())}},
                   "raise the limit, take fewer points or landmarks, or fewer neighbours");
    const ScaledProgram scaled(program);
    SemidefiniteSolution solution = solve_scaled(scaled, options, context);
    if (solution.x.rows == 0) {
        return solution;
    }
    for (double& value : solution.x.values) {
        value *= scaled.of_x;
    }
    for (double& value : solution.y) {
        value *= scaled.of_y;
    }
    measure(program, solution);
    correct_status(options, solution);
    solution.message = message_of(solution);
    return solution;
}

std::uint64_t semidefinite_bytes(std::uint64_t order, std::uint64_t constraints) {
    constexpr std::uint64_t squares_of_order = 9;  // X, S, its factor and inverse, steps, the objective and its factor
    const std::uint64_t factoring = std::max(dense_cholesky_bytes(order), dense_cholesky_bytes(constraints) / 2);
    return 8 * (squares_of_order * order * order + constraints * constraints + 32 * constraints) + factoring;
}

}  // namespace isogon
