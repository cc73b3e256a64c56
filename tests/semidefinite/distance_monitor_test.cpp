#include "semidefinite/distance_monitor.hpp"

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include <algorithm>

#include "reference/graphs.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::distance_monitor_test {

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
        const Matrix p = support::to_matrix(centred_basis(support::to_multi_vector(q), {.threads = 3}));
        ASSERT_EQ(p.cols(), landmarks - 1);
        EXPECT_LT(support::orthonormality_error(p), 1e-13);
        EXPECT_LT(p.colwise().sum().cwiseAbs().maxCoeff(), 1e-12);
        // Every vector is Q times something.
        EXPECT_LT((q * q.colPivHouseholderQr().solve(p) - p).cwiseAbs().maxCoeff(), 1e-9);
    }
}

TEST(CentredBasis, IsTheSameOnAnyNumberOfThreads) {
    const MultiVector<double> q = support::to_multi_vector(some_reconstruction(3000, 12));
    EXPECT_EQ(centred_basis(q, {.threads = 1}).values(), centred_basis(q, {.threads = 3}).values());
}

struct Example {
    Matrix basis;
    DistanceConstraints constraints;
};

Example example(Index count, Index columns, Index neighbors = 4) {
    const Points points = reference::random_points(count, 3, count);
    return {support::random_orthonormal(count, columns, 5),
            distance_constraints(points.view(), reference::euclidean_lists(points, neighbors), KeptPairs::Neighbors)};
}

double squared(const Matrix& y, const std::pair<Index, Index>& pair) {
    return (y.row(pair.first) - y.row(pair.second)).squaredNorm();
}

TEST(DistanceMonitor, RatiosAreThoseOfSquaredDistances) {
    const Example all = example(80, 6);
    const MultiVector<double> basis = support::to_multi_vector(all.basis);
    const DistanceMonitor monitor(basis, all.constraints, {.threads = 3});
    const Matrix y = support::random_matrix(80, 3, 9);
    const std::vector<double> ratios = monitor.ratios(support::to_multi_vector(y));
    ASSERT_EQ(ratios.size(), all.constraints.size());
    for (std::size_t a = 0; a < ratios.size(); ++a) {
        const double truth = squared(y, all.constraints.pairs[a]) / all.constraints.squared[a];
        EXPECT_NEAR(ratios[a], truth, 1e-12 * truth);
    }
}

TEST(DistanceMonitor, VectorsGiveTheRatiosOfAnX) {
    const Example all = example(70, 5);
    const MultiVector<double> basis = support::to_multi_vector(all.basis);
    const DistanceMonitor monitor(basis, all.constraints, {});
    std::vector<std::size_t> every(monitor.size());
    std::iota(every.begin(), every.end(), std::size_t{0});
    const Matrix v = reference::dense(monitor.vectors(every));
    const Matrix root = support::random_matrix(5, 2, 1);
    const std::vector<double> ratios = monitor.ratios(support::to_multi_vector(all.basis * root));
    std::vector<double> lengths;
    for (std::size_t a = 0; a < every.size(); ++a) {
        const double product = (v.row(static_cast<Eigen::Index>(a)) * root).squaredNorm();
        EXPECT_NEAR(product, monitor.unit() * ratios[a], 1e-10 * product);
        lengths.push_back(v.row(static_cast<Eigen::Index>(a)).squaredNorm());
    }
    std::nth_element(lengths.begin(), lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2), lengths.end());
    EXPECT_NEAR(lengths[lengths.size() / 2], 1.0, 1e-12);
}

TEST(DistanceMonitor, SpanningConstraintsSpanAndBeginWithTheLongest) {
    const Example all = example(200, 12);
    const MultiVector<double> basis = support::to_multi_vector(all.basis);
    const DistanceMonitor monitor(basis, all.constraints, {.threads = 3});
    const std::vector<std::size_t> chosen = monitor.spanning();
    ASSERT_EQ(chosen.size(), 12U);
    EXPECT_TRUE(std::is_sorted(chosen.begin(), chosen.end()));
    EXPECT_EQ(reference::dense(monitor.vectors(chosen)).fullPivLu().rank(), 12);
    const std::vector<double> ratios = monitor.ratios(basis);
    const auto longest = static_cast<std::size_t>(std::max_element(ratios.begin(), ratios.end()) - ratios.begin());
    EXPECT_TRUE(std::binary_search(chosen.begin(), chosen.end(), longest));
    EXPECT_EQ(chosen, DistanceMonitor(basis, all.constraints, {.threads = 1}).spanning());
}

TEST(DistanceMonitor, FewConstraintsSpanWhatTheyCan) {
    Example all = example(50, 9);
    all.constraints.pairs.resize(4);
    all.constraints.squared.resize(4);
    const MultiVector<double> basis = support::to_multi_vector(all.basis);
    EXPECT_EQ(DistanceMonitor(basis, all.constraints, {}).spanning().size(), 4U);
}

TEST(DistanceMonitor, BoundsATrace) {
    // With the unit vectors the trace is at most their number, which y = 1 proves.
    const CsrMatrix<double> units = support::csr_matrix(Matrix::Identity(3, 3));
    EXPECT_DOUBLE_EQ(trace_bound(units, {1.0, 1.0, 1.0}), 3.0);
    EXPECT_DOUBLE_EQ(trace_bound(units, {5.0, 5.0, 5.0}), 3.0);
    // Prices that are off are bounds still; those below 0 count for nothing.
    EXPECT_GE(trace_bound(units, {1.0, 2.0, 0.5}), 3.0);
    EXPECT_EQ(trace_bound(units, {1.0, 1.0, -1.0}), std::numeric_limits<double>::infinity());
    EXPECT_EQ(trace_bound(units, {0.0, 0.0, 0.0}), std::numeric_limits<double>::infinity());
}

TEST(DistanceMonitor, RefusesConstraintsThatCannotBe) {
    const Example all = example(30, 4);
    const MultiVector<double> basis = support::to_multi_vector(all.basis);
    DistanceConstraints other = all.constraints;
    other.squared[3] = 0.0;
    EXPECT_THROW((void)DistanceMonitor(basis, other, {}), InvalidArgument);
    other = all.constraints;
    other.pairs[2].second = 30;
    EXPECT_THROW((void)DistanceMonitor(basis, other, {}), InvalidArgument);
    other = all.constraints;
    other.squared.pop_back();
    EXPECT_THROW((void)DistanceMonitor(basis, other, {}), InvalidArgument);
    EXPECT_THROW((void)DistanceMonitor(basis, DistanceConstraints(), {}), InvalidArgument);
}

}  // namespace

}  // namespace isogon::distance_monitor_test
