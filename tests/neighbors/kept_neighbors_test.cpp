#include "neighbors/kept_neighbors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "neighbors/exact_neighbors.hpp"
#include "neighbors/tied_neighbors.hpp"
#include "reference/point_sets.hpp"
#include "reference/quality.hpp"

namespace isogon::kept_neighbors_test {
namespace {

using reference::on_threads;

TEST(KeptNeighbors, CountWhatIsCommonAndInOrder) {
    // On a line: 0, 1, 3, 6.5; neighbours of each by distance.
    Points line(4, 1);
    const std::vector<float> places{0.0F, 1.0F, 3.0F, 6.5F};
    std::copy(places.begin(), places.end(), line.values().begin());
    NeighborLists lists{.size = 2, .indices = {1, 2, 0, 2, 1, 0, 1, 2}};  // the last in another order
    KeptNeighbors kept = kept_neighbors(lists, {}, line.view(), Metric::Euclidean, {});
    EXPECT_EQ(kept.neighbors, 1.0);
    EXPECT_EQ(kept.all, 1.0);
    EXPECT_EQ(kept.in_order, 0.75);
    EXPECT_EQ(kept.rows, (std::vector<Index>{0, 1, 2, 3}));
    EXPECT_TRUE(kept.worst().empty());
    lists.indices[6] = 0;  // {0, 2} where {2, 1} are near
    kept = kept_neighbors(lists, {}, line.view(), Metric::Euclidean, {});
    EXPECT_EQ(kept.neighbors, 0.875);
    EXPECT_EQ(kept.all, 0.75);
    EXPECT_EQ(kept.shares, (std::vector<float>{1.0F, 1.0F, 1.0F, 0.5F}));
    ASSERT_EQ(kept.worst().size(), 1U);
    EXPECT_EQ(kept.worst().front().point, 3U);
    EXPECT_EQ(kept.worst().front().share, 0.5);
}

// Beyond most_rows a sample is looked at, whose own rows are no neighbours of themselves.
TEST(KeptNeighbors, OfManyPointsAreASample) {
    const Points x = reference::random_points(KeptNeighbors::most_rows + 500, 3, 4);
    const KeptNeighbors kept = kept_neighbors(exact_neighbors(x.view(), 4, Metric::Euclidean, on_threads(2)), x.view(),
                                              x.view(), Metric::Euclidean, on_threads(2));
    EXPECT_EQ(kept.rows.size(), KeptNeighbors::most_rows);
    EXPECT_TRUE(std::is_sorted(kept.rows.begin(), kept.rows.end()));
    EXPECT_GT(kept.in_order, 0.9999);
}

Points on_a_line(const std::vector<float>& places) {
    Points line(static_cast<Index>(places.size()), 1);
    std::copy(places.begin(), places.end(), line.values().begin());
    return line;
}

void expect_as_defined(const Points& x, const Points& y, Index k) {
    const KeptNeighbors kept =
        kept_neighbors(exact_neighbors(x.view(), k, Metric::Euclidean), x.view(), y.view(), Metric::Euclidean, {});
    const auto expected = reference::tied_ranks(x, y, k, false);
    EXPECT_NEAR(kept.neighbors, expected.recall, 1e-12) << "k " << k;
    EXPECT_NEAR(kept.all, expected.all_kept, 1e-12) << "k " << k;
    EXPECT_LE(kept.in_order, kept.all);
    EXPECT_NEAR(std::accumulate(kept.shares.begin(), kept.shares.end(), 0.0) / x.count(), expected.recall, 1e-6);
}

// Whole numbers, of which float32 knows all distances: ties, points that coincide, two points, all others as
// neighbours.
TEST(KeptNeighbors, OfAwkwardPointsAreThoseOfTheDefinition) {
    const Points x = on_a_line({0, 1, 2, 3, 4, 5, 6});
    for (const Index k : {1U, 2U, 3U, 6U}) {
        expect_as_defined(x, x, k);
        expect_as_defined(x, on_a_line({3, 1, 3, 1, 3, 1, 3}), k);
        expect_as_defined(x, on_a_line({1, 1, 1, 1, 1, 1, 1}), k);
        expect_as_defined(on_a_line({1, 1, 1, 1, 1, 1, 1}), x, k);
        expect_as_defined(on_a_line({0, 0, 0, 5, 5, 9, 9}), x, k);
    }
    expect_as_defined(on_a_line({0, 1}), on_a_line({5, 5}), 1);
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        expect_as_defined(reference::whole_points(7, 3, 1, seed), reference::whole_points(7, 2, 2, seed + 50), 3);
    }
}

Points unit_rows(Points x) {
    for (Index i = 0; i < x.count(); ++i) {
        const double length = std::sqrt(std::inner_product(x[i].begin(), x[i].end(), x[i].begin(), 0.0));
        std::ranges::transform(x[i], x[i].begin(),
                               [&](float value) { return static_cast<float>(double{value} / length); });
    }
    return x;
}

// Copies of rows tie with each other, and binary rows with many: which of them the lists hold is nobody's choice.
TEST(KeptNeighbors, OfPerfectMapsOfTiedInputsAreAll) {
    for (const Metric metric : {Metric::Euclidean, Metric::Cosine, Metric::Manhattan, Metric::Hamming}) {
        Points x = reference::whole_points(200, 10, 1, 3);
        for (Index i = 0; i < 200; ++i) {
            x[i][0] = 1.0F;
        }
        const Points y = metric == Metric::Cosine ? unit_rows(x) : x;  // by distance as x by the metric
        const auto kept = [&](const Points& outputs) {
            return kept_neighbors(exact_neighbors(x.view(), 7, metric), x.view(), outputs.view(), metric, {});
        };
        EXPECT_EQ(kept(y).neighbors, 1.0);
        EXPECT_EQ(kept(y).in_order, 1.0);
        EXPECT_EQ(kept(reference::turned(y, 4)).neighbors, 1.0);
        EXPECT_LT(kept(reference::random_points(200, 10, 5)).neighbors, 0.3);
        EXPECT_LT(kept(reference::equal_points(200, 10)).neighbors, 0.3);
    }
}

TEST(KeptNeighbors, WorstComeFirstAndEqualOnesByNumber) {
    KeptNeighbors kept{.rows = {1, 4, 6, 7, 9}, .shares = {0.5F, 1.0F, 0.25F, 0.5F, 1.0F}};
    std::vector<Index> points;
    for (const auto& worst : kept.worst()) {
        points.push_back(worst.point);
    }
    EXPECT_EQ(points, (std::vector<Index>{6, 1, 7}));
    EXPECT_EQ(kept.worst(1).size(), 1U);
    EXPECT_TRUE(KeptNeighbors().worst().empty());
}

}  // namespace
}  // namespace isogon::kept_neighbors_test
