#include "semidefinite/semidefinite_program.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <semaphore>
#include <stdexcept>
#include <thread>

#include "core/random.hpp"
#include "isogon/core/error.hpp"

namespace isogon::semidefinite_program_test {
namespace {

Eigen::MatrixXd to_eigen(const DenseMatrix& matrix) {
    return Eigen::Map<const Eigen::MatrixXd>(matrix.values.data(), static_cast<Eigen::Index>(matrix.rows),
                                             static_cast<Eigen::Index>(matrix.columns));
}

DenseMatrix identity(std::size_t n) {
    DenseMatrix result(n, n);
    for (std::size_t i = 0; i < n; ++i) {
        result(i, i) = 1.0;
    }
    return result;
}

/// v_a = e_a with b_a = 1: the diagonal.
SemidefiniteProgram diagonal_program(std::size_t n) {
    SemidefiniteProgram program{.objective = identity(n), .values = std::vector<double>(n, 1.0)};
    program.vectors = {.rows = static_cast<Index>(n), .columns = static_cast<Index>(n)};
    for (std::size_t i = 0; i < n; ++i) {
        program.vectors.indices.push_back(static_cast<Index>(i));
        program.vectors.values.push_back(1.0);
        program.vectors.offsets.push_back(i + 1);
    }
    return program;
}

/// Random C, the diagonal bounded besides random dense vectors: bounded and, by X = 0, feasible as "at most".
SemidefiniteProgram random_program(std::size_t n, std::size_t more, std::uint64_t seed) {
    SemidefiniteProgram program = diagonal_program(n);
    Random random(seed, RandomStream::Test, 0);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            program.objective(i, j) = program.objective(j, i) = random.normal();
        }
    }
    for (std::size_t a = 0; a < more; ++a) {
        for (std::size_t i = 0; i < n; ++i) {
            program.vectors.indices.push_back(static_cast<Index>(i));
            program.vectors.values.push_back(random.normal());
        }
        program.vectors.offsets.push_back(program.vectors.indices.size());
        program.values.push_back(1.0 + static_cast<double>(n) * random.uniform());
    }
    program.vectors.rows = static_cast<Index>(program.values.size());
    program.shortfall_price = 0.0;
    return program;
}

/// Checks the optimality of X and y, computed here: X and S = sum_a y_a v_a v_a^T - C positive semidefinite, y within
/// its prices, nothing forbidden, b.y = objective.
void expect_optimal(const SemidefiniteProgram& program, const SemidefiniteSolution& solution, double tolerance) {
    const Eigen::MatrixXd x = to_eigen(solution.x);
    Eigen::MatrixXd s = -to_eigen(program.objective);
    double reached = (to_eigen(program.objective).cwiseProduct(x)).sum();
    double bound = 0.0;
    for (Index a = 0; a < program.vectors.rows; ++a) {
        Eigen::VectorXd v = Eigen::VectorXd::Zero(x.rows());
        for (std::size_t k = 0; k < program.vectors.row_indices(a).size(); ++k) {
            v[program.vectors.row_indices(a)[k]] = program.vectors.row_values(a)[k];
        }
        const double excess = v.dot(x * v) - program.values[a];
        s += solution.y[a] * v * v.transpose();
        bound += solution.y[a] * program.values[a];
        const double price = excess > 0.0 ? program.excess_price : program.shortfall_price;
        if (std::isfinite(price)) {
            reached -= price * std::abs(excess);
        } else {
            EXPECT_LE(std::abs(excess), tolerance * (1.0 + std::abs(program.values[a])));
        }
        EXPECT_LE(solution.y[a], program.excess_price + tolerance);
        EXPECT_GE(solution.y[a], -program.shortfall_price - tolerance);
    }
    const auto least = [](const Eigen::MatrixXd& m) {
        return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(m).eigenvalues()[0];
    };
    EXPECT_GE(least(x), -tolerance * x.norm());
    EXPECT_GE(least(s), -tolerance * (1.0 + s.norm()));
    EXPECT_NEAR(reached, bound, tolerance * (1.0 + std::abs(bound)));
    EXPECT_NEAR(solution.primal, reached, tolerance * (1.0 + std::abs(bound)));
    EXPECT_NEAR(solution.dual, bound, tolerance * (1.0 + std::abs(bound)));
}

