#include "decomposition/nuclear_start.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>

#include "decomposition/relu_start.hpp"
#include "reference/point_sets.hpp"
#include "unit/decomposition/relu_examples.hpp"

namespace isogon::nuclear_start_test {
namespace {

using support::Matrix;

/// What is published, by full singular value decompositions; the first step is 1 in units of S.
Matrix slow_nuclear_start(const support::ReluExample& example, const Matrix& random, Index rank, double first_step) {
    Matrix z = support::completed(example, random);
    Eigen::BDCSVD<Matrix> svd(z, Eigen::ComputeThinU | Eigen::ComputeThinV);
    double step = first_step;
    for (int k = 0; k < 3; ++k) {
        const Matrix trial = support::completed(example, z - step * svd.matrixU() * svd.matrixV().transpose());
        const Eigen::BDCSVD<Matrix> next(trial, Eigen::ComputeThinU | Eigen::ComputeThinV);
        const bool fell = next.singularValues().sum() < svd.singularValues().sum();
        if (fell) {
            z = trial;
            svd = next;
        }
        step *= fell ? 1.2 : 0.7;
    }
    return support::best_of_rank(z, rank);
}

TEST(NuclearStart, IsThePublishedOne) {
    for (const auto& [rows, columns] : {std::pair<Index, Index>{40, 40}, {60, 50}, {30, 55}}) {
        const support::ReluExample example{"", support::planted_relu(rows, columns, 4, 0.0, 1), {}};
        for (const double unit : {1.0, 0.25}) {
            const support::ReluExample divided{"", example.s / unit, {}};
            const ReluProblem problem = relu_problem(support::wide_sparse(example.s), nullptr, unit);
            const Matrix random = support::product_of(random_start(problem, 4, 7, {}));
            const Matrix wanted = slow_nuclear_start(divided, random, 4, 1.0 / unit);
            const Matrix found = support::product_of(nuclear_start(problem, 4, 7, {}));
            EXPECT_LT((found - wanted).norm(), 1e-3 * wanted.norm()) << rows << " x " << columns << ", " << unit;
        }
    }
}

TEST(NuclearStart, IsNearerThanRandom) {
    const support::ReluExample example{"", support::planted_relu(80, 60, 4, 0.0, 1), {}};
    const ReluProblem problem = example.problem();
    const auto error = [&](const ReluFactors& factors) {
        return std::sqrt(support::output_squares(example, support::product_of(factors)));
    };
    const ReluFactors nuclear = nuclear_start(problem, 4, 0, {});
    EXPECT_EQ(nuclear.rank(), 4U);
    EXPECT_LT(error(nuclear), 0.7 * error(random_start(problem, 4, 0, {})));
    EXPECT_EQ(nuclear_start(problem, 4, 0, reference::on_threads(3)).left.values,
              nuclear_start(problem, 4, 0, reference::on_threads(1)).left.values);
}

TEST(NuclearStart, StatesArraysOfBothSides) {
    EXPECT_EQ(nuclear_start_bytes(48, 96), (8 * 2 + 1) * 48 * 48 * sizeof(double));
    EXPECT_EQ(nuclear_start_bytes(96, 48), nuclear_start_bytes(48, 96));
}

}  // namespace
}  // namespace isogon::nuclear_start_test
