#include "isogon/matching/low_rank.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "reference/point_sets.hpp"
#include "support/matching_examples.hpp"

namespace isogon::low_rank_test {
namespace {

using reference::on_threads;
using support::Matrix;
using support::to_matrix;

/// Weights of both signs on columns that are not orthonormal.
LowRank random_low_rank(Index size, Index rank, std::uint64_t seed) {
    LowRank l{support::random_block(size, rank, seed), std::vector<double>(rank)};
    for (Index k = 0; k < rank; ++k) {
        l.weights[k] = (k % 2 == 0 ? 2.0 : -1.5) / (1.0 + k);
    }
    return l;
}

Matrix to_matrix(const PackedPoints& points) {
    Matrix result(points.count(), points.depth());
    for (Index i = 0; i < points.count(); ++i) {
        for (Index k = 0; k < points.depth(); ++k) {
            result(i, k) = double{points.at(i, k)};
        }
    }
    return result;
}

Matrix product_of(const PackedLowRank& packed) {
    return to_matrix(packed.left) * to_matrix(packed.right).transpose();
}

class LowRankOf : public testing::TestWithParam<std::tuple<Index, Index>> {};

INSTANTIATE_TEST_SUITE_P(Shapes, LowRankOf,
                         testing::Combine(testing::Values(1, 47, 48, 49, 300), testing::Values(1, 3, 17)));

TEST_P(LowRankOf, PacksAsProductsOfPoints) {
    const auto [size, rank] = GetParam();
    const LowRank l = random_low_rank(size, rank, 1);
    const PackedLowRank packed = pack({{&l, 1.0}}, on_threads(2));
    EXPECT_EQ(packed.left.depth(), rank);
    EXPECT_LT(support::difference(product_of(packed), to_matrix(l)), 1e-5);
}

TEST_P(LowRankOf, PacksSumsWithTheirCoefficients) {
    const auto [size, rank] = GetParam();
    const LowRank a = random_low_rank(size, rank, 2);
    const LowRank b = random_low_rank(size, 5, 3);
    const PackedLowRank packed = pack({{&a, 1.75}, {&b, -0.75}}, on_threads(2));
    EXPECT_EQ(packed.right.depth(), rank + 5);
    EXPECT_LT(support::difference(product_of(packed), 1.75 * to_matrix(a) - 0.75 * to_matrix(b)), 2e-5);
}

TEST_P(LowRankOf, HasTheDiagonalAndTheSumOfItsMatrix) {
    const auto [size, rank] = GetParam();
    const LowRank l = random_low_rank(size, rank, 4);
    const Matrix dense = to_matrix(l);
    const std::vector<double> entries = diagonal(pack({{&l, 1.0}}, on_threads(2)), on_threads(2));
    ASSERT_EQ(entries.size(), size);
    for (Index i = 0; i < size; ++i) {
        EXPECT_NEAR(entries[i], dense(i, i), 1e-5);
    }
    EXPECT_NEAR(sum_of_entries(l), dense.sum(), 1e-9 * dense.cwiseAbs().sum());
}

TEST_P(LowRankOf, AddsItsProductToWhatIsThere) {
    const auto [size, rank] = GetParam();
    const LowRank l = random_low_rank(size, rank, 5);
    const BlockVectors in = support::random_block(size, 7, 6);
    BlockVectors out = support::random_block(size, 7, 7);
    const Matrix before = to_matrix(out);
    add_product(l, -0.3, in, out, on_threads(2));
    const Matrix expected = before - 0.3 * to_matrix(l) * to_matrix(in);
    EXPECT_LT(support::difference(to_matrix(out), expected), 1e-6 * (1.0 + size));
}

TEST_P(LowRankOf, IsTheSameBitsForAnyNumberOfThreads) {
    const auto [size, rank] = GetParam();
    const LowRank l = random_low_rank(size, rank, 8);
    const BlockVectors in = support::random_block(size, 7, 9);
    const auto all = [&, n = size](int threads) {
        BlockVectors out(n, 7);
        add_product(l, 1.0, in, out, on_threads(threads));
        const PackedLowRank packed = pack({{&l, 1.0}}, on_threads(threads));
        return std::tuple(Matrix(support::to_matrix(out)), Matrix(to_matrix(packed.left)),
                          diagonal(packed, on_threads(threads)));
    };
    const auto one = all(1);
    EXPECT_EQ(one, all(2));
    EXPECT_EQ(one, all(3));
}

TEST(LowRank, OfWeightZeroIsZero) {
    LowRank l = random_low_rank(20, 2, 10);
    l.weights = {0.0, 0.0};
    EXPECT_EQ(product_of(pack({{&l, 1.0}}, {})), Matrix::Zero(20, 20));
    EXPECT_EQ(sum_of_entries(l), 0.0);
}

}  // namespace
}  // namespace isogon::low_rank_test