TEST(SemidefiniteProgram, TwoPointsAsFarApartAsTheirLengthsAllow) {
    SemidefiniteProgram program = diagonal_program(2);
    program.objective(0, 1) = program.objective(1, 0) = -1.0;
    const SemidefiniteSolution solution = solve(program, {});
    ASSERT_EQ(solution.status, SemidefiniteStatus::Solved) << solution.message;
    EXPECT_NEAR(solution.primal, 4.0, 1e-5);
    EXPECT_NEAR(solution.x(0, 1), -1.0, 1e-5);
    EXPECT_LE(solution.gap, 1e-6);
    expect_optimal(program, solution, 1e-5);
}

TEST(SemidefiniteProgram, ConditionsOfTheOptimumHold) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const SemidefiniteProgram program = random_program(3 + 2 * seed, 4 * seed, seed);
        const SemidefiniteSolution solution = solve(program, {.tolerance = 1e-7});
        ASSERT_EQ(solution.status, SemidefiniteStatus::Solved) << solution.message;
        expect_optimal(program, solution, 1e-5);
    }
}

TEST(SemidefiniteProgram, EqualitiesHold) {
    SemidefiniteProgram program = random_program(8, 0, 11);
    program.shortfall_price = SemidefiniteProgram::not_allowed;
    const SemidefiniteSolution solution = solve(program, {});
    ASSERT_EQ(solution.status, SemidefiniteStatus::Solved) << solution.message;
    for (std::size_t i = 0; i < 8; ++i) {
        EXPECT_NEAR(solution.x(i, i), 1.0, 1e-5);
    }
    EXPECT_LE(solution.largest_violation, 1e-5);
    expect_optimal(program, solution, 1e-5);
}

/// One number x >= 0 with target 1, and an objective that increases it.
SemidefiniteSolution pulled(double pull, double shortfall_price, double excess_price) {
    SemidefiniteProgram program = diagonal_program(1);
    program.objective(0, 0) = pull;
    program.shortfall_price = shortfall_price;
    program.excess_price = excess_price;
    return solve(program, {});
}

TEST(SemidefiniteProgram, APriceIsPaidWhereTheObjectiveIsWorthMore) {
    EXPECT_NEAR(pulled(-2.0, 3.0, 3.0).x(0, 0), 1.0, 1e-4);
    EXPECT_NEAR(pulled(-2.0, 1.0, 3.0).x(0, 0), 0.0, 1e-4);
    EXPECT_NEAR(pulled(-2.0, 1.0, 3.0).primal, -1.0, 1e-4);
    EXPECT_NEAR(pulled(2.0, 1.0, 3.0).x(0, 0), 1.0, 1e-4);
}

TEST(SemidefiniteProgram, AnObjectiveWithoutBoundIsReported) {
    const SemidefiniteSolution solution = pulled(2.0, 1.0, 1.0);
    EXPECT_EQ(solution.status, SemidefiniteStatus::Unbounded) << solution.message;
}

TEST(SemidefiniteProgram, ConstraintsThatNothingKeepsAreReported) {
    SemidefiniteProgram program = diagonal_program(2);
    program.values[1] = -1.0;
    EXPECT_EQ(solve(program, {}).status, SemidefiniteStatus::Infeasible);
}

TEST(SemidefiniteProgram, UnitsDoNotMatter) {
    SemidefiniteProgram program = random_program(7, 9, 3);
    const SemidefiniteSolution before = solve(program, {});
    for (double& value : program.values) {
        value *= 1024.0;
    }
    for (double& value : program.objective.values) {
        value /= 4096.0;
    }
    const SemidefiniteSolution after = solve(program, {});
    EXPECT_EQ(after.iterations, before.iterations);
    EXPECT_DOUBLE_EQ(after.gap, before.gap);
    for (std::size_t k = 0; k < before.x.values.size(); ++k) {
        EXPECT_DOUBLE_EQ(after.x.values[k], 1024.0 * before.x.values[k]);
    }
}

TEST(SemidefiniteProgram, TheSameBitsForAnyNumberOfThreads) {
    const SemidefiniteProgram program = random_program(12, 30, 5);
    RunContext one;
    one.threads = 1;
    RunContext three;
    three.threads = 3;
    const SemidefiniteSolution a = solve(program, {}, one);
    const SemidefiniteSolution b = solve(program, {}, three);
    EXPECT_EQ(a.x.values, b.x.values);
    EXPECT_EQ(a.y, b.y);
}

