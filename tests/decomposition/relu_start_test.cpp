#include "decomposition/relu_start.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "decomposition/relu_examples.hpp"
#include "reference/point_sets.hpp"

namespace isogon::relu_start_test {

namespace {

using support::Matrix;

TEST(ReluStart, ShiftedIsTheBestApproximationOfTheShiftedMatrix) {
    const support::ReluExample example{"", support::planted_relu(90, 70, 4, 2.0, 1), {}};
    const ReluProblem problem = example.problem();
    for (const double shift : {0.0, 1.3}) {
        const Matrix dense = (example.s.array() > 0.0).select(example.s, Matrix::Constant(90, 70, -shift)).matrix();
        const ReluFactors start = shifted_start(problem, 5, shift, 0, {});
        const double best = (support::best_of_rank(dense, 5) - dense).norm();
        EXPECT_LT((support::product_of(start) - dense).norm(), 1.02 * best) << shift;
    }
    EXPECT_NEAR(mean_positive_entry(problem), example.s.sum() / static_cast<double>((example.s.array() > 0.0).count()),
                1e-12);
}

TEST(ReluStart, SparseHasNoMoreViolationsThanSHasEntries) {
    for (const double shift : {0.0, 3.0, 4.5}) {
        const support::ReluExample example{"", support::planted_relu(150, 140, 5, shift, 1), {}};
        const ReluProblem problem = example.problem();
        const Matrix latent = support::product_of(sparse_start(problem, 6, 0, {}));
        const auto violations = ((latent.array() > 0.0) && (example.s.array() == 0.0)).count();
        EXPECT_LE(violations, (example.s.array() > 0.0).count()) << shift;
    }
}

TEST(ReluStart, RandomIsAsLargeAsS) {
    const support::ReluExample example{"", support::planted_relu(200, 150, 4, 0.0, 1), {}};
    const ReluProblem problem = example.problem();
    const Matrix output = support::product_of(random_start(problem, 4, 5, {})).cwiseMax(0.0);
    EXPECT_NEAR(output.norm(), example.s.norm(), 0.15 * example.s.norm());
    EXPECT_EQ(random_start(problem, 4, 5, reference::on_threads(3)).left.values(),
              random_start(problem, 4, 5, {}).left.values());
    EXPECT_NE(random_start(problem, 4, 6, {}).left.values(), random_start(problem, 4, 5, {}).left.values());
}

/// Its definition, row by row.
Matrix slow_spherical_start(const support::ReluExample& example, const ReluFactors& factors) {
    Matrix rows = support::to_matrix(factors.left).rightCols(factors.rank() - 1);
    Matrix columns = support::to_matrix(factors.right).rightCols(factors.rank() - 1);
    rows.rowwise().normalize();
    columns.rowwise().normalize();
    const Matrix cosines = rows * columns.transpose();
    Matrix latent = Matrix::Zero(example.s.rows(), example.s.cols());
    for (Eigen::Index i = 0; i < latent.rows(); ++i) {
        std::vector<double> known;
        std::size_t support = 0;
        for (Eigen::Index j = 0; j < latent.cols(); ++j) {
            if (example.known(i, j) && example.s.col(j).maxCoeff() > 0.0) {
                known.push_back(cosines(i, j));
                support += example.s(i, j) > 0.0 ? 1 : 0;
            }
        }
        std::ranges::sort(known, std::greater<>());
        const double edge = support < known.size() ? known[support] : -1.0;
        double products = 0.0;
        double squares = 0.0;
        for (const double cosine : known) {
            squares += std::pow(std::max(0.0, cosine - edge), 2);
        }
        for (Eigen::Index j = 0; j < latent.cols(); ++j) {
            products += example.s(i, j) * std::max(0.0, cosines(i, j) - edge);
        }
        for (Eigen::Index j = 0; j < latent.cols() && squares > 0.0; ++j) {
            const bool empty = example.s.col(j).maxCoeff() <= 0.0;
            latent(i, j) = empty ? 0.0 : products / squares * (cosines(i, j) - edge);
        }
    }
    return latent;
}

TEST(SphericalStart, IsItsDefinition) {
    for (const support::ReluExample& example : support::relu_examples()) {
        const ReluProblem problem = example.problem();
        const ReluFactors factors = support::random_factors(problem.forward.rows(), problem.forward.columns(), 4, 3);
        const ReluFactors found = spherical_start(problem, factors, {});
        const Matrix wanted = slow_spherical_start(example, factors);
        EXPECT_EQ(found.rank(), 4U);
        EXPECT_LT((support::product_of(found) - wanted).norm(), 1e-8 * (1.0 + wanted.norm())) << example.name;
    }
}

TEST(SphericalStart, HasNoMoreEntriesAboveZeroThanSHasInARow) {
    for (const double shift : {0.0, 3.0}) {
        const support::ReluExample example{"", support::planted_relu(100, 90, 5, shift, 1), {}};
        const ReluProblem problem = example.problem();
        const Matrix latent = support::product_of(spherical_start(problem, support::random_factors(100, 90, 6, 2), {}));
        for (Eigen::Index i = 0; i < 100; ++i) {
            EXPECT_LE((latent.row(i).array() > 1e-9).count(), (example.s.row(i).array() > 0.0).count()) << i;
        }
    }
}

TEST(SphericalStart, IsExactForAnIdentity) {
    for (const Index size : {2U, 5U, 12U, 50U, 100U}) {
        const support::ReluExample example{"", Matrix::Identity(size, size), {}};
        const ReluFactors points = support::random_factors(size, size, 3, 4);
        const Matrix latent = support::product_of(spherical_start(example.problem(), {points.left, points.left}, {}));
        EXPECT_LT((latent.cwiseMax(0.0) - example.s).norm(), size < 100 ? 1e-6 : 1e-3) << size;
    }
}

TEST(SphericalStart, IsFiniteWherePointsAreTheSame) {
    const support::ReluExample example{"", Matrix::Identity(60, 60), {}};
    ReluFactors factors = support::random_factors(60, 60, 3, 4);
    for (Index i = 0; i < 30; ++i) {
        for (Index k = 1; k < 3; ++k) {
            factors.left.at(i, k) = i < 10 ? 0.0 : 1.0;
            factors.right.at(i, k) = 1.0;
        }
    }
    const Matrix latent = support::product_of(spherical_start(example.problem(), factors, {}));
    EXPECT_TRUE(latent.allFinite());
    EXPECT_LT(latent.cwiseAbs().maxCoeff(), 1e14);
}

TEST(SphericalStart, GivesTheSameBitsOnAnyNumberOfThreads) {
    const support::ReluExample example{"", support::planted_relu(150, 140, 5, 2.0, 1), {}};
    const ReluProblem problem = example.problem();
    const ReluFactors factors = support::random_factors(150, 140, 6, 2);
    EXPECT_EQ(spherical_start(problem, factors, reference::on_threads(3)).left.values(),
              spherical_start(problem, factors, reference::on_threads(1)).left.values());
    EXPECT_GT(spherical_start_bytes(140, reference::on_threads(3)), 3 * 140 * 48 * sizeof(double));
}

double objective(const support::ReluExample& example, const ReluFactors& factors) {
    return support::latent_squares(example, support::product_of(factors));
}

TEST(StartChoice, IsTheOneThatOptionsName) {
    const support::ReluExample example{"", support::planted_relu(40, 30, 3, 0.5, 1), {}};
    const ReluProblem problem = example.problem();
    const auto chosen = [&](ReluStart start) {
        return chosen_start(problem, {.rank = 3, .start = start, .seed = 5}, {}).left.values();
    };
    const ReluFactors sparse = sparse_start(problem, 3, 5, {});
    EXPECT_EQ(chosen(ReluStart::Shifted), sparse.left.values());
    EXPECT_EQ(chosen(ReluStart::Spherical), spherical_start(problem, balanced(sparse, {}), {}).left.values());
    EXPECT_EQ(chosen(ReluStart::Svd), shifted_start(problem, 3, 0.0, 5, {}).left.values());
    EXPECT_EQ(chosen(ReluStart::Nuclear), nuclear_start(problem, 3, 5, {}).left.values());
    EXPECT_EQ(chosen(ReluStart::Random), random_start(problem, 3, 5, {}).left.values());
}

TEST(StartChoice, AutoIsTheNearer) {
    std::vector<support::ReluExample> examples = support::relu_examples();
    examples.push_back({"identity", Matrix::Identity(30, 30), {}});
    for (const support::ReluExample& example : examples) {
        const ReluProblem problem = example.problem();
        const auto at = [&](ReluStart start) {
            const int rank = static_cast<int>(std::min<Eigen::Index>(3, std::min(example.s.rows(), example.s.cols())));
            return objective(example, chosen_start(problem, {.rank = rank, .start = start}, {}));
        };
        const double nearer = std::min(at(ReluStart::Shifted), at(ReluStart::Spherical));
        EXPECT_NEAR(at(ReluStart::Auto), nearer, 1e-9 * (1.0 + nearer)) << example.name;
    }
}

}  // namespace

}  // namespace isogon::relu_start_test
