#include "decomposition/relu_start.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/point_sets.hpp"
#include "unit/decomposition/relu_examples.hpp"

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
    EXPECT_EQ(random_start(problem, 4, 5, reference::on_threads(3)).left.values,
              random_start(problem, 4, 5, {}).left.values);
    EXPECT_NE(random_start(problem, 4, 6, {}).left.values, random_start(problem, 4, 5, {}).left.values);
}

}  // namespace
}  // namespace isogon::relu_start_test