TEST(SemidefiniteProgram, ZeroDistancesOnly) {
    SemidefiniteProgram program = diagonal_program(3);
    program.values.assign(3, 0.0);
    program.shortfall_price = 0.0;
    const SemidefiniteSolution solution = solve(program, {});
    for (const double value : solution.x.values) {
        EXPECT_NEAR(value, 0.0, 1e-4);
    }
}

TEST(SemidefiniteProgram, CanBeCancelled) {
    RunContext context;
    context.limit_seconds(0.0);
    const SemidefiniteSolution solution = solve(random_program(30, 100, 7), {}, context);
    EXPECT_EQ(solution.status, SemidefiniteStatus::Interrupted);
    EXPECT_LE(solution.iterations, 1);
}

/// Prices whose squares are beyond float64, with which DSDP by itself never comes to an end.
SemidefiniteProgram endless_program() {
    SemidefiniteProgram program = random_program(30, 100, 7);
    program.shortfall_price = program.excess_price = 1e160;
    return program;
}

TEST(SemidefiniteProgram, NumbersBeyondFloat64EndASolverThatWouldGoOnForEver) {
    const SemidefiniteSolution solution = solve(endless_program(), {});
    EXPECT_EQ(solution.status, SemidefiniteStatus::NotConverged) << solution.message;
    for (const double value : solution.x.values) {
        EXPECT_TRUE(std::isfinite(value));
    }
}

TEST(SemidefiniteProgram, ACallbackMayThrow) {
    RunContext context;
    context.on_iteration = [](const Progress& progress) {
        if (progress.done == 3) {
            throw std::runtime_error("enough");
        }
    };
    const SemidefiniteProgram program = random_program(12, 30, 5);
    EXPECT_THROW(static_cast<void>(solve(program, {}, context)), std::runtime_error);
    EXPECT_EQ(solve(program, {}).status, SemidefiniteStatus::Solved);  // and the lock is free again
}

TEST(SemidefiniteProgram, WhoWaitsForItsTurnMayEnd) {
    std::binary_semaphore solving(0);
    std::binary_semaphore go_on(0);
    RunContext slow;
    slow.on_iteration = [&](const Progress& progress) {
        if (progress.done == 1) {
            solving.release();
            go_on.acquire();
        }
    };
    std::jthread first([&] { EXPECT_EQ(solve(random_program(8, 9, 2), {}, slow).status, SemidefiniteStatus::Solved); });
    solving.acquire();
    RunContext ended;
    ended.limit_seconds(0.0);
    const SemidefiniteSolution solution = solve(random_program(8, 9, 2), {}, ended);
    EXPECT_EQ(solution.status, SemidefiniteStatus::Interrupted);
    EXPECT_TRUE(solution.x.values.empty());
    EXPECT_TRUE(solution.y.empty());
    go_on.release();
}

TEST(SemidefiniteProgram, TooFewIterationsAreReportedWithTheGap) {
    const SemidefiniteSolution solution = solve(random_program(20, 60, 7), {.iterations = 8});
    EXPECT_EQ(solution.status, SemidefiniteStatus::NotConverged);
    EXPECT_GT(solution.gap, 1e-6);
}

TEST(SemidefiniteProgram, RefusesPartsThatDoNotBelongTogether) {
    const auto refused = [](auto change) {
        SemidefiniteProgram program = diagonal_program(3);
        change(program);
        EXPECT_THROW(static_cast<void>(solve(program, {})), InvalidArgument);
    };
    refused([](SemidefiniteProgram& program) { program.objective = {}; });
    refused([](SemidefiniteProgram& program) { program.objective = DenseMatrix(3, 2); });
    refused([](SemidefiniteProgram& program) { program.objective = identity(4); });
    refused([](SemidefiniteProgram& program) { program.values.pop_back(); });
    refused([](SemidefiniteProgram& program) { program.values[1] = std::numeric_limits<double>::quiet_NaN(); });
    refused([](SemidefiniteProgram& program) { program.objective(1, 1) = std::numeric_limits<double>::infinity(); });
    refused([](SemidefiniteProgram& program) { program.excess_price = -1.0; });
    refused([](SemidefiniteProgram& program) {
        program.values.clear();
        program.vectors = {.columns = 3};
    });
}

TEST(SemidefiniteProgram, StatesItsMemory) {
    RunContext context;
    context.memory_limit = semidefinite_bytes(3, 3) - 1;
    EXPECT_THROW(static_cast<void>(solve(diagonal_program(3), {}, context)), LimitExceeded);
}

}  // namespace
}  // namespace isogon::semidefinite_program_test
