#include "graph/barycentric_weights.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "isogon/core/error.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"

namespace isogon::barycentric_weights_test {
namespace {

using reference::dense;
using reference::euclidean_lists;
using reference::on_threads;
using support::Matrix;
using support::to_matrix;

/// The method of scikit-learn's barycenter_weights, one row after the other.
Matrix slow_weights(const Matrix& rows, const Matrix& points, const NeighborLists& lists, double ridge) {
    Matrix result = Matrix::Zero(rows.rows(), points.rows());
    for (Index i = 0; i < rows.rows(); ++i) {
        Matrix differences(lists.size, rows.cols());
        for (Index j = 0; j < lists.size; ++j) {
            differences.row(j) = rows.row(i) - points.row(lists[i][j]);
        }
        Matrix gram = differences * differences.transpose();
        const double trace = gram.trace();
        gram.diagonal().array() += trace > 0.0 ? ridge * trace : ridge;
        const Eigen::VectorXd w = gram.fullPivLu().solve(Eigen::VectorXd::Ones(lists.size));
        for (Index j = 0; j < lists.size; ++j) {
            result(i, lists[i][j]) = w[j] / w.sum();
        }
    }
    return result;
}

struct Case {
    Index points = 0;
    Index dimension = 0;
    Index neighbors = 0;
    double ridge = 0.0;
};

class BarycentricWeights : public testing::TestWithParam<Case> {};

TEST_P(BarycentricWeights, AreThoseOfTheDefinition) {
    const Case& c = GetParam();
    const Points points = reference::random_points(c.points, c.dimension, 3, 0.5);
    const NeighborLists lists = euclidean_lists(points, c.neighbors);
    const CsrMatrix<double> w = barycentric_weights(points.view(), lists, c.ridge);
    validate(w);
    EXPECT_EQ(w.entries(), Offset{c.points} * c.neighbors);
    const Matrix expected = slow_weights(to_matrix(points), to_matrix(points), lists, c.ridge);
    EXPECT_LT((dense(w) - expected).norm(), 1e-13 / c.ridge * expected.norm());
    EXPECT_LT((dense(w).rowwise().sum().array() - 1.0).abs().maxCoeff(), 1e-13 / c.ridge);
}

INSTANTIATE_TEST_SUITE_P(Sizes, BarycentricWeights,
                         testing::Values(Case{5, 3, 1, 1e-3}, Case{20, 6, 4, 1e-3}, Case{60, 30, 16, 1e-5},
                                         Case{60, 10, 47, 1e-4}, Case{140, 200, 130, 1e-3}, Case{60, 30, 16, 1.0},
                                         Case{30, 1, 8, 1e-6}, Case{60, 8, 40, 1e-9}));

TEST(BarycentricWeights, OfNewRowsTowardsAnotherSet) {
    const Points x = reference::random_points(50, 12, 4);
    const Points rows = reference::random_points(7, 12, 5);
    const NeighborLists lists = euclidean_lists(to_matrix(rows), to_matrix(x), 20, false);
    const CsrMatrix<double> w = barycentric_weights(rows.view(), x.view(), lists, 1e-4);
    EXPECT_EQ(w.rows, 7);
    EXPECT_EQ(w.columns, 50);
    const Matrix expected = slow_weights(to_matrix(rows), to_matrix(x), lists, 1e-4);
    EXPECT_LT((dense(w) - expected).norm(), 1e-10 * expected.norm());
}

/// Weights of rows by themselves, for which products among the points are not made beforehand.
std::vector<double> one_by_one(const Points& rows, const Points& points, const NeighborLists& lists, double ridge) {
    std::vector<double> values;
    for (Index i = 0; i < rows.count(); ++i) {
        const NeighborLists alone{.size = lists.size, .indices = {lists[i].begin(), lists[i].end()}};
        const CsrMatrix<double> w =
            barycentric_weights({rows[i].data(), 1, rows.dimension()}, points.view(), alone, ridge);
        values.insert(values.end(), w.values.begin(), w.values.end());
    }
    return values;
}

TEST(BarycentricWeights, OfManyRowsTowardsFewPoints) {
    const Points x = reference::random_points(60, 30, 4, 2.0);
    const Points rows = reference::random_points(200, 30, 5, 2.0);
    for (const Index neighbors : {5, 16, 40}) {
        const NeighborLists lists = euclidean_lists(to_matrix(rows), to_matrix(x), neighbors, false);
        const CsrMatrix<double> w = barycentric_weights(rows.view(), x.view(), lists, 1e-5, on_threads(3));
        validate(w);
        const Matrix expected = slow_weights(to_matrix(rows), to_matrix(x), lists, 1e-5);
        EXPECT_LT((dense(w) - expected).norm(), 1e-9 * expected.norm());
        EXPECT_EQ(barycentric_weights(rows.view(), x.view(), lists, 1e-5, on_threads(1)).values, w.values);
        EXPECT_EQ(one_by_one(rows, x, lists, 1e-5), w.values);
        RunContext little;  // enough for the weights, not for the products among the points
        little.memory_limit = barycentric_weights_bytes(200, 30, neighbors, little) + 1000;
        EXPECT_EQ(barycentric_weights(rows.view(), x.view(), lists, 1e-5, little).values, w.values);
    }
}

// Clumps far apart, zeros, duplicates, opposites, tiny and very long rows: the same as by definition, and alone.
TEST(BarycentricWeights, OfAwkwardRowsTowardsFewPoints) {
    for (const float unit : {1.0F, 1e-37F, 1e37F}) {
        Points x = reference::scaled(reference::awkward_points(40, 5, 6), unit);
        Points rows = reference::scaled(reference::awkward_points(60, 5, 6), unit);
        const float apart = unit > 1.0F ? 10.0F * unit : 1000.0F * unit;  // float32 ends at 3e38
        for (Index i = 0; i < 40; i += 3) {
            x[i][1] += apart;
            rows[i][1] += apart;
        }
        const NeighborLists lists = euclidean_lists(to_matrix(rows), to_matrix(x), 9, false);
        const CsrMatrix<double> w = barycentric_weights(rows.view(), x.view(), lists, 1e-4);
        validate(w);
        EXPECT_EQ(one_by_one(rows, x, lists, 1e-4), w.values);
        Matrix expected = slow_weights(to_matrix(rows), to_matrix(x), lists, 1e-4);
        for (Index i = 0; i < 60; ++i) {
            for (const Index j : lists[i]) {
                if (std::equal(rows[i].begin(), rows[i].end(), x[j].begin())) {
                    expected.row(i).setZero();
                    expected(i, j) = 1.0;
                    break;
                }
            }
        }
        EXPECT_LT((dense(w) - expected).norm(), 1e-8 * expected.norm());
    }
    const Points x = reference::random_points(40, 5, 6);
    Points far = reference::random_points(30, 5, 7);
    far[3][2] = 1e14F;
    const NeighborLists lists = euclidean_lists(to_matrix(far), to_matrix(x), 9, false);
    const Matrix w = dense(barycentric_weights(far.view(), x.view(), lists, 1e-4));
    const Matrix expected = slow_weights(to_matrix(far), to_matrix(x), lists, 1e-4);
    EXPECT_LT((w - expected).norm(), 1e-8 * expected.norm());
}

TEST(BarycentricWeights, OfALandmarkAreOnItself) {
    Points points = reference::random_points(30, 5, 4);
    std::copy(points[3].begin(), points[3].end(), points[20].begin());
    NeighborLists lists = euclidean_lists(to_matrix(points), to_matrix(points), 6, false);
    const Index before = lists[3][0];
    EXPECT_EQ(before, 3);
    const CsrMatrix<double> w = barycentric_weights(points.view(), points.view(), lists, 1e-3);
    Matrix expected = Matrix::Identity(30, 30);
    expected(20, 20) = 0.0;
    expected(20, 3) = 1.0;
    EXPECT_EQ(dense(w), expected);
    std::swap(lists.indices[20 * 6], lists.indices[20 * 6 + 1]);
    EXPECT_EQ(dense(barycentric_weights(points.view(), points.view(), lists, 1e-3))(20, 20), 1.0);
}

TEST(BarycentricWeights, OfDuplicatesInOneSetKeepSomethingForTheOthers) {
    Points points = reference::random_points(30, 5, 4);
    std::copy(points[3].begin(), points[3].end(), points[20].begin());
    const NeighborLists lists = euclidean_lists(points, 6);
    const Matrix w = dense(barycentric_weights(points.view(), lists, 1e-3));
    EXPECT_GT(w(3, 20), 0.9);
    EXPECT_LT(w(3, 20), 1.0);
    const Points equal = reference::equal_points(12, 4);
    const CsrMatrix<double> same = barycentric_weights(equal.view(), euclidean_lists(equal, 5), 1e-3);
    for (const double value : same.values) {
        EXPECT_NEAR(value, 0.2, 1e-15);
    }
}

// Zeros, duplicates, opposites, multiples and tiny points; neighbours by index, so that all kinds of pairs occur.
TEST(BarycentricWeights, OfAwkwardPointsAreFiniteAndThoseOfTheDefinition) {
    for (const float unit : {1.0F, 1e-37F, 1e37F}) {
        const Points points = reference::scaled(reference::awkward_points(36, 5, 6), unit);
        NeighborLists lists{.size = 12};
        for (Index i = 0; i < 36; ++i) {
            for (Index k = 1; k <= 12; ++k) {
                lists.indices.push_back((i + k) % 36);
            }
        }
        const CsrMatrix<double> w = barycentric_weights(points.view(), lists, 1e-4);
        validate(w);
        const Matrix expected = slow_weights(to_matrix(points), to_matrix(points), lists, 1e-4);
        EXPECT_LT((dense(w) - expected).norm(), 1e-8 * expected.norm());
    }
}

TEST(BarycentricWeights, DoNotDependOnUnitThreadsOrCompany) {
    const Points points = reference::random_points(150, 12, 7, 0.3);
    const NeighborLists lists = euclidean_lists(points, 30);
    const CsrMatrix<double> one = barycentric_weights(points.view(), lists, 1e-4, on_threads(1));
    for (const int threads : {2, 3}) {
        EXPECT_EQ(barycentric_weights(points.view(), lists, 1e-4, on_threads(threads)).values, one.values);
    }
    const Points larger = reference::scaled(points, 1024.0F);
    EXPECT_EQ(barycentric_weights(larger.view(), lists, 1e-4).values, one.values);
    const PointsView last(points.view()[147].data(), 1, 12);
    const NeighborLists alone{.size = 30, .indices = {lists[147].begin(), lists[147].end()}};
    const CsrMatrix<double> single = barycentric_weights(last, points.view(), alone, 1e-4);
    const CsrMatrix<double> company = barycentric_weights(points.view(), points.view(), lists, 1e-4);
    EXPECT_TRUE(std::equal(single.values.begin(), single.values.end(), company.row_values(147).begin()));
}

TEST(BarycentricWeights, OfAPartAreThoseOfTheWhole) {
    const Points points = reference::awkward_points(60, 5, 3);  // duplicates among them
    const NeighborLists lists = euclidean_lists(points, 8);
    const CsrMatrix<double> all = barycentric_weights(points.view(), lists, 1e-3);
    const NeighborLists some{.size = 8, .indices = {lists.indices.begin() + 80, lists.indices.begin() + 240}};
    const PointsView rows(points.view()[10].data(), 20, 5);
    const CsrMatrix<double> part = barycentric_weights_of_part(rows, points.view(), some, 1e-3);
    EXPECT_TRUE(std::equal(part.values.begin(), part.values.end(), all.values.begin() + 80));
    EXPECT_TRUE(std::equal(part.indices.begin(), part.indices.end(), all.indices.begin() + 80));
}

TEST(BarycentricWeights, RefuseWhatCannotBe) {
    const Points points = reference::random_points(6, 3, 1);
    const NeighborLists lists{.size = 1, .indices = {1, 2, 3, 4, 5, 0}};
    for (const double ridge : {0.0, 1e-11, 1e11, -1.0, double{NAN}}) {
        EXPECT_THROW((void)barycentric_weights(points.view(), lists, ridge), InvalidArgument);
    }
    const Points other = reference::random_points(6, 4, 1);
    EXPECT_THROW((void)barycentric_weights(other.view(), points.view(), lists, 1e-4), InvalidArgument);
    const NeighborLists own{.size = 1, .indices = {1, 2, 3, 4, 5, 5}};
    EXPECT_THROW((void)barycentric_weights(points.view(), own, 1e-4), InputError);
    Points bad = points;
    bad[2][1] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW((void)barycentric_weights(bad.view(), lists, 1e-4), InputError);
    RunContext little;
    little.memory_limit = 100;
    EXPECT_THROW((void)barycentric_weights(points.view(), lists, 1e-4, little), LimitExceeded);
    const RunContext stopped = reference::cancelled();
    EXPECT_THROW((void)barycentric_weights(points.view(), lists, 1e-4, stopped), Interruption);
}

/// Each point is the mean of two landmarks, the last but for its first number.
CsrMatrix<double> means() {
    return {.rows = 2, .columns = 3, .offsets = {0, 2, 4}, .indices = {0, 1, 1, 2}, .values = {0.5, 0.5, 0.5, 0.5}};
}

TEST(MixtureError, IsTheRootMeanSquareOfWhatMixturesMiss) {
    Points landmarks(3, 2);
    landmarks[1][0] = 2.0F;
    landmarks[2][1] = 4.0F;
    Points x(2, 2);
    x[0][0] = 1.0F;
    x[1][0] = 1.0F;
    x[1][1] = 2.0F;
    EXPECT_EQ(mixture_error(x.view(), landmarks.view(), means()), 0.0);
    x[1][0] = 4.0F;
    EXPECT_NEAR(mixture_error(x.view(), landmarks.view(), means()), std::sqrt(9.0 / 2.0), 1e-12);
}

TEST(MixtureError, HasTheSameBitsOnAnyNumberOfThreadsAndCanBeCancelled) {
    const Points x = reference::random_points(1000, 5, 1);
    CsrMatrix<double> z{.rows = 1000, .columns = 10};
    for (Index i = 0; i < 1000; ++i) {
        z.indices.insert(z.indices.end(), {i % 9, i % 9 + 1});
        z.values.insert(z.values.end(), {0.25, 0.75});
        z.offsets.push_back(z.indices.size());
    }
    const PointsView landmarks{x.view().data, 10, 5};
    const double one = mixture_error(x.view(), landmarks, z, reference::on_threads(1));
    EXPECT_GT(one, 0.0);
    EXPECT_EQ(mixture_error(x.view(), landmarks, z, reference::on_threads(3)), one);
    const RunContext context = reference::cancelled(2);
    EXPECT_THROW((void)mixture_error(x.view(), landmarks, z, context), Interruption);
}

}  // namespace
}  // namespace isogon::barycentric_weights_test
