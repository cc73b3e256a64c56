#include "distributed_matrix.hpp"

#include <gtest/gtest.h>

#include "linalg/sparse_algebra.hpp"
#include "ranks.hpp"
#include "support/sparse_matrices.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::distributed_matrix_test {
namespace {

using ranks::group;

CsrMatrix<double> random_matrix(Index rows, Index columns, std::uint64_t seed) {
    return support::csr_matrix(support::random_sparse(rows, columns, 0.3, seed));
}

void expect_same(const CsrMatrix<double>& a, const CsrMatrix<double>& b) {
    EXPECT_EQ(a.rows, b.rows);
    EXPECT_EQ(a.columns, b.columns);
    EXPECT_EQ(a.offsets, b.offsets);
    EXPECT_EQ(a.indices, b.indices);
    EXPECT_EQ(a.values, b.values);
}

TEST(DistributedMatrix, ComesTogetherAsItWas) {
    for (const Index rows : {0, 1, 3, 50}) {
        const CsrMatrix<double> matrix = random_matrix(rows, 7, 1);
        expect_same(whole(own_rows(matrix, group()), group()), matrix);
        const MultiVector<double> block = support::to_multi_vector(support::random_matrix(rows, 3, 2));
        EXPECT_EQ(whole(own_rows(block, group()), group()).values(), block.values());
    }
}

TEST(DistributedMatrix, IsTransposedAsTheWholeIs) {
    for (const auto& [rows, columns] : {std::pair<Index, Index>{40, 25}, {2, 30}, {30, 1}}) {
        const CsrMatrix<double> matrix = random_matrix(rows, columns, rows);
        const DistributedMatrix result = transposed(own_rows(matrix, group()), group());
        expect_same(whole(result, group()), transpose(matrix));
    }
}

TEST(DistributedMatrix, IsTakenFromTheIdentityAsTheWholeIs) {
    support::Matrix dense = support::random_sparse(31, 31, 0.2, 4);
    dense.diagonal().setZero();
    const CsrMatrix<double> weights = support::csr_matrix(dense);
    expect_same(whole(identity_minus(own_rows(weights, group())), group()), identity_minus(weights));
}

TEST(DistributedMatrix, RefusesRowsThatAreNotItsOwn) {
    const CsrMatrix<double> rows = random_matrix(static_cast<Index>(group().own_part(20).size()) + 1, 20, 1);
    EXPECT_THROW((void)distributed(rows, 20, group()), InvalidArgument);
    EXPECT_THROW((void)identity_minus(own_rows(random_matrix(20, 21, 1), group())), InvalidArgument);
}

}  // namespace
}  // namespace isogon::distributed_matrix_test
