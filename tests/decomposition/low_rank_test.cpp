#include "decomposition/low_rank.hpp"

#include <gtest/gtest.h>
#include <cmath>
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
    const MultiVector<float> in = support::random_block(size, 7, 6);
    MultiVector<float> out = support::random_block(size, 7, 7);
    const Matrix before = to_matrix(out);
    add_product(l, -0.3, in, out, on_threads(2));
    const Matrix expected = before - 0.3 * to_matrix(l) * to_matrix(in);
    EXPECT_LT(support::difference(to_matrix(out), expected), 1e-6 * (1.0 + size));
}

TEST_P(LowRankOf, IsTheSameBitsForAnyNumberOfThreads) {
    const auto [size, rank] = GetParam();
    const LowRank l = random_low_rank(size, rank, 8);
    const MultiVector<float> in = support::random_block(size, 7, 9);
    const auto all = [&, n = size](int threads) {
        MultiVector<float> out(n, 7);
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

/// Eqs. 8 and 9 in float64.
Matrix gram_of_outputs(const Matrix& l, double tau, Index dimension) {
    const Eigen::VectorXd roots = l.diagonal().cwiseMax(0.0).cwiseSqrt();
    const Matrix g = l + tau / (1.0 - tau) * roots * roots.transpose();
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(g);
    Matrix result = Matrix::Zero(l.rows(), l.rows());
    for (Index a = 0; a < dimension; ++a) {
        const Eigen::Index place = l.rows() - 1 - a;
        const Eigen::VectorXd e = solver.eigenvectors().col(place);
        result += std::max(0.0, solver.eigenvalues()[place]) * e * e.transpose();
    }
    return result;
}

class OutputsFor : public testing::TestWithParam<std::tuple<Index, Index, double>> {};

INSTANTIATE_TEST_SUITE_P(Shapes, OutputsFor,
                         testing::Combine(testing::Values(20, 49, 300), testing::Values(1, 2, 7, 16),
                                          testing::Values(0.1, 0.5, 0.9)));

TEST_P(OutputsFor, AMatrixOfPointsAreThePointsUpToARotation) {
    const auto [count, d, tau] = GetParam();
    const Points y = reference::random_points(count, d, 1);
    const MatchedOutputs result = outputs_from_matrix(initial_matrix(y, tau), tau, d, on_threads(2));
    const Matrix outputs = to_matrix(result.outputs);
    const Matrix gram = to_matrix(y) * to_matrix(y).transpose();
    EXPECT_LT(support::difference(outputs * outputs.transpose(), gram), 2e-5 * gram.maxCoeff());
    EXPECT_EQ(result.negative_diagonal, 0U);
    EXPECT_LT(result.negative_share, 1e-4);
}

TEST_P(OutputsFor, AnyMatrixAreThoseOfTheFormula) {
    const auto [count, d, tau] = GetParam();
    LowRank l{support::random_block(count, d, 2), std::vector<double>(d)};
    for (Index k = 0; k < d; ++k) {
        l.weights[k] = (k % 3 == 2 ? -1.0 : 1.0) * (1.0 + k);
    }
    const MatchedOutputs result = outputs_from_matrix(l, tau, d, on_threads(2));
    const Matrix outputs = to_matrix(result.outputs);
    const Matrix expected = gram_of_outputs(to_matrix(l), tau, d);
    EXPECT_EQ(result.outputs.dimension(), d);
    EXPECT_LT(support::difference(outputs * outputs.transpose(), expected), 3e-5 * (1.0 + expected.maxCoeff()));
    const auto negative = (to_matrix(l).diagonal().array() < 0.0).count();
    EXPECT_EQ(result.negative_diagonal, negative);
}

TEST_P(OutputsFor, AnyMatrixAreTheSameBitsForAnyNumberOfThreads) {
    const auto [count, d, tau] = GetParam();
    const LowRank l = initial_matrix(reference::random_points(count, d, 3), tau);
    const Matrix one = to_matrix(outputs_from_matrix(l, tau, d, on_threads(1)).outputs);
    EXPECT_EQ(one, to_matrix(outputs_from_matrix(l, tau, d, on_threads(2)).outputs));
    EXPECT_EQ(one, to_matrix(outputs_from_matrix(l, tau, d, on_threads(3)).outputs));
}

TEST(Outputs, DescribeTheSpectrumOfTheirGramMatrix) {
    // G = L + (norms)(norms)^T with L = 4 e1 e1^T - 9 e2 e2^T: L_22 < 0 counts as no norm.
    const LowRank l{support::to_block(Matrix::Identity(5, 2)), {4.0, -9.0}};
    const MatchedOutputs result = outputs_from_matrix(l, 0.5, 2, {});
    EXPECT_NEAR(result.eigenvalues[0], 8.0, 1e-5);
    EXPECT_NEAR(result.eigenvalues.back(), -9.0, 1e-5);
    EXPECT_EQ(result.negative_eigenvalues, 1U);
    EXPECT_NEAR(result.negative_share, 9.0 / 17.0, 1e-6);
    EXPECT_EQ(result.negative_diagonal, 1U);
    EXPECT_TRUE(std::is_sorted(result.eigenvalues.rbegin(), result.eigenvalues.rend()));
    EXPECT_NEAR(std::abs(result.outputs[0][0]), std::sqrt(8.0), 1e-5);
    EXPECT_EQ(result.outputs[3][0], 0.0F);
}

TEST(Outputs, OfAZeroMatrixAreZero) {
    const LowRank l{MultiVector<float>(7, 3), {1.0, -1.0, 2.0}};
    const MatchedOutputs result = outputs_from_matrix(l, 0.5, 3, {});
    EXPECT_EQ(to_matrix(result.outputs), Matrix::Zero(7, 3));
    EXPECT_EQ(result.negative_share, 0.0);
}

TEST(Outputs, OfANegativeMatrixAreZero) {
    const LowRank l{support::random_block(30, 2, 4), {-1.0, -2.0}};
    const MatchedOutputs result = outputs_from_matrix(l, 0.5, 2, {});
    EXPECT_EQ(to_matrix(result.outputs), Matrix::Zero(30, 2));
    EXPECT_EQ(result.negative_diagonal, 30U);
    EXPECT_NEAR(result.negative_share, 1.0, 1e-6);
}

TEST(Outputs, DoNotCareForTheUnitOfLength) {
    // Orthonormal columns beside norms that are far longer, or shorter, than they are.
    const Matrix q = support::random_orthonormal(300, 5, 7);
    std::vector<double> weights{9.0, 7.0, 5.0, -2.0, 1.0};
    const LowRank l{support::to_block(q), weights};
    const Matrix expected = to_matrix(outputs_from_matrix(l, 0.5, 5, {}).outputs);
    for (const double unit : {0x1p-30, 0x1p-10, 0x1p10, 0x1p30}) {
        LowRank scaled{support::to_block(q), weights};
        for (double& weight : scaled.weights) {
            weight *= unit * unit;
        }
        const Matrix outputs = to_matrix(outputs_from_matrix(scaled, 0.5, 5, {}).outputs) / unit;
        EXPECT_LT(support::difference(outputs, expected), 1e-6 * expected.maxCoeff()) << unit;
    }
    EXPECT_LT(support::difference(expected * expected.transpose(), gram_of_outputs(to_matrix(l), 0.5, 5)), 1e-5);
}

TEST(Outputs, PadWithZerosWhereTheMatrixHasTooFewDirections) {
    const Points y = reference::random_points(30, 2, 5);
    const MatchedOutputs result = outputs_from_matrix(initial_matrix(y, 0.5), 0.5, 6, {});
    const Matrix outputs = to_matrix(result.outputs);
    EXPECT_EQ(outputs.cols(), 6);
    EXPECT_LT(support::difference(outputs * outputs.transpose(), to_matrix(y) * to_matrix(y).transpose()), 1e-4);
}

TEST(SetNorms, GivesEveryOutputItsLengthAndKeepsItsDirection) {
    Points outputs = reference::random_points(40, 3, 6);
    std::fill(outputs[7].begin(), outputs[7].end(), 0.0F);
    const Matrix before = to_matrix(outputs);
    std::vector<double> lengths(40);
    for (std::size_t i = 0; i < 40; ++i) {
        lengths[i] = 0.01 * static_cast<double>(i * i);
    }
    set_norms(outputs, lengths);
    const Matrix after = to_matrix(outputs);
    for (Eigen::Index i = 0; i < 40; ++i) {
        if (i == 7) {
            EXPECT_EQ(after.row(i), Matrix::Zero(1, 3));
            continue;
        }
        EXPECT_NEAR(after.row(i).norm(), lengths[i], 1e-6 * lengths[i]);
        EXPECT_LE((after.row(i) - lengths[i] * before.row(i).normalized()).norm(), 1e-6 * (lengths[i] + 1e-30));
    }
}

TEST(LeadingColumns, AreTheFirstOnesOrAllThereAre) {
    const MultiVector<float> vectors = support::random_block(70, 4, 1);
    const LowRank two = leading_columns(vectors, {4.0, -3.0, 2.0, 1.0}, 2, reference::on_threads(2));
    EXPECT_EQ(support::to_matrix(two.factor), support::to_matrix(vectors).leftCols(2));
    EXPECT_EQ(two.weights, (std::vector<double>{4.0, -3.0}));
    EXPECT_EQ(leading_columns(vectors, {4.0, -3.0, 2.0, 1.0}, 9, {}).rank(), 4U);
}

TEST(InitialMatrix, IsTheUnthresholdedSimilarityOfTheProjections) {
    for (const Index d : {1, 4, 9}) {
        const Points v = reference::random_points(70, d, 6);
        const LowRank start = initial_matrix(v, 0.3);
        EXPECT_EQ(start.rank(), d + 1);
        EXPECT_LT(support::difference(to_matrix(start), support::unthresholded(to_matrix(v), 0.3)), 1e-5);
    }
}

}  // namespace

}  // namespace isogon::low_rank_test
