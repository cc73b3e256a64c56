// Eq. 23 against float64: Z_{t+1} = Z_orig + gamma (Z_t - Z_{t-1}), from the third Z on.
#include <gtest/gtest.h>

#include <vector>

#include "decomposition/relu_decomposition.hpp"
#include "support/matching_examples.hpp"

namespace isogon::dense_momentum_test {
namespace {

TEST(DenseMomentum, FollowsEquation23) {
    constexpr double tau = 0.6;
    constexpr double gamma = 0.9;
    constexpr Index rank = 3;
    const Points x = support::clustered_points(60, 8, 4, 0.6, 5);
    const Similarities s = thresholded_similarities(x.view(), tau, {});
    const LowRank start = support::start_of(x, rank, tau);
    DenseReluDecomposition state(
        s, start,
        {.rank = rank, .momentum = gamma, .regularize = false, .eigen_tolerance = 1e-6, .eigen_products = 200}, {});
    const support::Matrix dense_s = support::to_matrix(s);
    support::Matrix l = support::to_matrix(start);
    std::vector<support::Matrix> z;
    for (std::size_t t = 0; t < 5; ++t) {
        support::Matrix next = support::completed(dense_s, l);
        if (t > 1) {
            next += gamma * (z[t - 1] - z[t - 2]);
        }
        z.push_back(next);
        l = support::truncated(next, rank);
        state.update();
        EXPECT_LT((support::to_matrix(state.z()) - next).norm(), 1e-3 * next.norm()) << "Z after update " << t;
        EXPECT_LT((support::to_matrix(state.matrix()) - l).norm(), 1e-3 * l.norm()) << "L after update " << t;
    }
}

}  // namespace
}  // namespace isogon::dense_momentum_test
