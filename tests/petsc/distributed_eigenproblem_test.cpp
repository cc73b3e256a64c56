#include "distributed_eigenproblem.hpp"

#include <gtest/gtest.h>

#include "methods/spectral.hpp"
#include "ranks.hpp"
#include "support/spectral_methods.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::distributed_eigenproblem_test {
namespace {

using ranks::group;
using support::Matrix;

DistributedMatrix rows_of(const Matrix& matrix) {
    return own_rows(support::csr_matrix(matrix), group());
}

/// Against Eigen's own solver of the generalised problem.
void expect_solves(const Matrix& a, const Matrix& b, SpectrumEnd end, const Eigenpairs& own, Index skipped = 0) {
    EXPECT_EQ(own.termination, Termination::Converged);
    const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> truth(a, b);
    const auto n = static_cast<Index>(a.rows());
    const Matrix x = support::to_matrix(whole(own.vectors, group()));
    for (Index j = 0; j < x.cols(); ++j) {
        const Index place = end == SpectrumEnd::Smallest ? skipped + j : n - 1 - skipped - j;
        EXPECT_NEAR(own.values[j], truth.eigenvalues()[place], 1e-9 * truth.eigenvalues()[n - 1]) << j;
        const Matrix residual = a * x.col(j) - own.values[j] * b * x.col(j);
        EXPECT_NEAR(own.residuals[j], residual.norm(), 1e-12 * truth.eigenvalues()[n - 1]) << j;
        EXPECT_NEAR(own.scales[j], (b * x.col(j)).norm(), 1e-9) << j;
        EXPECT_GT(x.col(j).maxCoeff(), 0.999999 * -x.col(j).minCoeff()) << j;
    }
    EXPECT_LT(own.largest_relative_residual(), 1e-7);
    EXPECT_LT(support::difference(x.transpose() * b * x, Matrix::Identity(x.cols(), x.cols())), 1e-9);
}

TEST(DistributedEigenproblem, FindsBothEnds) {
    for (const Index n : {1, 3, 50, 230}) {
        const Matrix a = support::random_definite(n, 1e-3, 1);
        for (const auto end : {SpectrumEnd::Smallest, SpectrumEnd::Largest}) {
            const EigenOptions options{.count = std::min<Index>(n, 5)};
            expect_solves(a, Matrix::Identity(n, n), end,
                          solve_distributed({.a = rows_of(a), .end = end}, options, group(), {}));
        }
    }
}

TEST(DistributedEigenproblem, FindsGeneralisedOnes) {
    const Matrix a = support::random_definite(220, 1e-3, 3);
    const Matrix b = support::random_definite(220, 0.1, 4);
    for (const auto end : {SpectrumEnd::Smallest, SpectrumEnd::Largest}) {
        const DistributedEigenProblem problem{.a = rows_of(a), .b = rows_of(b), .end = end};
        expect_solves(a, b, end, solve_distributed(problem, {.count = 4}, group(), {}));
    }
}

TEST(DistributedEigenproblem, LeavesOutWhatIsKnownByEitherWay) {
    const Matrix a = support::ring_laplacian(260);
    DistributedEigenProblem problem{.a = rows_of(a)};
    problem.deflation = MultiVector<double>(problem.a.rows.rows, 1);
    std::fill(problem.deflation.values().begin(), problem.deflation.values().end(), 2.0);
    for (const EigenMethod method : {EigenMethod::SparseFactor, EigenMethod::Krylov}) {
        const Eigenpairs pairs = solve_distributed(problem, {.count = 6, .method = method}, group(), {});
        EXPECT_EQ(pairs.method, method);
        expect_solves(a, Matrix::Identity(260, 260), SpectrumEnd::Smallest, pairs, 1);
    }
}

TEST(DistributedEigenproblem, LeavesOutWhatIsKnownOfGeneralisedOnes) {
    const Matrix a = support::ring_laplacian(260);
    const Matrix b = 30.0 * support::random_definite(260, 0.1, 4);
    DistributedEigenProblem problem{.a = rows_of(a), .b = rows_of(b)};
    problem.deflation = MultiVector<double>(problem.a.rows.rows, 1);
    std::fill(problem.deflation.values().begin(), problem.deflation.values().end(), 2.0);
    for (const EigenMethod method : {EigenMethod::SparseFactor, EigenMethod::Krylov}) {
        const Eigenpairs pairs = solve_distributed(problem, {.count = 4, .method = method}, group(), {});
        EXPECT_EQ(pairs.method, method);
        expect_solves(a, b, SpectrumEnd::Smallest, pairs, 1);
    }
}

TEST(DistributedEigenproblem, TakesAnotherWayWhereAFactorIsTooLarge) {
    const Matrix a = support::ring_laplacian(260);
    RunContext little;
    little.memory_limit = distributed_eigen_bytes(260, 3);
    const Eigenpairs pairs = solve_distributed({.a = rows_of(a)}, {.count = 3}, group(), little);
    EXPECT_EQ(pairs.method, EigenMethod::Krylov);
    EXPECT_LT(pairs.largest_relative_residual(), 1e-7);
}

TEST(DistributedEigenproblem, OfZeroesHasZeroes) {
    const Matrix a = Matrix::Zero(210, 210);
    for (const auto end : {SpectrumEnd::Smallest, SpectrumEnd::Largest}) {
        const Eigenpairs pairs = solve_distributed({.a = rows_of(a), .end = end}, {.count = 3}, group(), {});
        for (const double value : pairs.values) {
            EXPECT_NEAR(value, 0.0, 1e-13);
        }
    }
}

TEST(DistributedEigenproblem, EndsWhereItIsToldToAndGivesTheBestThereIs) {
    const Matrix a = support::ring_laplacian(1000);
    const Eigenpairs pairs =
        solve_distributed({.a = rows_of(a), .end = SpectrumEnd::Largest}, {.count = 6, .iterations = 3}, group(), {});
    EXPECT_EQ(pairs.termination, Termination::IterationLimit);
    EXPECT_EQ(pairs.values.size(), 6U);
    EXPECT_GT(pairs.largest_relative_residual(), 1e-7);
    EXPECT_LT(pairs.largest_relative_residual(), 1.0);
    std::stop_source source;
    RunContext context;
    context.stop = source.get_token();
    context.on_iteration = [&](const Progress&) {
        if (group().rank() == group().size() - 1) {
            source.request_stop();
        }
    };
    const Eigenpairs stopped =
        solve_distributed({.a = rows_of(a), .end = SpectrumEnd::Largest}, {.count = 6}, group(), context);
    EXPECT_EQ(stopped.termination, Termination::Cancelled);
    EXPECT_EQ(stopped.values.size(), 6U);
    EXPECT_THROW((void)solve_distributed({.a = rows_of(a)}, {.count = 6}, group(), context), Interruption);
}

TEST(DistributedEigenproblem, PassesOnWhatACallbackThrows) {
    const Matrix a = support::ring_laplacian(300);
    RunContext context;
    context.on_iteration = [&](const Progress&) { throw InputError("callback", "", "does not like it"); };
    EXPECT_THROW((void)solve_distributed({.a = rows_of(a)}, {.count = 2}, group(), context), InputError);
}

TEST(DistributedEigenproblem, RefusesWhatCannotBe) {
    const Matrix a = support::ring_laplacian(12);
    DistributedEigenProblem problem{.a = rows_of(a)};
    EXPECT_THROW((void)solve_distributed(problem, {.count = 0}, group(), {}), InvalidArgument);
    EXPECT_THROW((void)solve_distributed(problem, {.count = 13}, group(), {}), InvalidArgument);
    problem.deflation = MultiVector<double>(problem.a.rows.rows, 1);
    problem.deflation.values().assign(problem.deflation.rows(), 1.0);
    EXPECT_THROW((void)solve_distributed(problem, {.count = 12}, group(), {}), InvalidArgument);
    problem.b = rows_of(support::ring_laplacian(13));
    EXPECT_THROW((void)solve_distributed(problem, {.count = 1}, group(), {}), InvalidArgument);
    RunContext little;
    little.memory_limit = 10;
    EXPECT_THROW((void)solve_distributed({.a = rows_of(a)}, {.count = 1}, group(), little), LimitExceeded);
}

/// Largest difference of the same method's coordinates by either solver, over the largest of them.
double difference(const Embedding& a, const Embedding& b) {
    const support::Matrix x = support::to_matrix(a.coordinates);
    const support::Matrix y = support::to_matrix(b.coordinates);
    return (x.cwiseAbs() - y.cwiseAbs()).cwiseAbs().maxCoeff() / y.cwiseAbs().maxCoeff();
}

TEST(PetscEigenSolver, GivesMethodsWhatTheirOwnSolverDoes) {
    const PetscEigenSolver solver(group());
    const FitExtras extras{.eigen_solver = &solver};
    const Points points = support::sheet(700, true).points;
    const LaplacianOptions laplacian{.dimension = 3};
    const Embedding eigenmaps = laplacian_eigenmaps(points.view(), laplacian, {}, extras);
    EXPECT_NE(eigenmaps.summary.message.find("sparse-factor"), std::string::npos) << eigenmaps.summary.message;
    EXPECT_LT(difference(eigenmaps, laplacian_eigenmaps(points.view(), laplacian)), 1e-5);
    const LleOptions lle{.dimension = 2};
    EXPECT_LT(difference(locally_linear_embedding(points.view(), lle, {}, extras),
                         locally_linear_embedding(points.view(), lle)),
              1e-4);
}

TEST(PetscEigenSolver, SolvesTheReducedProblemOfLandmarksToo) {
    const PetscEigenSolver solver(group());
    const Points points = support::sheet(900, true).points;
    const LandmarkOptions landmarks{.landmarks = 250};
    const LaplacianOptions options{.dimension = 3};
    const Embedding by_ranks = laplacian_eigenmaps(points.view(), options, {}, {.eigen_solver = &solver}, &landmarks);
    EXPECT_NE(by_ranks.summary.message.find("sparse-factor"), std::string::npos) << by_ranks.summary.message;
    EXPECT_LT(difference(by_ranks, laplacian_eigenmaps(points.view(), options, {}, {}, &landmarks)), 1e-4);
}

TEST(PetscEigenSolver, NeedsEntries) {
    const PetscEigenSolver solver(group());
    const support::DenseOperator a(support::Matrix::Identity(5, 5));
    EXPECT_THROW((void)solver.solve({.a = &a}, {}, {}), InvalidArgument);
}

}  // namespace
}  // namespace isogon::distributed_eigenproblem_test
