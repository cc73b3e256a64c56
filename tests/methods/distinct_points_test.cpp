#include "methods/distinct_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"
#include "support/distributed_copy.hpp"
#include "support/sparse_matrices.hpp"
#include "support/thread_communicator.hpp"

namespace isogon::distinct_points_test {

namespace {

TEST(DistinctPoints, AreTheFirstOfThoseThatAreEqual) {
    for (const std::uint64_t seed : {1, 2, 3}) {
        const Points points = reference::whole_points(200, 2, 8, seed);
        const DistinctPoints distinct = distinct_points(points.view());
        std::vector<Index> rows;
        for (Index i = 0; i < 200; ++i) {
            Index first = 0;
            while (!std::ranges::equal(points[first], points[i])) {
                ++first;
            }
            if (first == i) {
                rows.push_back(i);
            }
            EXPECT_EQ(distinct.rows[distinct.place[i]], first);
        }
        EXPECT_EQ(distinct.rows, rows);
    }
}

TEST(DistinctPoints, AreAllWhereNoTwoAreEqual) {
    const Points points = reference::random_points(50, 3, 1);
    const DistinctPoints distinct = distinct_points(points.view());
    EXPECT_EQ(distinct.rows, reference::every_point(50));
    EXPECT_EQ(distinct.place, reference::every_point(50));
}

TEST(DistinctPoints, TakeZeroForZeroWhateverItsSign) {
    Points points(2, 1);
    points[1][0] = -0.0F;
    EXPECT_EQ(distinct_points(points.view()).rows.size(), 1U);
}

/// Rows x, 3 x, zeros, another, x.
Points some_directions() {
    Points points(5, 3);
    const std::vector<std::vector<float>> rows{{1, 7, -3}, {3, 21, -9}, {0, 0, 0}, {1, 7, 3}, {1, 7, -3}};
    for (Index i = 0; i < 5; ++i) {
        std::ranges::copy(rows[i], points[i].begin());
    }
    return points;
}

TEST(DistinctPoints, AreDirectionsByCosine) {
    const Points points = some_directions();
    const DistinctPoints distinct = distinct_points(points.view(), Metric::Cosine);
    EXPECT_EQ(distinct.rows, (std::vector<Index>{0, 3}));
    EXPECT_EQ(distinct.place, (std::vector<Index>{0, 0, DistinctPoints::nowhere, 1, 0}));
    EXPECT_EQ(distinct.most, 3U);
    EXPECT_EQ(distinct.undirected, 1U);
    EXPECT_EQ(distinct_points(points.view()).rows, (std::vector<Index>{0, 1, 2, 3}));
    EXPECT_EQ(distinct_points(points.view()).undirected, 0U);
}

TEST(DistinctPoints, AreRowsUpToScaleAndShiftByCorrelation) {
    Points points = some_directions();
    for (Index k = 0; k < 3; ++k) {
        points[1][k] += 10.0F;
        points[2][k] = 4.0F;  // equal numbers, which are not zero
    }
    const DistinctPoints distinct = distinct_points(points.view(), Metric::Correlation);
    EXPECT_EQ(distinct.rows, (std::vector<Index>{0, 3}));
    EXPECT_EQ(distinct.undirected, 1U);
}

TEST(DistinctPoints, AreOfOneLabel) {
    Points points(5, 1);
    const std::vector<std::int64_t> labels{0, 1, 0, -1, 1};
    const DistinctPoints distinct = distinct_points(points.view(), Metric::Euclidean, labels);
    EXPECT_EQ(distinct.rows, (std::vector<Index>{0, 1, 3}));
    EXPECT_EQ(distinct.place, (std::vector<Index>{0, 1, 0, 2, 1}));
}

TEST(DistinctPoints, OfSparseRowsAreThoseOfDenseOnes) {
    support::Matrix dense =
        support::random_sparse(80, 3, 0.5, 1).unaryExpr([](double value) { return std::round(2.0 * value); });
    for (Index i = 0; i < 20; ++i) {
        dense.row(60 + i) = (i % 3 + 1) * dense.row(i);
    }
    std::vector<std::int64_t> labels(80);
    labels[61] = 1;
    const Points points = support::to_points(dense);
    const CsrMatrix<double> rows = widen(support::to_sparse(dense));
    for (const Metric metric : {Metric::Euclidean, Metric::Cosine, Metric::Jaccard}) {
        const DistinctPoints known = distinct_points(points.view(), metric, labels);
        const DistinctPoints found = distinct_points(rows, metric, labels, {});
        EXPECT_EQ(found.rows, known.rows);
        EXPECT_EQ(found.place, known.place);
        EXPECT_EQ(found.undirected, known.undirected);
    }
}

TEST(FirstEqualPoints, AreOfAllRanksWhatTheyAreOfOne) {
    const Points points = reference::whole_points(200, 2, 8, 3);
    const DistinctPoints distinct = distinct_points(points.view());
    ASSERT_LT(distinct.rows.size(), 190U);
    std::vector<Index> expected;
    for (const Index place : distinct.place) {
        expected.push_back(distinct.rows[place]);
    }
    EXPECT_EQ(first_equal_points(points.view()), expected);
    support::ThreadCommunicator::run(3, [&](const Communicator& communicator) {
        const support::DistributedCopy own(points.view(), RankGroup(communicator));
        EXPECT_EQ(first_equal_points(own.points()), expected);
    });
}

}  // namespace

}  // namespace isogon::distinct_points_test
