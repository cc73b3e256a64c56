#include "mumps_factor.hpp"

#include <gtest/gtest.h>

#include "ranks.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::mumps_factor_test {
namespace {

using ranks::group;

constexpr double plenty = 1e12;

TEST(MumpsFactor, SolvesAndSaysWhatItCosts) {
    const support::Matrix dense = support::random_definite(60, 1e-3, 1);
    const MatHandle matrix = to_petsc(own_rows(support::csr_matrix(dense), group()), group());
    MumpsFactor factor(matrix.get());
    // A dense one takes n^3 / 3 multiplications and additions, or half of them.
    EXPECT_GT(factor.operations(), 60.0 * 60.0 * 60.0 / 6.0);
    EXPECT_GT(factor.most_bytes(), 0U);
    ASSERT_TRUE(factor.factor());
    KspHandle solver;
    require_petsc(KSPCreate(PETSC_COMM_WORLD, solver.out()), "solver");
    require_petsc(KSPSetOperators(solver.get(), matrix.get(), matrix.get()), "solver");
    require_petsc(KSPSetType(solver.get(), KSPPREONLY), "solver");
    use_factor(solver.get(), factor);
    const support::Matrix truth = support::random_matrix(60, 1, 2);
    const VecHandle b = row_vector(matrix.get());
    const VecHandle x = column_vector(matrix.get());
    fill(b.get(), own_rows(support::to_multi_vector(dense * truth), group()), 0);
    require_petsc(KSPSolve(solver.get(), b.get(), x.get()), "solver");
    MultiVector<double> found = own_rows(MultiVector<double>(60, 1), group());
    read(x.get(), found, 0);
    EXPECT_LT(support::difference(support::to_matrix(whole(found, group())), truth), 1e-10);
}

TEST(MumpsFactor, IsNotTakenWhereItCostsTooMuch) {
    const support::Matrix dense = support::random_definite(60, 1e-3, 1);
    const MatHandle matrix = to_petsc(own_rows(support::csr_matrix(dense), group()), group());
    EXPECT_TRUE(affordable_factor(matrix.get(), plenty, group(), {}));
    EXPECT_FALSE(affordable_factor(matrix.get(), 10.0, group(), {}));
    RunContext little;
    little.memory_limit = 10;
    EXPECT_FALSE(affordable_factor(matrix.get(), plenty, group(), group().rank() == 0 ? little : RunContext()));
}

}  // namespace
}  // namespace isogon::mumps_factor_test
