#include "isogon/linalg/nonnegative_row.hpp"

#include <gtest/gtest.h>

#include "reference/nonnegative.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::nonnegative_row_test {
namespace {

using support::Matrix;

/// Weights of one row after `end`, and |x - w H|^2.
struct Solved {
    std::vector<double> weights;
    double left = 0.0;
    bool settled = false;
};

Solved solve(const Matrix& x, const Matrix& h, const DescentEnd& end, std::vector<double> start = {}) {
    const DenseMatrix gram = support::to_small(h * h.transpose());
    const Matrix right = x * h.transpose();
    start.resize(gram.rows);
    Solved result{std::move(start)};
    NonnegativeRow problem(gram);
    result.settled = problem.improve({right.data(), gram.rows}, result.weights, end);
    const Eigen::Map<const Eigen::RowVectorXd> w(result.weights.data(), h.rows());
    result.left = (x - w * h).squaredNorm();
    return result;
}

TEST(NonnegativeRow, FindsTheBestWeightsOfAll) {
    const Matrix h = reference::uniform_matrix(5, 9, 1);
    const Matrix rows = support::random_matrix(30, 9, 2);  // far from the cone, so that many weights are zero
    const Matrix best = reference::best_weights(rows, h);
    int zeros = 0;
    for (Index i = 0; i < 30; ++i) {
        const Solved solved = solve(rows.row(i), h, {});
        EXPECT_TRUE(solved.settled);
        for (Index k = 0; k < 5; ++k) {
            EXPECT_NEAR(solved.weights[k], best(i, k), 1e-6);
            zeros += solved.weights[k] == 0.0 ? 1 : 0;
        }
    }
    EXPECT_GT(zeros, 30);
}

TEST(NonnegativeRow, NeverRises) {
    const Matrix h = reference::uniform_matrix(12, 20, 3);
    const Matrix x = reference::uniform_matrix(1, 20, 4);
    std::vector<double> weights(12, 0.7);
    double before = INFINITY;
    for (int sweep = 0; sweep < 40; ++sweep) {
        const Solved solved = solve(x, h, {.sweeps = 1}, weights);
        EXPECT_LE(solved.left, before + 1e-12);
        before = solved.left;
        weights = solved.weights;
    }
}

TEST(NonnegativeRow, EndsAfterItsSweepsAndSaysSo) {
    const Matrix h = reference::uniform_matrix(12, 20, 3);  // nearly parallel rows: slow
    const Matrix x = reference::uniform_matrix(1, 20, 4);
    EXPECT_FALSE(solve(x, h, {.sweeps = 3}).settled);
    EXPECT_TRUE(solve(x, h, {.sweeps = 1000, .share = 0.1}).settled);
    EXPECT_GT(solve(x, h, {.sweeps = 1000, .share = 0.1}).left, solve(x, h, {.sweeps = 100000}).left);
}

TEST(NonnegativeRow, LeavesWeightsOfMissingPartsAlone) {
    Matrix h = reference::uniform_matrix(4, 6, 5);
    h.row(2).setZero();
    const Solved solved = solve(reference::uniform_matrix(1, 6, 6), h, {}, {0.0, 0.0, 3.0, 0.0});
    EXPECT_TRUE(solved.settled);
    EXPECT_EQ(solved.weights[2], 3.0);
    const Solved nothing = solve(reference::uniform_matrix(1, 6, 6), Matrix::Zero(3, 6), {});
    EXPECT_EQ(nothing.weights, std::vector<double>(3));
}

TEST(NonnegativeRow, DescendsThoughPartsAreEqual) {
    Matrix h = reference::uniform_matrix(4, 6, 5);
    h.row(3) = h.row(0);
    const Matrix x = 2.0 * h.row(0) + h.row(1);
    EXPECT_LT(solve(x, h, {}).left, 1e-10);
}

TEST(NonnegativeRow, GivesZeroForWhatPointsAway) {
    const Matrix h = reference::uniform_matrix(3, 6, 5);
    EXPECT_EQ(solve(-h.row(1), h, {}, {1.0, 1.0, 1.0}).weights, std::vector<double>(3));
}

}  // namespace
}  // namespace isogon::nonnegative_row_test
