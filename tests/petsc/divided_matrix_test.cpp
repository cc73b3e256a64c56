#include "divided_matrix.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"
#include "isogon/linalg/sparse_algebra.hpp"
#include "ranks.hpp"
#include "support/sparse_matrices.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::divided_matrix_test {
namespace {

using ranks::team;

WideSparseMatrix random_matrix(Index rows, Index columns, std::uint64_t seed) {
    return support::wide_sparse(support::random_sparse(rows, columns, 0.3, seed));
}

void expect_same(const WideSparseMatrix& a, const WideSparseMatrix& b) {
    EXPECT_EQ(a.rows, b.rows);
    EXPECT_EQ(a.columns, b.columns);
    EXPECT_EQ(a.offsets, b.offsets);
    EXPECT_EQ(a.indices, b.indices);
    EXPECT_EQ(a.values, b.values);
}

TEST(DividedMatrix, ComesTogetherAsItWas) {
    for (const Index rows : {0, 1, 3, 50}) {
        const WideSparseMatrix matrix = random_matrix(rows, 7, 1);
        expect_same(whole(own_rows(matrix, team()), team()), matrix);
        const WideVectors block = support::to_wide(support::random_matrix(rows, 3, 2));
        EXPECT_EQ(whole(own_rows(block, team()), team()).values, block.values);
    }
}

TEST(DividedMatrix, IsTransposedAsTheWholeIs) {
    for (const auto& [rows, columns] : {std::pair<Index, Index>{40, 25}, {2, 30}, {30, 1}}) {
        const WideSparseMatrix matrix = random_matrix(rows, columns, rows);
        const DividedMatrix result = transposed(own_rows(matrix, team()), team());
        expect_same(whole(result, team()), transpose(matrix));
    }
}

TEST(DividedMatrix, IsTakenFromTheIdentityAsTheWholeIs) {
    support::Matrix dense = support::random_sparse(31, 31, 0.2, 4);
    dense.diagonal().setZero();
    const WideSparseMatrix weights = support::wide_sparse(dense);
    expect_same(whole(identity_minus(own_rows(weights, team())), team()), identity_minus(weights));
}

TEST(DividedMatrix, RefusesRowsThatAreNotItsOwn) {
    const WideSparseMatrix rows = random_matrix(static_cast<Index>(own_part(20, team()).size()) + 1, 20, 1);
    EXPECT_THROW((void)divided(rows, 20, team()), InvalidArgument);
    EXPECT_THROW((void)identity_minus(own_rows(random_matrix(20, 21, 1), team())), InvalidArgument);
}

}  // namespace
}  // namespace isogon::divided_matrix_test
