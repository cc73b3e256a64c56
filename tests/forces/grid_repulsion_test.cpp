#include "forces/repulsion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "forces/grid_repulsion.hpp"
#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"
#include "support/layouts.hpp"

namespace isogon::grid_repulsion_test {

namespace {

double at_node(const GridAxis& axis, std::size_t node) {
    return axis.low + (static_cast<double>(node) - 1.5) * axis.step;
}

TEST(InterpolationGrid, WeightsAreThoseOfCubicSplinesFromOneEndToTheOther) {
    const GridAxis axis = enclosing_axis(-3.0, 9.0, 0.5, 10);
    EXPECT_EQ(axis.step, 0.5);
    for (double place = -3.0; place <= 9.0; place += 0.01) {
        const NodeWeights nodes = node_weights(axis, place);
        ASSERT_LE(nodes.first + nodes.count, axis.nodes);
        // Spread over nodes, 1 and x stay what they are, and x^2 gains a third of a step's square.
        std::array<double, 3> moments{};
        for (std::size_t a = 0; a < nodes.count; ++a) {
            const double x = at_node(axis, nodes.first + a);
            EXPECT_GE(nodes.weights[a], 0.0);
            moments[0] += nodes.weights[a];
            moments[1] += nodes.weights[a] * x;
            moments[2] += nodes.weights[a] * x * x;
        }
        EXPECT_NEAR(moments[0], 1.0, 1e-12);
        EXPECT_NEAR(moments[1], place, 1e-12);
        EXPECT_NEAR(moments[2], place * place + 0.5 * 0.5 / 3.0, 1e-11);
    }
}

TEST(InterpolationGrid, TheSymbolIsTheTransformOfTheWeightsAtANode) {
    const NodeWeights nodes = node_weights({0.0, 1.0, 5}, 0.5);  // a node: one and a half steps below 0, and two up
    EXPECT_NEAR(nodes.weights[0], 1.0 / 6.0, 1e-15);
    EXPECT_NEAR(nodes.weights[1], 2.0 / 3.0, 1e-15);
    EXPECT_NEAR(nodes.weights[2], 1.0 / 6.0, 1e-15);
    for (std::size_t k = 0; k < 12; ++k) {
        const double angle = 2.0 * 3.14159265358979323846 * double(k) / 12.0;
        EXPECT_NEAR(node_symbol(k, 12), nodes.weights[1] + 2.0 * nodes.weights[0] * std::cos(angle), 1e-14);
    }
    EXPECT_EQ(node_symbol(0, 1), 1.0);
}

TEST(InterpolationGrid, ShortRangesAreResolvedAndNoneIsNoTrouble) {
    EXPECT_EQ(enclosing_axis(0.0, 1.0, 0.5, 10).step, 0.1);
    const GridAxis point = enclosing_axis(1e30, 1e30, 0.5, 10);
    EXPECT_EQ(point.step, 0.5);
    EXPECT_EQ(node_weights(point, 1e30).first, 0U);
    EXPECT_LE(node_weights(point, 1e30).count, point.nodes);
    for (const double low : {1e6, -1e6, 1e-9}) {
        const GridAxis axis = enclosing_axis(low, low + 1.0 / 3.0, 1.0, 17);
        const NodeWeights last = node_weights(axis, low + 1.0 / 3.0);
        EXPECT_LE(last.first + last.count, axis.nodes);
        EXPECT_EQ(node_weights(axis, low).first, 0U);
    }
}

TEST(InterpolationGrid, SpreadsEveryChargeOnceOnAnyNumberOfThreads) {
    const MultiVector<double> y = support::random_outputs(2000, 2, 4.0);
    const GridAxis axis = enclosing_axis(-30.0, 30.0, 0.5, 10);
    const InterpolationGrid grid(y, axis, axis);
    FourierPlane truth(axis.nodes, axis.nodes);
    for (std::size_t i = 0; i < y.rows(); ++i) {
        const NodeWeights down = node_weights(axis, y.at(i, 0));
        const NodeWeights across = node_weights(axis, y.at(i, 1));
        for (std::size_t a = 0; a < 4; ++a) {
            for (std::size_t b = 0; b < 4; ++b) {
                const std::size_t at = truth.place(down.first + a, across.first + b);
                truth.real[at] += down.weights[a] * across.weights[b];
                truth.imaginary[at] += down.weights[a] * across.weights[b] * y.at(i, 0);
            }
        }
    }
    const auto charges = [&](std::size_t i) { return std::array{1.0, y.at(i, 0)}; };
    FourierPlane one(axis.nodes, axis.nodes);
    FourierPlane three(axis.nodes, axis.nodes);
    one.real.assign(one.real.size(), 7.0);  // earlier values do not count
    grid.spread<1>({&one}, charges, reference::on_threads(1));
    grid.spread<1>({&three}, charges, reference::on_threads(3));
    for (std::size_t i = 0; i < axis.nodes; ++i) {
        for (std::size_t j = 0; j < axis.nodes; ++j) {
            const std::size_t at = one.place(i, j);
            ASSERT_NEAR(one.real[at], truth.real[at], 1e-12);
            ASSERT_NEAR(one.imaginary[at], truth.imaginary[at], 1e-11);
            ASSERT_EQ(one.real[at], three.real[at]);
        }
    }
}

TEST(InterpolationGrid, ReadsWhatALinearFunctionIs) {
    for (const Index dimension : {1, 2}) {
        const MultiVector<double> y = support::random_outputs(100, dimension, 2.0);
        const GridAxis axis = enclosing_axis(-20.0, 20.0, 0.4, 10);
        const GridAxis other = dimension == 2 ? axis : GridAxis{};
        const InterpolationGrid grid(y, axis, other);
        FourierPlane plane(axis.nodes, other.nodes);
        for (std::size_t i = 0; i < axis.nodes; ++i) {
            for (std::size_t j = 0; j < other.nodes; ++j) {
                plane.real[plane.place(i, j)] = at_node(axis, i) - (dimension == 2 ? 2.0 * at_node(other, j) : 0.0);
            }
        }
        for (std::size_t i = 0; i < 100; ++i) {
            const double truth = y.at(i, 0) - (dimension == 2 ? 2.0 * y.at(i, 1) : 0.0);
            EXPECT_NEAR(grid.read<1>({&plane}, i)[0], truth, 1e-12);
        }
    }
}

TEST(InterpolationGrid, TheOrderIsOfAllPointsByRows) {
    const MultiVector<double> y = support::random_outputs(500, 2, 2.0);
    const GridAxis axis = enclosing_axis(-20.0, 20.0, 0.4, 10);
    const InterpolationGrid grid(y, axis, axis);
    std::vector<Index> sorted = grid.order();
    for (std::size_t k = 1; k < sorted.size(); ++k) {
        const std::size_t before = grid.along_rows(sorted[k - 1]).first;
        const std::size_t here = grid.along_rows(sorted[k]).first;
        EXPECT_TRUE(before < here || (before == here && sorted[k - 1] < sorted[k]));
    }
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(sorted, reference::every_point(500));
}

struct Errors {
    double pushes = 0.0;
    double total = 0.0;
};

Errors errors_of(GridRepulsion& grid, const MultiVector<double>& y) {
    MultiVector<double> pushes(y.rows(), y.columns());
    const double total = grid.repel(y, pushes, {});
    const support::Repelled truth = support::repelled(y);
    return {support::relative_error(pushes, truth.pushes), std::abs(total - truth.total) / truth.total};
}

TEST(GridRepulsion, IsNearTheSumOverAllPairsAtEverySize) {
    for (const Index dimension : {1, 2}) {
        GridRepulsion grid(1500, dimension);  // one after the other: what it keeps must fit
        for (const double spread : {1e-4, 0.1, 1.0, 3.0, 10.0, 12.0, 3.0}) {
            const Errors errors = errors_of(grid, support::random_outputs(1500, dimension, spread));
            EXPECT_LT(errors.pushes, 5e-3) << dimension << " numbers, spread " << spread;
            EXPECT_LT(errors.total, 1e-5) << dimension << " numbers, spread " << spread;
        }
    }
}

TEST(GridRepulsion, UnevenMapsAreNoWorse) {
    MultiVector<double> y = support::random_outputs(900, 2, 1.0);
    for (std::size_t i = 0; i < 900; ++i) {
        y.at(i, 0) += i % 3 == 0 ? 50.0 : 0.0;
        y.at(i, 1) *= 1e-3;
    }
    GridRepulsion grid(900, 2);
    EXPECT_LT(errors_of(grid, y).pushes, 3e-3);
}

TEST(GridRepulsion, ForcesSumToZero) {
    const MultiVector<double> y = support::random_outputs(1000, 2, 5.0);
    MultiVector<double> pushes(1000, 2);
    GridRepulsion(1000, 2).repel(y, pushes, {});
    for (std::size_t c = 0; c < 2; ++c) {
        double sum = 0.0;
        for (std::size_t i = 0; i < 1000; ++i) {
            sum += pushes.at(i, c);
        }
        EXPECT_NEAR(sum, 0.0, 1e-7);
    }
}

TEST(GridRepulsion, OutputsFarApartAreLookedAtPairByPair) {
    const MultiVector<double> y = support::random_outputs(300, 2, 1e5);
    MultiVector<double> by_grid(300, 2);
    MultiVector<double> by_pairs(300, 2);
    EXPECT_EQ(GridRepulsion(300, 2).repel(y, by_grid, {}), ExactRepulsion().repel(y, by_pairs, {}));
    EXPECT_EQ(by_grid.values(), by_pairs.values());
}

TEST(GridRepulsion, PointsInOnePlaceDoNotPush) {
    const MultiVector<double> y(50, 2);
    MultiVector<double> pushes(50, 2);
    EXPECT_NEAR(GridRepulsion(50, 2).repel(y, pushes, {}), 50.0 * 49.0, 1e-6);
    for (const double value : pushes.values()) {
        EXPECT_NEAR(value, 0.0, 1e-9);
    }
}

TEST(GridRepulsion, HasTheSameBitsOnAnyNumberOfThreadsAndInAnyHistory) {
    const MultiVector<double> y = support::random_outputs(3000, 2, 8.0);
    MultiVector<double> one(3000, 2);
    MultiVector<double> three(3000, 2);
    MultiVector<double> later(3000, 2);
    GridRepulsion used(3000, 2);
    used.repel(support::random_outputs(3000, 2, 9.0, 7), later, {});
    const double total = GridRepulsion(3000, 2).repel(y, one, reference::on_threads(1));
    EXPECT_EQ(total, GridRepulsion(3000, 2).repel(y, three, reference::on_threads(3)));
    EXPECT_EQ(total, used.repel(y, later, {}));
    EXPECT_EQ(one.values(), three.values());
    EXPECT_EQ(one.values(), later.values());
}

TEST(GridRepulsion, RefusesWhatItHasNoGridForAndCanBeCancelled) {
    EXPECT_THROW(GridRepulsion(100, 3), InvalidArgument);
    EXPECT_THROW(GridRepulsion(100, 0), InvalidArgument);
    const RunContext context = reference::cancelled();
    const MultiVector<double> y = support::random_outputs(100, 2, 1.0);
    MultiVector<double> pushes(100, 2);
    EXPECT_THROW((void)GridRepulsion(100, 2).repel(y, pushes, context), Interruption);
}

/// The largest need that is stated while forces on outputs of this size are computed.
std::uint64_t told_for(double size) {
    const MultiVector<double> y = support::random_outputs(100, 2, size);
    MultiVector<double> pushes(100, 2);
    std::uint64_t stated = 0;
    RunContext context;
    context.on_need = [&](std::uint64_t bytes) { stated = std::max(stated, bytes); };
    (void)GridRepulsion(100, 2).repel(y, pushes, context);
    return stated;
}

TEST(GridRepulsion, AsWideAsTheMapItsMemoryGrowsAndIsStatedBefore) {
    EXPECT_LE(told_for(1.0), GridRepulsion::bytes(100, 2));
    const std::uint64_t wide = told_for(30.0);
    EXPECT_GT(wide, 4 * GridRepulsion::bytes(100, 2));
    const MultiVector<double> y = support::random_outputs(100, 2, 30.0);
    MultiVector<double> pushes(100, 2);
    RunContext context;
    context.memory_limit = wide;
    EXPECT_NO_THROW((void)GridRepulsion(100, 2).repel(y, pushes, context));
    context.memory_limit = wide - 1;
    EXPECT_THROW((void)GridRepulsion(100, 2).repel(y, pushes, context), LimitExceeded);
}

TEST(GridRepulsion, StatesItsMemory) {
    EXPECT_GT(GridRepulsion::bytes(100, 2), std::uint64_t{4} * 128 * 128 * 16);
    EXPECT_LT(GridRepulsion::bytes(100, 1), GridRepulsion::bytes(100, 2) / 10);
    EXPECT_EQ(GridRepulsion::most_nodes(100), 768U);
    EXPECT_EQ(GridRepulsion::most_nodes(70000), 1058U);
    EXPECT_EQ(GridRepulsion::most_nodes(4000000000U), 1536U);
}

}  // namespace

}  // namespace isogon::grid_repulsion_test
