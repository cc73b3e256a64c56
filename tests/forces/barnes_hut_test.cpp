#include "forces/barnes_hut.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "forces/repulsion.hpp"
#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"
#include "support/layouts.hpp"

namespace isogon::barnes_hut_test {

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
            const MultiVector<double> y = support::random_outputs(count, dimension, 5.0);
            const Orthtree tree(y);
            ASSERT_EQ(tree.boxes().front().end, count);
            ASSERT_EQ(tree.boxes().front().next, tree.boxes().size());
            expect_true_boxes(tree);
        }
    }
}

TEST(Orthtree, EveryPointHasOnePlace) {
    const MultiVector<double> y = support::random_outputs(500, 2, 1.0);
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
    MultiVector<double> y(300, 2);
    std::fill(y.values().begin(), y.values().end(), 0.1);
    const Orthtree tree(y);
    ASSERT_EQ(tree.boxes().size(), 1U);
    EXPECT_EQ(tree.boxes().front().squared_width, 0.0);
}

TEST(Orthtree, FarOutliersAndTinyClustersStandInOneTree) {
    MultiVector<double> y = support::random_outputs(200, 2, 1e-12);
    y.at(0, 0) = 1e30;
    const Orthtree tree(y);
    EXPECT_GT(tree.boxes().size(), 1U);
    EXPECT_EQ(tree.boxes().front().end, 200U);
}

double error_of(double theta, const MultiVector<double>& y) {
    MultiVector<double> pushes(y.rows(), y.columns());
    BarnesHutRepulsion tree(y.columns(), theta);
    const double total = tree.repel(y, pushes, {});
    const support::Repelled truth = support::repelled(y);
    return std::max(support::relative_error(pushes, truth.pushes), std::abs(total - truth.total) / truth.total);
}

TEST(BarnesHutRepulsion, IsTheSumOverAllPairsWhereNoBoxIsNarrow) {
    for (const Index dimension : {1, 2, 3}) {
        for (const Index count : {2, 9, 300}) {
            EXPECT_LT(error_of(0.0, support::random_outputs(count, dimension, 3.0)), 1e-12);
        }
    }
}

TEST(BarnesHutRepulsion, ErrsByTheSquareOfTheta) {
    for (const Index dimension : {1, 2, 3}) {
        for (const double spread : {0.1, 3.0, 30.0}) {
            const MultiVector<double> y = support::random_outputs(800, dimension, spread);
            EXPECT_LT(error_of(BarnesHutRepulsion::usual_theta, y), 0.03) << dimension << " numbers, spread " << spread;
            EXPECT_LT(error_of(0.125, y), 0.003) << dimension << " numbers, spread " << spread;
        }
    }
}

TEST(BarnesHutRepulsion, PointsInOnePlaceDoNotPush) {
    const MultiVector<double> y(50, 2);
    MultiVector<double> pushes(50, 2);
    EXPECT_EQ(BarnesHutRepulsion(2).repel(y, pushes, {}), 50.0 * 49.0);
    EXPECT_TRUE(std::all_of(pushes.values().begin(), pushes.values().end(), [](double value) { return value == 0.0; }));
}

TEST(BarnesHutRepulsion, DuplicatesAndFarOutputsStayNumbers) {
    MultiVector<double> y = support::random_outputs(100, 3, 1e30);
    std::copy_n(y.values().begin(), 150, y.values().begin() + 150);
    MultiVector<double> pushes(100, 3);
    EXPECT_GE(BarnesHutRepulsion(3).repel(y, pushes, {}), 100.0);  // every point has one in its place
    EXPECT_TRUE(
        std::all_of(pushes.values().begin(), pushes.values().end(), [](double value) { return std::isfinite(value); }));
}

TEST(BarnesHutRepulsion, HasTheSameBitsOnAnyNumberOfThreads) {
    const MultiVector<double> y = support::random_outputs(1500, 3, 3.0);
    MultiVector<double> one(1500, 3);
    MultiVector<double> three(1500, 3);
    BarnesHutRepulsion tree(3);
    EXPECT_EQ(tree.repel(y, one, reference::on_threads(1)), tree.repel(y, three, reference::on_threads(3)));
    EXPECT_EQ(one.values(), three.values());
}

TEST(BarnesHutRepulsion, RefusesWhatItHasNoTreeForAndCanBeCancelled) {
    EXPECT_THROW(BarnesHutRepulsion(0), InvalidArgument);
    EXPECT_THROW(BarnesHutRepulsion(4), InvalidArgument);
    EXPECT_THROW(BarnesHutRepulsion(2, -0.1), InvalidArgument);
    EXPECT_THROW(BarnesHutRepulsion(2, 1.1), InvalidArgument);
    EXPECT_THROW(BarnesHutRepulsion(2, std::numeric_limits<double>::quiet_NaN()), InvalidArgument);
    const RunContext context = reference::cancelled();
    const MultiVector<double> y = support::random_outputs(100, 2, 1.0);
    MultiVector<double> pushes(100, 2);
    EXPECT_THROW((void)BarnesHutRepulsion(2).repel(y, pushes, context), Interruption);
}

TEST(BarnesHutRepulsion, StatesItsMemory) {
    EXPECT_GT(BarnesHutRepulsion::bytes(1000), std::uint64_t{1000} * 24);
    EXPECT_EQ(BarnesHutRepulsion::bytes(2000), 2 * BarnesHutRepulsion::bytes(1000));
}

}  // namespace

}  // namespace isogon::barnes_hut_test
