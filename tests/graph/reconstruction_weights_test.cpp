#include "graph/reconstruction_weights.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"
#include "reference/reconstruction.hpp"

namespace isogon::reconstruction_weights_test {
namespace {

using support::Matrix;

Matrix solved(double ridge, Index neighbors, const Points& points) {
    ReconstructionRow row(neighbors, points.dimension(), ridge);
    const std::vector<double> lengths = norms(points.view());
    std::vector<Index> near(neighbors);
    Matrix weights(points.count(), neighbors);
    for (Index i = 0; i < points.count(); ++i) {
        for (Index k = 0; k < neighbors; ++k) {
            near[k] = (i + k + 1) % points.count();
        }
        const auto solution = row.solve(points[i], lengths[i], points.view(), lengths, near);
        weights.row(i) = Eigen::Map<const Eigen::RowVectorXd>(solution.data(), neighbors);
    }
    return weights;
}

// Both algorithms agree at the ridge where one replaces the other.
TEST(ReconstructionRow, HasTwoWaysThatAgree) {
    const Points points = reference::random_points(80, 15, 3, 0.5);
    const Matrix fast = solved(1.0000001e-5, 60, points);
    const Matrix exact = solved(0.9999999e-5, 60, points);
    EXPECT_LT((fast - exact).norm(), 2e-3 * exact.norm());
    EXPECT_NE(fast, exact);
}

TEST(ReconstructionRow, ServesOneRowAfterTheOther) {
    const Points points = reference::random_points(60, 9, 3, 0.5);
    const Points zero(60, 9);
    EXPECT_EQ(solved(1e-3, 50, points), solved(1e-3, 50, points));
    EXPECT_EQ(solved(1e-3, 50, zero).norm(), 0.0);
    EXPECT_GT(ReconstructionRow::bytes(50, 9), std::uint64_t{51} * 9 * sizeof(float));
}

using reference::cosine_lists;
using reference::on_threads;
using support::to_matrix;

/// V back to W of eq. 14.
Matrix with_lengths(const CsrMatrix<float>& v, const Matrix& rows, const Matrix& points) {
    Matrix w = Matrix::Zero(v.rows, v.columns);
    for (Index i = 0; i < v.rows; ++i) {
        for (std::size_t k = 0; k < v.row_indices(i).size(); ++k) {
            const Index j = v.row_indices(i)[k];
            const double length = points.row(j).norm();
            w(i, j) = length > 0.0 ? double{v.row_values(i)[k]} * rows.row(i).norm() / length : 0.0;
        }
    }
    return w;
}

struct Case {
    Index points = 0;
    Index dimension = 0;
    Index neighbors = 0;
    double ridge = 0.0;
};

class ReconstructionWeights : public testing::TestWithParam<Case> {};

TEST_P(ReconstructionWeights, AreThoseOfEquation14) {
    const Case& c = GetParam();
    const Matrix x = to_matrix(reference::random_points(c.points, c.dimension, 3, 0.5));
    const NeighborLists lists = cosine_lists(x, x, c.neighbors, true);
    const Points points = support::to_points(x);
    const CsrMatrix<float> v = reconstruction_weights(points.view(), lists, c.ridge);
    validate(v);
    EXPECT_EQ(v.entries(), Offset{c.points} * c.neighbors);
    const Matrix expected = reference::weights(x, x, lists, c.ridge);
    EXPECT_LT((with_lengths(v, x, x) - expected).norm(), 3e-3 * expected.norm());
}

INSTANTIATE_TEST_SUITE_P(Sizes, ReconstructionWeights,
                         testing::Values(Case{5, 3, 1, 1e-4}, Case{20, 6, 4, 1e-4}, Case{60, 30, 16, 1e-4},
                                         Case{60, 10, 47, 1e-4}, Case{60, 10, 48, 1e-4}, Case{110, 20, 96, 1e-3},
                                         Case{140, 200, 130, 1e-4}, Case{60, 30, 16, 1.0}, Case{30, 12, 8, 1e-9},
                                         Case{60, 8, 40, 1e-9}));

TEST(ReconstructionWeights, OfNewRowsTowardsAnotherSet) {
    const Matrix x = to_matrix(reference::random_points(50, 12, 4, 0.5));
    const Matrix rows = to_matrix(reference::random_points(7, 12, 5, 0.5));
    const NeighborLists lists = cosine_lists(rows, x, 20, false);
    const Points a = support::to_points(rows);
    const Points b = support::to_points(x);
    const CsrMatrix<float> v = reconstruction_weights(a.view(), b.view(), lists, 1e-3);
    const Matrix expected = reference::weights(rows, x, lists, 1e-3);
    EXPECT_LT((with_lengths(v, rows, x) - expected).norm(), 1e-3 * expected.norm());
}

TEST(ReconstructionWeights, OfARowAmongItsNeighboursAreTheUnitVectorUpToTheRidge) {
    const Matrix x = to_matrix(reference::random_points(50, 40, 4));
    const Points points = support::to_points(x);
    const NeighborLists lists = cosine_lists(x, x, 10, false);
    const CsrMatrix<float> v = reconstruction_weights(points.view(), points.view(), lists, 1e-4);
    for (Index i = 0; i < v.rows; ++i) {
        for (std::size_t k = 0; k < v.row_indices(i).size(); ++k) {
            EXPECT_NEAR(v.row_values(i)[k], v.row_indices(i)[k] == i ? 1.0 : 0.0, 1e-3);
        }
    }
}

// Duplicates, opposites, multiples, zeros and tiny points; neighbours by index, so that all kinds of pairs occur.
TEST(ReconstructionWeights, OfAwkwardPointsAreFiniteAndThoseOfEquation14) {
    const Points points = reference::awkward_points(36, 5, 6);
    const Matrix x = to_matrix(points);
    NeighborLists lists{.size = 12};
    for (Index i = 0; i < 36; ++i) {
        for (Index k = 1; k <= 12; ++k) {
            lists.indices.push_back((i + k) % 36);
        }
    }
    const CsrMatrix<float> v = reconstruction_weights(points.view(), lists, 1e-4);
    validate(v);
    for (Index i = 0; i < 36; ++i) {
        for (std::size_t k = 0; k < 12; ++k) {
            EXPECT_LE(std::abs(v.row_values(i)[k]), 50.1F);
            if (x.row(i).norm() == 0.0 || x.row(v.row_indices(i)[k]).norm() == 0.0) {
                EXPECT_EQ(v.row_values(i)[k], 0.0F);
            }
        }
    }
    Matrix u = x;
    for (Index i = 0; i < 36; ++i) {
        u.row(i) /= u.row(i).norm() > 0.0 ? u.row(i).norm() : 1.0;
    }
    const Matrix expected = reference::weights(u, u, lists, 1e-4);
    EXPECT_LT((with_lengths(v, u, u) - expected).norm(), 1e-2 * expected.norm());
}

TEST(ReconstructionWeights, ShareAlikeAmongDuplicates) {
    const Points points = reference::equal_points(20, 4);
    const Matrix x = to_matrix(points);
    const CsrMatrix<float> v = reconstruction_weights(points.view(), cosine_lists(x, x, 10, true), 1e-4);
    for (const float value : v.values) {
        EXPECT_NEAR(value, 1.0 / (10.0 + 1e-4), 1e-3 / 10.0);
    }
}

TEST(ReconstructionWeights, DoNotDependOnLengthsThreadsOrCompany) {
    const Points points = reference::random_points(80, 12, 7, 0.3);
    const Matrix x = to_matrix(points);
    const NeighborLists lists = cosine_lists(x, x, 30, true);
    const CsrMatrix<float> one = reconstruction_weights(points.view(), lists, 1e-4, on_threads(1));
    for (const int threads : {2, 3}) {
        EXPECT_EQ(reconstruction_weights(points.view(), lists, 1e-4, on_threads(threads)).values, one.values);
    }
    const Points larger = reference::scaled(points, 1024.0F);
    EXPECT_EQ(reconstruction_weights(larger.view(), lists, 1e-4).values, one.values);
    const PointsView last(points.view()[77].data(), 1, 12);
    const NeighborLists alone{.size = 30, .indices = {lists[77].begin(), lists[77].end()}};
    const CsrMatrix<float> single = reconstruction_weights(last, points.view(), alone, 1e-4);
    EXPECT_TRUE(std::equal(single.values.begin(), single.values.end(), one.row_values(77).begin()));
}

TEST(ReconstructionWeights, RefuseWhatCannotBe) {
    const Points points = reference::random_points(6, 3, 1);
    const NeighborLists lists{.size = 1, .indices = {1, 2, 3, 4, 5, 0}};
    EXPECT_THROW((void)reconstruction_weights(points.view(), lists, 0.0), InvalidArgument);
    EXPECT_THROW((void)reconstruction_weights(points.view(), lists, NAN), InvalidArgument);
    const Points other = reference::random_points(6, 4, 1);
    EXPECT_THROW((void)reconstruction_weights(other.view(), points.view(), lists, 1e-4), InvalidArgument);
    const NeighborLists own{.size = 1, .indices = {1, 2, 3, 4, 5, 5}};
    EXPECT_THROW((void)reconstruction_weights(points.view(), own, 1e-4), InputError);
    const NeighborLists beyond{.size = 1, .indices = {1, 2, 3, 4, 5, 6}};
    EXPECT_THROW((void)reconstruction_weights(points.view(), beyond, 1e-4), InputError);
    Points bad = points;
    bad[2][1] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW((void)reconstruction_weights(bad.view(), lists, 1e-4), InputError);
    RunContext little;
    little.memory_limit = 1000;
    EXPECT_THROW((void)reconstruction_weights(points.view(), lists, 1e-4, little), LimitExceeded);
    const RunContext stopped = reference::cancelled();
    EXPECT_THROW((void)reconstruction_weights(points.view(), lists, 1e-4, stopped), Interruption);
}

}  // namespace
}  // namespace isogon::reconstruction_weights_test
