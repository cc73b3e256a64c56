#include "isogon/neighbors/kept_neighbors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "isogon/neighbors/exact_neighbors.hpp"
#include "reference/point_sets.hpp"

namespace isogon::kept_neighbors_test {
namespace {

using reference::on_threads;

TEST(CountShared, IsOfIndicesInAnyOrder) {
    const std::vector<Index> a{5, 1, 9, 3};
    const std::vector<Index> b{3, 4, 5, 6};
    EXPECT_EQ(count_shared(a, b), 2U);
    EXPECT_EQ(count_shared(a, a), 4U);
    EXPECT_EQ(count_shared(a, std::vector<Index>{0, 2, 4, 6}), 0U);
}

TEST(KeptNeighbors, CountWhatIsCommonAndInOrder) {
    // On a line: 0, 1, 3, 6.5; neighbours of each by distance.
    Points line(4, 1);
    const std::vector<float> places{0.0F, 1.0F, 3.0F, 6.5F};
    std::copy(places.begin(), places.end(), line.values().begin());
    NeighborLists lists{.size = 2, .indices = {1, 2, 0, 2, 1, 0, 1, 2}};  // the last in another order
    KeptNeighbors kept = kept_neighbors(lists, line.view(), Metric::Euclidean, {});
    EXPECT_EQ(kept.neighbors, 1.0);
    EXPECT_EQ(kept.all, 1.0);
    EXPECT_EQ(kept.in_order, 0.75);
    EXPECT_EQ(kept.rows, (std::vector<Index>{0, 1, 2, 3}));
    EXPECT_TRUE(kept.worst().empty());
    lists.indices[6] = 0;  // {0, 2} where {2, 1} are near
    kept = kept_neighbors(lists, line.view(), Metric::Euclidean, {});
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
                                              Metric::Euclidean, on_threads(2));
    EXPECT_EQ(kept.rows.size(), KeptNeighbors::most_rows);
    EXPECT_TRUE(std::is_sorted(kept.rows.begin(), kept.rows.end()));
    EXPECT_GT(kept.in_order, 0.9999);
}

TEST(KeptNeighbors, AreThoseOfTheDefinition) {
    std::mt19937 random(7);
    for (const Index k : {1U, 3U, 11U}) {
        const std::vector<Index> rows{2, 5, 9, 40};
        std::vector<Index> before;
        std::vector<Index> after;
        for (std::size_t r = 0; r < rows.size(); ++r) {
            for (auto* lists : {&before, &after}) {
                std::vector<Index> points(12);
                std::iota(points.begin(), points.end(), Index{50});
                std::shuffle(points.begin(), points.end(), random);
                lists->insert(lists->end(), points.begin(), points.begin() + k);
            }
        }
        std::copy_n(before.begin(), k, after.begin());  // of the first row all, in order
        const KeptNeighbors kept = compare_neighbors(rows, k, before, after);
        double sum = 0.0;
        for (std::size_t r = 0; r < rows.size(); ++r) {
            Index common = 0;
            for (std::size_t a = r * k; a < (r + 1) * k; ++a) {
                for (std::size_t b = r * k; b < (r + 1) * k; ++b) {
                    common += before[a] == after[b] ? 1 : 0;
                }
            }
            EXPECT_FLOAT_EQ(kept.shares[r], static_cast<float>(common) / static_cast<float>(k));
            sum += common;
        }
        EXPECT_DOUBLE_EQ(kept.neighbors, sum / (4.0 * k));
        EXPECT_GE(kept.in_order, 0.25);
        EXPECT_LE(kept.in_order, kept.all);
    }
}

Points on_a_line(const std::vector<float>& places) {
    Points line(static_cast<Index>(places.size()), 1);
    std::copy(places.begin(), places.end(), line.values().begin());
    return line;
}

/// The k nearest others of a point on a line: by distance, then by number.
std::vector<Index> nearest_on_a_line(const Points& line, Index i, Index k) {
    std::vector<Index> others(line.count());
    std::iota(others.begin(), others.end(), Index{0});
    others.erase(others.begin() + i);
    std::stable_sort(others.begin(), others.end(), [&](Index a, Index b) {
        return std::abs(line[a][0] - line[i][0]) < std::abs(line[b][0] - line[i][0]);
    });
    others.resize(k);
    return others;
}

void expect_as_defined(const Points& x, const Points& y, Index k) {
    const KeptNeighbors kept =
        kept_neighbors(exact_neighbors(x.view(), k, Metric::Euclidean), y.view(), Metric::Euclidean, {});
    Index all = 0;
    Index in_order = 0;
    for (Index i = 0; i < x.count(); ++i) {
        const std::vector<Index> before = nearest_on_a_line(x, i, k);
        const std::vector<Index> after = nearest_on_a_line(y, i, k);
        const auto common = std::count_if(before.begin(), before.end(), [&](Index j) {
            return std::find(after.begin(), after.end(), j) != after.end();
        });
        EXPECT_EQ(kept.shares[i], static_cast<float>(common) / static_cast<float>(k)) << "point " << i << ", k " << k;
        all += static_cast<Index>(common) == k ? 1 : 0;
        in_order += before == after ? 1 : 0;
    }
    EXPECT_DOUBLE_EQ(kept.all, static_cast<double>(all) / x.count());
    EXPECT_DOUBLE_EQ(kept.in_order, static_cast<double>(in_order) / x.count());
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
    }
    expect_as_defined(on_a_line({0, 1}), on_a_line({5, 5}), 1);
}

// A zero vector is as far from all others, whose smallest numbers would then be kept, in inputs and outputs alike.
TEST(KeptNeighbors, OfZeroVectorsAreNoneByAngle) {
    Points x = reference::random_points(30, 4, 5);
    const Points y = reference::random_points(30, 4, 6);
    const auto kept = [&](Metric metric, const Points& outputs) {
        return kept_neighbors(exact_neighbors(x.view(), 3, metric), outputs.view(), metric, {});
    };
    Points flat = y;
    for (const Index zero : {0U, 7U, 29U}) {
        std::fill(x[zero].begin(), x[zero].end(), 0.0F);
        std::fill(flat[zero].begin(), flat[zero].end(), 0.0F);
    }
    const KeptNeighbors by_angle = kept(Metric::Cosine, flat);
    EXPECT_EQ(by_angle.rows.size(), 27U);
    EXPECT_EQ(std::count(by_angle.rows.begin(), by_angle.rows.end(), 7U), 0);
    EXPECT_EQ(by_angle.shares.size(), 27U);
    EXPECT_EQ(kept(Metric::Euclidean, flat).rows.size(), 30U);
    EXPECT_EQ(kept(Metric::Cosine, x).in_order, 1.0);
}

TEST(KeptNeighbors, WorstComeFirstAndEqualOnesByNumber) {
    KeptNeighbors kept{.rows = {1, 4, 6, 7, 9}, .shares = {0.5F, 1.0F, 0.25F, 0.5F, 1.0F}};
    std::vector<Index> points;
    for (const auto& worst : kept.worst()) {
        points.push_back(worst.point);
    }
    EXPECT_EQ(points, (std::vector<Index>{6, 1, 7}));
    EXPECT_EQ(kept.worst(1).size(), 1U);
    EXPECT_TRUE(compare_neighbors({}, 3, {}, {}).worst().empty());
    EXPECT_EQ(compare_neighbors({}, 3, {}, {}).neighbors, 1.0);
}

}  // namespace
}  // namespace isogon::kept_neighbors_test
