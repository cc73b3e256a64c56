#include "neighbors/sparse_neighbors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/neighbors/neighbor_search.hpp"
#include "neighbors/metric_rows.hpp"
#include "reference/point_sets.hpp"
#include "support/messages.hpp"
#include "support/sparse_matrices.hpp"

namespace isogon::sparse_neighbors_test {
namespace {

using support::Matrix;

/// Numbers that float32 holds, so that dense rows are the same; some rows empty, full, of equal numbers, or copies.
Matrix awkward_rows(Index rows, Index columns, double share, Metric metric, std::uint64_t seed) {
    Matrix dense = support::random_sparse(rows, columns, share, seed);
    const bool bits = metric == Metric::Hamming || metric == Metric::Jaccard;
    dense = dense.unaryExpr([&](double value) { return bits && value != 0.0 ? 1.0 : std::round(4.0 * value) / 4.0; });
    if (rows > 20) {
        dense.row(3).setZero();
        dense.row(4).setConstant(1.0);
        dense.row(5).setConstant(1.0);
        dense.row(7) = dense.row(8);
        dense.row(9) = bits ? dense.row(8).eval() : (3.0 * dense.row(8)).eval();
        dense.row(rows - 1) = dense.row(8);
        dense.row(rows - 2).setZero();
    }
    return dense;
}

CsrMatrix<double> sparse(const Matrix& dense) {
    return widen(support::to_sparse(dense));
}

/// The distances of row i from all points, by the dense definition, ascending, in float32.
std::vector<std::pair<float, Index>> by_definition(const Points& x, Index i, const Points& points, Metric metric,
                                                   bool among_themselves) {
    std::vector<std::pair<float, Index>> all;
    for (Index j = 0; j < points.count(); ++j) {
        if (!(among_themselves && i == j)) {
            all.emplace_back(static_cast<float>(distance_between(x[i], points[j], metric)), j);
        }
    }
    std::ranges::sort(all);
    return all;
}

void expect_lists_by_definition(const Matrix& rows, const Matrix& points, Metric metric, Index k, bool own) {
    const CsrMatrix<double> x = sparse(rows);
    const CsrMatrix<double> y = sparse(points);
    const NeighborLists lists = sparse_neighbors({x, own ? x : y, metric, own}, k, reference::on_threads(2));
    const Points dense_rows = support::to_points(rows);
    const Points dense_points = support::to_points(points);
    for (Index i = 0; i < x.rows; ++i) {
        const auto all = by_definition(dense_rows, i, dense_points, metric, own);
        for (Index r = 0; r < k; ++r) {
            const float found = lists.distances_of(i)[r];
            ASSERT_NEAR(found, all[r].first, 1e-5F * (1.0F + std::abs(all[r].first))) << name(metric) << i << ", " << r;
            const Index j = lists[i][r];
            ASSERT_NEAR(found, distance_between(dense_rows[i], dense_points[j], metric),
                        1e-5 * (1.0 + std::abs(found)));
            ASSERT_FALSE(own && i == j);
            ASSERT_TRUE(r == 0 || found > lists.distances_of(i)[r - 1] || j > lists[i][r - 1]);
        }
    }
}

class SparseNeighborsBy : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Metrics, SparseNeighborsBy, testing::ValuesIn(metric_names()));

TEST_P(SparseNeighborsBy, AreThoseOfTheDefinition) {
    const Metric metric = find_metric(GetParam());
    for (const auto& [rows, columns, share] :
         {std::tuple{90U, 40U, 0.1}, {60U, 7U, 0.6}, {70U, 900U, 0.01}, {3U, 1U, 1.0}}) {
        const Matrix x = awkward_rows(rows, columns, share, metric, columns);
        for (const Index k : {Index{1}, std::min<Index>(9, rows - 1), rows - 1}) {
            expect_lists_by_definition(x, x, metric, k, true);
        }
        expect_lists_by_definition(awkward_rows(30, columns, share, metric, 77), x, metric, std::min<Index>(5, rows),
                                   false);
    }
}

TEST_P(SparseNeighborsBy, HaveTheSameBitsForAnyNumberOfThreads) {
    const Metric metric = find_metric(GetParam());
    const CsrMatrix<double> x = sparse(awkward_rows(400, 60, 0.1, metric, 5));
    const NeighborLists one = sparse_neighbors({x, x, metric}, 7, reference::on_threads(1));
    const NeighborLists four = sparse_neighbors({x, x, metric}, 7, reference::on_threads(4));
    EXPECT_EQ(one.indices, four.indices);
    EXPECT_EQ(one.distances, four.distances);
}

TEST_P(SparseNeighborsBy, OfManyRowsAreThoseOfDenseOnes) {  // several blocks of points
    const Metric metric = find_metric(GetParam());
    const Matrix dense = awkward_rows(9000, 30, 0.1, metric, 6);
    const CsrMatrix<double> x = sparse(dense);
    const NeighborSearchOptions options{.neighbors = 5, .metric = metric, .search = SearchKind::Exact};
    const NeighborSearch found = find_neighbors(x, options);
    const NeighborSearch by_dense = find_neighbors(support::to_points(dense).view(), options);
    for (std::size_t place = 0; place < found.lists.distances.size(); ++place) {
        ASSERT_NEAR(found.lists.distances[place], by_dense.lists.distances[place],
                    1e-5F * (1.0F + std::abs(found.lists.distances[place])));
    }
    EXPECT_EQ(found.summary.value("exact"), 1.0);
}

TEST(SparseNeighbors, TakeTheFirstOfEqualOnes) {
    Matrix dense = Matrix::Zero(12, 4);
    dense.col(0).setOnes();  // all rows are the same
    const CsrMatrix<double> x = sparse(dense);
    const NeighborLists lists = sparse_neighbors({x, x, Metric::Euclidean}, 3, {});
    EXPECT_EQ(std::vector<Index>(lists[0].begin(), lists[0].end()), (std::vector<Index>{1, 2, 3}));
    EXPECT_EQ(std::vector<Index>(lists[9].begin(), lists[9].end()), (std::vector<Index>{0, 1, 2}));
}

TEST(SparseNeighbors, RefuseWhatCannotBe) {
    const CsrMatrix<double> x = sparse(awkward_rows(30, 8, 0.3, Metric::Cosine, 1));
    const CsrMatrix<double> narrow_one = sparse(awkward_rows(30, 7, 0.3, Metric::Cosine, 1));
    EXPECT_THROW((void)find_neighbors(x, {.neighbors = 30}), InvalidArgument);
    EXPECT_THROW((void)find_neighbors(x, {.neighbors = 5, .search = SearchKind::Approximate}), InvalidArgument);
    EXPECT_THROW((void)find_neighbors(narrow_one, x, {.neighbors = 5}), InvalidArgument);
    EXPECT_THROW((void)find_neighbors(x, {.neighbors = 5, .metric = Metric::Jaccard}), InputError);
    EXPECT_THROW((void)find_neighbors(x, {.neighbors = 5}, {.memory_limit = 100}), LimitExceeded);
    CsrMatrix<double> large = x;
    large.values[0] = 1e200;
    EXPECT_THROW((void)find_neighbors(large, {.neighbors = 5}), InputError);
    std::ranges::transform(large.values, large.values.begin(), [](double) { return 3e38; });
    EXPECT_THROW((void)find_neighbors(large, {.neighbors = 5, .metric = Metric::Euclidean}), InputError);
    const NeighborSearch products = find_neighbors(large, {.neighbors = 5, .metric = Metric::InnerProduct});
    EXPECT_TRUE(std::ranges::all_of(products.lists.distances, [](float value) { return std::isfinite(value); }));
    std::stop_source stop;
    stop.request_stop();
    const RunContext ended{.stop = stop.get_token()};
    const NeighborSearch found = find_neighbors(x, {.neighbors = 5}, ended);
    EXPECT_EQ(found.summary.termination, Termination::Cancelled);
    EXPECT_TRUE(found.lists.indices.empty());
}

TEST(SparseRow, HasADirectionAsTheDenseOneHas) {
    for (const std::string& text : metric_names()) {
        const Metric metric = find_metric(text);
        const Matrix dense = awkward_rows(40, 5, 0.4, metric, 3);
        const CsrMatrix<double> x = sparse(dense);
        const Points points = support::to_points(dense);
        for (Index i = 0; i < x.rows; ++i) {
            EXPECT_EQ(has_direction(sparse_row(x, i), x.columns, metric), has_direction(points[i], metric))
                << text << i;
            for (Index j = 0; j < x.rows; ++j) {
                EXPECT_NEAR(distance_between(sparse_row(x, i), sparse_row(x, j), x.columns, metric),
                            distance_between(points[i], points[j], metric), 1e-6)
                    << text;
            }
        }
    }
}

}  // namespace
}  // namespace isogon::sparse_neighbors_test
