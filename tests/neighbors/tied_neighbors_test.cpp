#include "neighbors/tied_neighbors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "neighbors/exact_neighbors.hpp"
#include "reference/point_sets.hpp"

namespace isogon::tied_neighbors_test {
namespace {

using reference::on_threads;

TEST(MeasuredPair, TellsHowNearAndHowWell) {
    const std::vector<float> a{3.0F, 0.0F};
    const std::vector<float> b{0.0F, 4.0F};
    EXPECT_EQ(measure_pair(a, b, Metric::Euclidean).nearness, 12.5);
    EXPECT_EQ(measure_pair(a, b, Metric::Cosine).nearness, 1.0);
    EXPECT_EQ(measure_pair(b, b, Metric::InnerProduct).nearness, -16.0);
    EXPECT_EQ(measure_pair(std::vector<float>{0.0F, 0.0F}, b, Metric::Cosine).nearness, 1.0);
    // A step of float32 of a coordinate.
    const std::vector<float> next{std::nextafter(3.0F, 4.0F), 0.0F};
    EXPECT_TRUE(tie(measure_pair(a, b, Metric::Euclidean), measure_pair(next, b, Metric::Euclidean)));
    const std::vector<float> other{3.00001F, 0.0F};
    EXPECT_FALSE(tie(measure_pair(a, b, Metric::Euclidean), measure_pair(other, b, Metric::Euclidean)));
    // A coordinate that is the same in all is rounded alike, however large.
    const std::vector<float> far_a{3.0F, 1e6F};
    const std::vector<float> far_b{0.0F, 1e6F};
    const std::vector<float> far_c{0.001F, 1e6F};
    EXPECT_FALSE(tie(measure_pair(far_a, far_b, Metric::Euclidean), measure_pair(far_a, far_c, Metric::Euclidean)));
}

TEST(DrawnCounts, AreThoseOfAllDraws) {
    for (unsigned all = 1; all <= 9; ++all) {
        for (unsigned marked = 0; marked <= all; ++marked) {
            for (unsigned drawn = 0; drawn <= all; ++drawn) {
                std::vector<double> expected(all + 1, 0.0);
                double draws = 0.0;
                for (unsigned bits = 0; bits < 1U << all; ++bits) {
                    if (static_cast<unsigned>(std::popcount(bits)) == drawn) {
                        expected[std::popcount(bits & ((1U << marked) - 1U))] += 1.0;
                        draws += 1.0;
                    }
                }
                const DrawnCounts counts(all, marked, drawn);
                for (unsigned h = 0; h <= all; ++h) {
                    const bool given = h >= counts.least && h < counts.least + counts.probabilities.size();
                    EXPECT_NEAR(given ? counts.probabilities[h - counts.least] : 0.0, expected[h] / draws, 1e-14)
                        << all << ", " << marked << ", " << drawn << ": " << h;
                }
            }
        }
    }
}

TEST(DrawnCounts, OfManyPointsAreFinite) {
    const DrawnCounts counts(1'000'000, 999'000, 1000);
    double sum = 0.0;
    double mean = 0.0;
    for (std::size_t h = 0; h < counts.probabilities.size(); ++h) {
        sum += counts.probabilities[h];
        mean += counts.probabilities[h] * static_cast<double>(counts.least + h);
    }
    EXPECT_NEAR(sum, 1.0, 1e-12);
    EXPECT_NEAR(mean, 999.0, 1e-9);
}

TEST(NeighborOverlap, WithoutTiesIsTheCount) {
    const NeighborOverlap overlap{.inside_x = 4, .inside_y = 4, .tied_y = 1, .inside_both = 3, .tied_both = 1};
    EXPECT_EQ(overlap.kept(5), 4.0);
    EXPECT_EQ(overlap.all_kept(5), 0.0);
    const NeighborOverlap all{.inside_x = 4, .inside_y = 4, .tied_y = 1, .inside_both = 4, .tied_both = 1};
    EXPECT_EQ(all.kept(5), 5.0);
    EXPECT_EQ(all.all_kept(5), 1.0);
}

TEST(NeighborOverlap, AnyOfThePointsThatTieInXWillDo) {
    // 3 nearer ones, and many that tie for 2 places: y has all 3, and others of those.
    const NeighborOverlap overlap{
        .inside_x = 3, .inside_y = 4, .tied_y = 1, .inside_both = 3, .tied_x_inside_y = 1, .tied_both = 1};
    EXPECT_EQ(overlap.kept(5), 5.0);
    EXPECT_EQ(overlap.all_kept(5), 1.0);
    // 5 of those, and none of the nearer ones: there are 2 places.
    const NeighborOverlap others{.inside_x = 3, .inside_y = 4, .tied_y = 1, .tied_x_inside_y = 4, .tied_both = 1};
    EXPECT_EQ(others.kept(5), 2.0);
    EXPECT_EQ(others.all_kept(5), 0.0);
}

TEST(NeighborOverlap, PointsThatTieInYAreAsLikely) {
    // All 20 others tie in y: of 4 neighbours 4 / 20 are kept by chance.
    const NeighborOverlap overlap{.inside_x = 3, .tied_y = 20, .inside_x_tied_y = 3, .tied_both = 1};
    EXPECT_DOUBLE_EQ(overlap.kept(4), 16.0 / 20.0);
    EXPECT_NEAR(overlap.all_kept(4), 1.0 / 4845.0, 1e-15);
    // All tie in x as well: any 4 are right.
    const NeighborOverlap any{.tied_y = 20, .tied_both = 20};
    EXPECT_DOUBLE_EQ(any.kept(4), 4.0);
    EXPECT_DOUBLE_EQ(any.all_kept(4), 1.0);
}

TEST(KeptCount, SumsRows) {
    KeptCount count(2);
    count.add(3, {.inside_x = 1, .inside_y = 1, .tied_y = 1, .inside_both = 1, .tied_both = 1}, true);
    count.add(8, {.inside_x = 1, .inside_y = 1, .tied_y = 4, .inside_both = 1, .tied_both = 1}, false);
    const KeptNeighbors kept = count.finish();
    EXPECT_EQ(kept.rows, (std::vector<Index>{3, 8}));
    EXPECT_EQ(kept.shares, (std::vector<float>{1.0F, 0.625F}));
    EXPECT_EQ(kept.neighbors, 3.25 / 4.0);
    EXPECT_EQ(kept.all, 0.625);
    EXPECT_EQ(kept.in_order, 0.5);
    EXPECT_EQ(KeptCount(3).finish().neighbors, 1.0);
}

TEST(ChooseTies, ListsThoseThatAreFound) {
    // Seen from the corner 0: 1 is nearest, 2 to 6 are as far as each other, 7 is farther.
    Points x(8, 6);
    x[1][0] = 0.5F;
    for (Index j = 2; j < 7; ++j) {
        x[j][j - 1] = 1.0F;
    }
    x[7][0] = 3.0F;
    NeighborLists lists = exact_neighbors(x.view(), 3, Metric::Euclidean);
    NeighborLists found = lists;
    const std::vector<Index> of_first{6, 7, 4};
    std::copy(of_first.begin(), of_first.end(), found.indices.begin());
    choose_ties(lists, {x.view(), x.view(), Metric::Euclidean}, found, on_threads(2));
    EXPECT_EQ(std::vector<Index>(lists[0].begin(), lists[0].end()), (std::vector<Index>{1, 6, 4}));
}

TEST(ChooseTies, LeavesListsWithoutTies) {
    const Points x = reference::random_points(100, 3, 1);
    const NeighborLists before = exact_neighbors(x.view(), 5, Metric::Cosine);
    NeighborLists after = before;
    choose_ties(after, {x.view(), x.view(), Metric::Cosine},
                exact_neighbors(reference::random_points(100, 3, 2).view(), 5, Metric::Cosine), on_threads(2));
    EXPECT_EQ(after.indices, before.indices);
    EXPECT_EQ(after.distances, before.distances);
}

}  // namespace
}  // namespace isogon::tied_neighbors_test
