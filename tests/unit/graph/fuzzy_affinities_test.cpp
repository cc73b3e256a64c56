#include "isogon/graph/fuzzy_affinities.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/graph/symmetric_graph.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"

namespace isogon::fuzzy_affinities_test {
namespace {

using reference::dense;
using support::Matrix;

/// Row i of algorithm 2, sigma by a plain search over its logarithm.
Matrix slow_memberships(const NeighborLists& lists) {
    Matrix w = Matrix::Zero(lists.count(), lists.count());
    for (Index i = 0; i < lists.count(); ++i) {
        double rho = 0.0;
        for (Index k = lists.size; k-- > 0;) {
            rho = lists.distances_of(i)[k] > 0.0F ? double{lists.distances_of(i)[k]} : rho;
        }
        double low = -40.0;
        double high = 40.0;
        for (int step = 0; step < 200; ++step) {
            const double sigma = std::exp(0.5 * (low + high));
            for (Index k = 0; k < lists.size; ++k) {
                w(i, lists[i][k]) = std::exp(-std::max(0.0, double{lists.distances_of(i)[k]} - rho) / sigma);
            }
            (w.row(i).sum() > std::log2(lists.size) ? high : low) = 0.5 * (low + high);
        }
    }
    return w;
}

TEST(FuzzyAffinities, AreThoseOfTheDefinition) {
    Points points = reference::random_points(60, 3, 1);
    std::ranges::copy(points[7], points[8].begin());  // a pair of duplicates
    const NeighborLists lists = reference::euclidean_lists(points, 10);
    const Matrix w = slow_memberships(lists);
    const Matrix both = w.cwiseProduct(w.transpose());
    const Matrix any = w + w.transpose() - both;
    for (const double either : {1.0, 0.25, 0.0}) {
        const CsrMatrix<double> graph = fuzzy_affinities(lists, either);
        require_graph(graph);
        EXPECT_LT((dense(graph) - either * any - (1.0 - either) * both).cwiseAbs().maxCoeff(), 1e-10);
    }
}

TEST(FuzzyAffinities, TheNearestIsInForSureAndTheSumIsALogarithm) {
    std::vector<double> row{3.0, 3.5, 4.0, 7.0, 7.0, 9.0};
    fuzzy_memberships(row);
    EXPECT_EQ(row.front(), 1.0);
    EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), std::log2(6.0), 1e-11);
    EXPECT_TRUE(std::ranges::is_sorted(row, std::greater<>()));
}

TEST(FuzzyAffinities, DoNotDependOnUnitOrThreads) {
    NeighborLists lists = reference::euclidean_lists(reference::random_points(600, 3, 1), 8);
    const CsrMatrix<double> graph = fuzzy_affinities(lists, 1.0, reference::on_threads(1));
    EXPECT_EQ(fuzzy_affinities(lists, 1.0, reference::on_threads(3)).values, graph.values);
    for (float& distance : lists.distances) {
        distance *= 0x1p-40F;
    }
    EXPECT_EQ(fuzzy_affinities(lists).values, graph.values);
}

TEST(FuzzyAffinities, TiesAndDuplicatesGiveNumbers) {
    for (const Points& points : {reference::equal_points(12, 2), reference::whole_points(60, 2, 3, 5),
                                 reference::whole_points(40, 1, 1, 2), reference::awkward_points(50, 4, 3)}) {
        for (const Index k : {1, 2, 3, 8}) {
            const CsrMatrix<double> graph = fuzzy_affinities(reference::euclidean_lists(points, k));
            require_graph(graph);
            for (Index i = 0; i < graph.rows; ++i) {
                const auto weights = graph.row_values(i);
                ASSERT_FALSE(weights.empty());
                EXPECT_NEAR(*std::ranges::max_element(weights), 1.0, 1e-15);
                EXPECT_TRUE(std::ranges::all_of(weights, [](double w) { return w > 0.0 && w <= 1.0; }));
            }
        }
    }
    std::vector<double> nothing;
    fuzzy_memberships(nothing);
    std::vector<double> far{0.0, 1e-30, 1e30};
    fuzzy_memberships(far);
    EXPECT_EQ(far[1], 1.0);
    EXPECT_GE(far[2], 0.0);
}

TEST(FuzzyAffinities, RefuseWhatCannotBe) {
    const NeighborLists lists = reference::euclidean_lists(reference::random_points(20, 3, 1), 4);
    EXPECT_THROW((void)fuzzy_affinities(lists, 1.5), InvalidArgument);
    EXPECT_THROW((void)fuzzy_affinities(lists, NAN), InvalidArgument);
    EXPECT_THROW((void)fuzzy_affinities({.size = 1, .indices = {1, 0}, .distances = {}}), InvalidArgument);
    EXPECT_THROW((void)fuzzy_affinities(lists, 1.0, {.memory_limit = 100}), LimitExceeded);
    std::stop_source source;
    source.request_stop();
    RunContext stopped;
    stopped.stop = source.get_token();
    EXPECT_THROW((void)fuzzy_affinities(lists, 1.0, stopped), Interruption);
}

}  // namespace
}  // namespace isogon::fuzzy_affinities_test
