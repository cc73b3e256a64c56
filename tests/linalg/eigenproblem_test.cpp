#include "linalg/eigenproblem.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/spectral_problems.hpp"

namespace isogon::eigenproblem_test {
namespace {

using support::DenseOperator;
using support::Matrix;

class EveryEigenMethod : public testing::TestWithParam<EigenMethod> {};

struct Truth {
    Matrix vectors;
    Eigen::VectorXd values;
};

/// By Eigen's own solver of the generalised problem, ascending.
Truth truth_of(const Matrix& a, const Matrix& b) {
    const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(a, b);
    return {solver.eigenvectors(), solver.eigenvalues()};
}

EigenProblem problem_of(const DenseOperator& a, const DenseOperator* b, SpectrumEnd end) {
    EigenProblem problem{.a = &a, .b = b, .end = end};
    problem.a_entries = [&a] { return support::csr_matrix(a.matrix()); };
    if (b != nullptr) {
        problem.b_entries = [b] { return support::csr_matrix(b->matrix()); };
    }
    return problem;
}

void expect_solves(const EigenProblem& problem, const Eigenpairs& pairs, const Truth& truth, Index skipped = 0) {
    ASSERT_EQ(pairs.termination, Termination::Converged) << name(pairs.method);
    const Index n = pairs.vectors.rows();
    for (Index j = 0; j < pairs.vectors.columns(); ++j) {
        const Index place = problem.end == SpectrumEnd::Smallest ? skipped + j : n - 1 - skipped - j;
        EXPECT_NEAR(pairs.values[j], truth.values[place], 1e-9 * std::abs(truth.values[n - 1])) << j;
    }
    EXPECT_LT(pairs.largest_relative_residual(), 1e-7);
    const Matrix x = support::to_matrix(pairs.vectors);
    const Matrix image = problem.b == nullptr ? x : static_cast<const DenseOperator*>(problem.b)->matrix() * x;
    EXPECT_LT(support::difference(x.transpose() * image, Matrix::Identity(x.cols(), x.cols())), 1e-9);
}

TEST_P(EveryEigenMethod, FindsBothEndsOfRandomPencils) {
    for (const auto seed : {1}) {
        const DenseOperator a(support::random_definite(110, 1e-1, seed));
        for (const auto end : {SpectrumEnd::Smallest, SpectrumEnd::Largest}) {
            const EigenProblem problem = problem_of(a, nullptr, end);
            const Eigenpairs pairs = solve(problem, {.count = 7, .method = GetParam()}, {});
            expect_solves(problem, pairs, truth_of(a.matrix(), Matrix::Identity(110, 110)));
        }
    }
}

TEST_P(EveryEigenMethod, FindsGeneralisedOnes) {
    const DenseOperator a(support::random_definite(100, 1e-2, 3));
    const DenseOperator b(support::random_definite(100, 0.1, 4));
    for (const auto end : {SpectrumEnd::Smallest, SpectrumEnd::Largest}) {
        const EigenProblem problem = problem_of(a, &b, end);
        const Eigenpairs pairs = solve(problem, {.count = 5, .iterations = 3000, .method = GetParam()}, {});
        expect_solves(problem, pairs, truth_of(a.matrix(), b.matrix()));
    }
}

TEST_P(EveryEigenMethod, LeavesOutWhatIsKnown) {
    const DenseOperator a(support::ring_laplacian(100));
    EigenProblem problem = problem_of(a, nullptr, SpectrumEnd::Smallest);
    problem.deflation = MultiVector<double>(100, 1);
    std::fill(problem.deflation.values().begin(), problem.deflation.values().end(), 2.0);
    const Eigenpairs pairs = solve(problem, {.count = 6, .method = GetParam()}, {});
    expect_solves(problem, pairs, truth_of(a.matrix(), Matrix::Identity(100, 100)), 1);
    for (Index j = 0; j < 6; ++j) {
        EXPECT_NEAR(support::to_matrix(pairs.vectors).col(j).sum(), 0.0, 1e-9);
    }
}

TEST_P(EveryEigenMethod, HasTheSameBitsOnAnyNumberOfThreads) {
    const DenseOperator a(support::random_definite(120, 1e-2, 5));
    const EigenProblem problem = problem_of(a, nullptr, SpectrumEnd::Smallest);
    const Eigenpairs one = solve(problem, {.count = 4, .iterations = 12, .method = GetParam()}, {.threads = 1});
    const Eigenpairs three = solve(problem, {.count = 4, .iterations = 12, .method = GetParam()}, {.threads = 3});
    EXPECT_EQ(one.vectors.values(), three.vectors.values());
    EXPECT_EQ(one.values, three.values);
}

INSTANTIATE_TEST_SUITE_P(All, EveryEigenMethod,
                         testing::Values(EigenMethod::Dense, EigenMethod::Krylov, EigenMethod::Filtered,
                                         EigenMethod::SparseFactor, EigenMethod::DenseFactor));

TEST(Eigenproblem, LargerDenseOnesAreSolved) {
    const DenseOperator a(support::random_definite(260, 1e-2, 5));
    for (const auto end : {SpectrumEnd::Smallest, SpectrumEnd::Largest}) {
        const EigenProblem problem = problem_of(a, nullptr, end);
        expect_solves(problem, solve(problem, {.count = 70}, {}), truth_of(a.matrix(), Matrix::Identity(260, 260)));
    }
}

TEST(Eigenproblem, SmallOnesAreSolvedAtEveryCount) {
    for (const Index n : {1, 2, 3, 10, 50}) {
        const DenseOperator a(support::random_definite(n, 0.1, n));
        for (const Index count : {Index{1}, (n + 1) / 2, n}) {
            const EigenProblem problem = problem_of(a, nullptr, SpectrumEnd::Largest);
            expect_solves(problem, solve(problem, {.count = count}, {}), truth_of(a.matrix(), Matrix::Identity(n, n)));
        }
    }
}

TEST(Eigenproblem, OfZeroesHasZeroes) {
    const DenseOperator a(Matrix::Zero(300, 300));
    for (const auto end : {SpectrumEnd::Smallest, SpectrumEnd::Largest}) {
        const Eigenpairs pairs = solve(problem_of(a, nullptr, end), {.count = 3}, {});
        EXPECT_EQ(pairs.values, std::vector<double>(3, 0.0));
        EXPECT_EQ(pairs.largest_relative_residual(), 0.0);
    }
}

TEST(Eigenproblem, EndsAtTheLimitOfIterationsAndSaysHowFarItGot) {
    const DenseOperator a(support::ring_laplacian(2000));
    const Eigenpairs pairs = solve(problem_of(a, nullptr, SpectrumEnd::Smallest),
                                   {.count = 6, .iterations = 2, .method = EigenMethod::Krylov}, {});
    EXPECT_EQ(pairs.termination, Termination::IterationLimit);
    EXPECT_EQ(pairs.iterations, 2);
    EXPECT_GT(pairs.largest_relative_residual(), 1e-3);
}

/// Solves with the library's solver, returns the opposite signs, and counts its calls.
class Upside : public EigenSolver {
public:
    [[nodiscard]] Eigenpairs solve(const EigenProblem& problem, const EigenOptions& options,
                                   const RunContext& context) const override {
        ++asked;
        EigenOptions own = options;
        own.solver = nullptr;
        Eigenpairs pairs = isogon::solve(problem, own, context);
        std::transform(pairs.vectors.values().begin(), pairs.vectors.values().end(), pairs.vectors.values().begin(),
                       std::negate<>());
        pairs.residuals.assign(options.count, 1.0);
        return pairs;
    }
    mutable int asked = 0;
};

TEST(Eigenproblem, UsesAGivenSolverForLargeProblems) {
    const Upside solver;
    const DenseOperator a(support::ring_laplacian(300));
    const DenseOperator small(support::ring_laplacian(100));
    for (const auto end : {SpectrumEnd::Smallest, SpectrumEnd::Largest}) {
        const EigenProblem problem = problem_of(a, nullptr, end);
        const Eigenpairs own = solve(problem, {.count = 3}, {});
        const Eigenpairs given = solve(problem, {.count = 3, .solver = &solver}, {});
        EXPECT_EQ(given.vectors.values(), own.vectors.values());
        EXPECT_EQ(given.values, own.values);
        EXPECT_EQ(given.residuals, own.residuals);
    }
    EXPECT_EQ(solver.asked, 2);
    (void)solve(problem_of(small, nullptr, SpectrumEnd::Smallest), {.count = 3, .solver = &solver}, {});
    EigenProblem without_entries{.a = &a};
    (void)solve(without_entries, {.count = 3, .solver = &solver}, {});
    EXPECT_EQ(solver.asked, 2);
}

TEST(Eigenproblem, RefusesMorePairsThanThereAre) {
    const DenseOperator a(support::ring_laplacian(10));
    EigenProblem problem = problem_of(a, nullptr, SpectrumEnd::Smallest);
    problem.deflation = MultiVector<double>(10, 1);
    problem.deflation.values().assign(10, 1.0);
    EXPECT_THROW((void)solve(problem, {.count = 10}, {}), InvalidArgument);
    EXPECT_THROW((void)solve(problem, {.count = 0}, {}), InvalidArgument);
    EXPECT_EQ(solve(problem, {.count = 9}, {}).values.size(), 9U);
}

}  // namespace
}  // namespace isogon::eigenproblem_test
