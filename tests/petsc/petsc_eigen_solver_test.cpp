#include "petsc_eigen_solver.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"
#include "isogon/methods/spectral.hpp"
#include "ranks.hpp"
#include "support/spectral_methods.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::petsc_eigen_solver_test {
namespace {

using ranks::communicator;

/// Largest difference of the same method's coordinates by either solver, over the largest of them.
double difference(const Embedding& a, const Embedding& b) {
    const support::Matrix x = support::to_matrix(a.coordinates);
    const support::Matrix y = support::to_matrix(b.coordinates);
    return (x.cwiseAbs() - y.cwiseAbs()).cwiseAbs().maxCoeff() / y.cwiseAbs().maxCoeff();
}

TEST(PetscEigenSolver, GivesMethodsWhatTheirOwnSolverDoes) {
    const PetscEigenSolver solver(communicator());
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
    const PetscEigenSolver solver(communicator());
    const Points points = support::sheet(900, true).points;
    const LandmarkOptions landmarks{.landmarks = 250};
    const LaplacianOptions options{.dimension = 3};
    const Embedding by_ranks = laplacian_eigenmaps(points.view(), options, {}, {.eigen_solver = &solver}, &landmarks);
    EXPECT_NE(by_ranks.summary.message.find("sparse-factor"), std::string::npos) << by_ranks.summary.message;
    EXPECT_LT(difference(by_ranks, laplacian_eigenmaps(points.view(), options, {}, {}, &landmarks)), 1e-4);
}

TEST(PetscEigenSolver, NeedsEntries) {
    const PetscEigenSolver solver(communicator());
    const support::DenseOperator a(support::Matrix::Identity(5, 5));
    EXPECT_THROW((void)solver.solve({.a = &a}, {}, {}), InvalidArgument);
}

}  // namespace
}  // namespace isogon::petsc_eigen_solver_test
