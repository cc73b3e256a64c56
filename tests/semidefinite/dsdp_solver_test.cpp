#include "semidefinite/dsdp_solver.hpp"

#include <gtest/gtest.h>

namespace isogon::dsdp_solver_test {
namespace {

/// Maximise 2 x_00 - 2 x_10 with both lengths 1: opposite ends of a segment, 2 + 2.
SemidefiniteProgram segment() {
    SemidefiniteProgram program{.objective = DenseMatrix(2, 2), .values = {1.0, 1.0}};
    program.objective(0, 0) = 2.0;
    program.objective(0, 1) = program.objective(1, 0) = -1.0;
    program.vectors = {.rows = 2, .columns = 2, .offsets = {0, 1, 2}, .indices = {0, 1}, .values = {1.0, 1.0}};
    return program;
}

TEST(DsdpSolver, TranslatesThereAndBack) {
    const SemidefiniteProgram program = segment();
    DsdpSolver solver(program, {.tolerance = 1e-8});
    EXPECT_TRUE(solver.run({}));
    EXPECT_NEAR(solver.x()(0, 1), -1.0, 1e-6);
    EXPECT_EQ(solver.x()(0, 1), solver.x()(1, 0));
    EXPECT_NEAR(solver.dual_objective(), 4.0, 1e-6);
    // S = [y_0 - 2, 1; 1, y_1] is singular on (1, -1): y = (3, 1).
    EXPECT_NEAR(solver.y()[0], 3.0, 1e-5);
    EXPECT_NEAR(solver.y()[1], 1.0, 1e-5);
    EXPECT_FALSE(solver.unbounded());
    EXPECT_FALSE(solver.infeasible());
}

TEST(DsdpSolver, StopsAtItsIterations) {
    const SemidefiniteProgram program = segment();
    DsdpSolver solver(program, {.iterations = 3});
    EXPECT_FALSE(solver.run({}));
    EXPECT_EQ(solver.iterations(), 3);
}

TEST(DsdpSolver, ReportsEveryIteration) {
    const SemidefiniteProgram program = segment();
    DsdpSolver solver(program, {});
    std::int64_t reports = 0;
    RunContext context;
    context.on_iteration = [&](const Progress& progress) {
        EXPECT_EQ(progress.phase, "semidefinite program");
        ++reports;
    };
    EXPECT_TRUE(solver.run(context));
    EXPECT_GE(reports, solver.iterations());
}

}  // namespace
}  // namespace isogon::dsdp_solver_test
