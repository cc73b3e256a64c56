#include "semidefinite/centred_basis.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>

#include "support/spectral_problems.hpp"

namespace isogon::centred_basis_test {
namespace {

using support::Matrix;

/// Rows that sum to one, the first ones an identity.
Matrix some_reconstruction(Index count, Index landmarks) {
    Matrix q = support::random_matrix(count, landmarks, count);
    q.topRows(landmarks).setIdentity();
    return q.array().colwise() / q.rowwise().sum().array();
}

TEST(CentredBasis, IsOrthonormalCentredAndOfTheSameSpan) {
    for (const auto& [count, landmarks] : std::vector<std::pair<Index, Index>>{{2, 2}, {50, 2}, {50, 7}, {1500, 30}}) {
        const Matrix q = some_reconstruction(count, landmarks);
        const Matrix p = support::to_matrix(centred_basis(support::to_wide(q), {.threads = 3}));
        ASSERT_EQ(p.cols(), landmarks - 1);
        EXPECT_LT(support::orthonormality_error(p), 1e-13);
        EXPECT_LT(p.colwise().sum().cwiseAbs().maxCoeff(), 1e-12);
        // Every vector is Q times something.
        EXPECT_LT((q * q.colPivHouseholderQr().solve(p) - p).cwiseAbs().maxCoeff(), 1e-9);
    }
}

TEST(CentredBasis, IsTheSameOnAnyNumberOfThreads) {
    const WideVectors q = support::to_wide(some_reconstruction(3000, 12));
    EXPECT_EQ(centred_basis(q, {.threads = 1}).values, centred_basis(q, {.threads = 3}).values);
}

}  // namespace
}  // namespace isogon::centred_basis_test
