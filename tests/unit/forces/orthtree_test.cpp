#include "forces/orthtree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/layouts.hpp"

namespace isogon::orthtree_test {
namespace {

/// Every box's numbers are those of its points, and its parts are all of it.
void expect_true_boxes(const Orthtree& tree) {
    for (std::size_t b = 0; b < tree.boxes().size(); ++b) {
        const Orthtree::Box& box = tree.boxes()[b];
        ASSERT_LT(box.begin, box.end);
        for (std::size_t c = 0; c < Orthtree::most_numbers; ++c) {
            double sum = 0.0;
            double low = tree.at(box.begin)[c];
            double high = low;
            for (std::size_t place = box.begin; place < box.end; ++place) {
                sum += tree.at(place)[c];
                low = std::min(low, tree.at(place)[c]);
                high = std::max(high, tree.at(place)[c]);
            }
            EXPECT_NEAR(box.mean[c], sum / (box.end - box.begin), 1e-9);
            EXPECT_GE(box.squared_width, (high - low) * (high - low));
        }
        Index reached = box.begin;
        for (std::size_t part = b + 1; part < box.next; part = tree.boxes()[part].next) {
            EXPECT_EQ(tree.boxes()[part].begin, reached);
            reached = tree.boxes()[part].end;
        }
        EXPECT_EQ(tree.is_leaf(b) ? box.end : reached, box.end);
    }
}

TEST(Orthtree, BoxesAreMadeOfTheirPointsAndParts) {
    for (const Index dimension : {1, 2, 3}) {
        for (const Index count : {1, 2, 8, 9, 100, 1000}) {
            const WideVectors y = support::random_outputs(count, dimension, 5.0);
            const Orthtree tree(y);
            ASSERT_EQ(tree.boxes().front().end, count);
            ASSERT_EQ(tree.boxes().front().next, tree.boxes().size());
            expect_true_boxes(tree);
        }
    }
}

TEST(Orthtree, EveryPointHasOnePlace) {
    const WideVectors y = support::random_outputs(500, 2, 1.0);
    const Orthtree tree(y);
    std::vector<Index> sorted = tree.order();
    std::sort(sorted.begin(), sorted.end());
    for (Index i = 0; i < 500; ++i) {
        EXPECT_EQ(sorted[i], i);
        EXPECT_EQ(tree.at(i)[0], y.at(tree.order()[i], 0));
        EXPECT_EQ(tree.at(i)[1], y.at(tree.order()[i], 1));
    }
}

TEST(Orthtree, LeavesAreSmallWherePointsPart) {
    const Orthtree tree(support::random_outputs(2000, 3, 1.0));
    for (std::size_t b = 0; b < tree.boxes().size(); ++b) {
        if (tree.is_leaf(b)) {
            EXPECT_LE(tree.boxes()[b].end - tree.boxes()[b].begin, Orthtree::points_of_leaf);
        }
    }
    EXPECT_LT(tree.boxes().size(), std::size_t{2 * 2000});
}

TEST(Orthtree, PointsInOnePlaceAreOneBoxWithoutWidth) {
    WideVectors y(300, 2);
    std::fill(y.values.begin(), y.values.end(), 0.1);
    const Orthtree tree(y);
    ASSERT_EQ(tree.boxes().size(), 1U);
    EXPECT_EQ(tree.boxes().front().squared_width, 0.0);
}

TEST(Orthtree, FarOutliersAndTinyClustersStandInOneTree) {
    WideVectors y = support::random_outputs(200, 2, 1e-12);
    y.at(0, 0) = 1e30;
    const Orthtree tree(y);
    EXPECT_GT(tree.boxes().size(), 1U);
    EXPECT_EQ(tree.boxes().front().end, 200U);
}

}  // namespace
}  // namespace isogon::orthtree_test
