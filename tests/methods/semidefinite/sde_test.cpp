#include "methods/semidefinite.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "isogon/core/error.hpp"
#include "methods/semidefinite/unfolding_steps.hpp"
#include "reference/graphs.hpp"
#include "semidefinite/exact_unfolding.hpp"
#include "semidefinite/low_rank_unfolding.hpp"
#include "semidefinite/unfolding.hpp"
#include "support/spectral_methods.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::sde_test {
namespace {

Points rolled(Index count) {
    return support::sheet(count, true).points;
}

/// A spiral of one turn and a half in the plane.
Points spiral(Index count) {
    Points points(count, 2);
    for (Index i = 0; i < count; ++i) {
        const double angle = 3.0 + 9.0 * i / count;
        points[i][0] = static_cast<float>(angle * std::cos(angle));
        points[i][1] = static_cast<float>(angle * std::sin(angle));
    }
    return points;
}

TEST(Sde, IsItsStepsOneAfterTheOther) {
    const Points points = rolled(60);
    const Embedding result = semidefinite_embedding(points.view(), {.dimension = 2});
    const DistanceConstraints constraints =
        distance_constraints(points.view(), reference::euclidean_lists(points, 6), KeptPairs::SharedNeighbors);
    const double price = slack_penalty(60, constraints);
    const Unfolding unfolding =
        unfold_exactly(60, constraints, {.price = price, .solver = {.tolerance = 1e-3, .iterations = 500}});
    const support::Matrix truth = support::to_matrix(unfolding.outputs).leftCols(2);
    EXPECT_LT(support::difference(support::to_matrix(result.coordinates), truth), 1e-5 * truth.norm());
    EXPECT_EQ(result.summary.value("constraints"), static_cast<double>(constraints.size()));
    EXPECT_EQ(result.summary.value("price"), price);
    EXPECT_NEAR(result.summary.value("trace"), unfolding.trace, 1e-5 * unfolding.trace);
    EXPECT_EQ(result.summary.value("duality_gap"), unfolding.gap);
}

TEST(Sde, LowRankBeginsWithPrincipalDirections) {
    const Points points = rolled(150);
    const SdeOptions options{.dimension = 2, .solver = UnfoldingSolver::LowRank, .iterations = 20};
    const Embedding result = semidefinite_embedding(points.view(), options);
    const DistanceConstraints constraints =
        distance_constraints(points.view(), reference::euclidean_lists(points, 6), KeptPairs::SharedNeighbors);
    // All three directions of points in space: these points, turned.
    MultiVector<double> start(points.count(), points.dimension());
    std::copy(points.values().begin(), points.values().end(), start.values().begin());
    const LowRankOptions usual{.tolerance = options.tolerance, .iterations = 20};
    const double trace = unfold_low_rank(start, 150, constraints, usual).trace;
    EXPECT_NEAR(result.summary.value("trace"), trace, 1e-4 * trace);
    EXPECT_GT(std::abs(unfold_low_rank({}, 150, constraints, usual).trace - trace), 1e-3 * trace);
}

TEST(Sde, ASpiralBecomesALineByBothSolvers) {
    const Points points = spiral(40);
    for (const UnfoldingSolver solver : {UnfoldingSolver::Exact, UnfoldingSolver::LowRank}) {
        const Embedding result =
            semidefinite_embedding(points.view(), {.dimension = 2, .neighbors = 1, .solver = solver});
        ASSERT_TRUE(result.summary.usable()) << result.summary.message;
        EXPECT_GT(result.summary.value("spectrum_0"), 0.99);
        EXPECT_EQ(result.summary.value("suggested_dimension"), 1.0);
        EXPECT_LT(result.summary.value("duality_gap"), 2e-3) << result.summary.message;
    }
}

double distance(const Points& points, Index i, Index j) {
    return std::sqrt(squared_distance(points[i].data(), points[j].data(), points.dimension()));
}

/// Rays of length 1 whose ends have their mean in the middle: no other trace is larger.
TEST(Sde, AStarKeepsItsRaysAndSpreadsThem) {
    for (const Index rays : {2, 3, 5, 40}) {
        Points points(rays + 1, 2);
        for (Index i = 0; i < rays; ++i) {
            points[i + 1][0] = static_cast<float>(std::cos(2.0 * i));
            points[i + 1][1] = static_cast<float>(std::sin(2.0 * i));
        }
        NeighborLists lists{.size = 1};
        for (Index i = 0; i <= rays; ++i) {
            lists.indices.push_back(i == 0 ? 1 : 0);
        }
        const Embedding fitted =
            semidefinite_embedding(points.view(), {.dimension = 2, .neighbors = 1}, {}, {.neighbors = &lists});
        EXPECT_NEAR(fitted.summary.value("trace"), rays, 0.02 * rays) << rays;
        EXPECT_LT(fitted.summary.value("most_stretched"), 0.01) << rays;
    }
}

TEST(Sde, PathsBecomeStraightWhateverTheirSteps) {
    for (const std::vector<double>& steps :
         {std::vector<double>{1, 1.5}, {1, 3, 1}, {0.2, 2.8}, {1, 1, 1, 1, 1}, {2, 1, 1, 2}}) {
        Points points(static_cast<Index>(steps.size()) + 1, 2);
        NeighborLists lists{.size = 1, .indices = {1}};
        double length = 0.0;
        for (Index i = 0; i < steps.size(); ++i) {  // every other step turns
            points[i + 1][0] = points[i][0] + static_cast<float>(i % 2 == 0 ? steps[i] : 0.0);
            points[i + 1][1] = points[i][1] + static_cast<float>(i % 2 == 1 ? steps[i] : 0.0);
            lists.indices.push_back(i);
            length += steps[i];
        }
        const Points outputs =
            semidefinite_embedding(points.view(), {.dimension = 1, .neighbors = 1}, {}, {.neighbors = &lists})
                .coordinates;
        for (Index i = 0; i < steps.size(); ++i) {
            EXPECT_NEAR(distance(outputs, i, i + 1), steps[i], 0.01 * steps[i]);
        }
        EXPECT_NEAR(distance(outputs, 0, static_cast<Index>(steps.size())), length, 0.01 * length);
    }
}

TEST(Sde, ATriangleStaysWhatItIs) {
    Points points(3, 2);
    points[1][0] = 3.0F;
    points[2][1] = 4.0F;
    const Points outputs = semidefinite_embedding(points.view(), {.dimension = 2, .neighbors = 2}).coordinates;
    EXPECT_NEAR(distance(outputs, 0, 1), 3.0, 0.01);
    EXPECT_NEAR(distance(outputs, 0, 2), 4.0, 0.01);
    EXPECT_NEAR(distance(outputs, 1, 2), 5.0, 0.01);
}

TEST(Sde, ChoosesTheSolverByTheNumberOfDistances) {
    const auto iterations = [](Index count, UnfoldingSolver solver) {
        return semidefinite_embedding(
                   spiral(count).view(),
                   {.dimension = 1, .neighbors = 1, .solver = solver, .components = ComponentPolicy::Bridge})
            .summary.value("iterations");
    };
    EXPECT_EQ(iterations(30, UnfoldingSolver::Auto), iterations(30, UnfoldingSolver::Exact));
    EXPECT_EQ(iterations(3100, UnfoldingSolver::Auto), iterations(3100, UnfoldingSolver::LowRank));
}

TEST(Sde, EqualPointsAreOne) {
    const Points once = rolled(50);
    std::vector<Index> rows = reference::every_point(50);
    rows.insert(rows.end(), {3, 3, 49});
    const Points twice = reference::reordered(once, rows);
    const Embedding alone = semidefinite_embedding(once.view(), {.dimension = 2});
    const Embedding result = semidefinite_embedding(twice.view(), {.dimension = 2});
    EXPECT_EQ(result.summary.value("duplicates"), 3.0);
    for (Index i = 0; i < 53; ++i) {
        EXPECT_TRUE(std::ranges::equal(result.coordinates[i], alone.coordinates[rows[i]])) << i;
    }
}

TEST(Sde, PartsAreRefusedOrBridged) {
    Points points = support::sheet(60, false).points;
    for (Index i = 40; i < 60; ++i) {
        points[i][0] += 10.0F;
    }
    try {
        (void)semidefinite_embedding(points.view(), {.dimension = 2, .components = ComponentPolicy::Error});
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("2 components"), std::string::npos) << error.what();
    }
    const Embedding bridged =
        semidefinite_embedding(points.view(), {.dimension = 2, .components = ComponentPolicy::Bridge});
    EXPECT_TRUE(bridged.summary.usable()) << bridged.summary.message;
    EXPECT_EQ(bridged.summary.value("bridges"), 1.0);
    const Embedding unasked = semidefinite_embedding(points.view(), {.dimension = 2});
    EXPECT_TRUE(std::ranges::equal(unasked.coordinates.values(), bridged.coordinates.values()));
    EXPECT_EQ(unasked.summary.warnings.size(), bridged.summary.warnings.size() + 1);
    EXPECT_EQ(to_text(unasked.options.at("components")), "bridge");
}

TEST(Sde, APriceThatLetsGoIsRaised) {
    // Two clusters joined by one edge: its dual value is larger than in a sheet.
    Points points(80, 2);
    const Points heap = support::sheet(40, false).points;
    for (Index i = 0; i < 40; ++i) {
        for (Index c = 0; c < 2; ++c) {
            points[i][c] = heap[i][c];
            points[40 + i][c] = heap[i][c] + (c == 0 ? 30.0F : 0.0F);
        }
    }
    const SdeOptions options{
        .dimension = 2, .neighbors = 12, .solver = UnfoldingSolver::Exact, .components = ComponentPolicy::Bridge};
    const Embedding result = semidefinite_embedding(points.view(), options);
    EXPECT_TRUE(result.summary.usable()) << result.summary.message;
    Summary unused;
    const DistanceConstraints constraints =
        distances_to_keep(points.view(), reference::euclidean_lists(points, 12),
                          {KeptPairs::SharedNeighbors, {ComponentPolicy::Bridge}}, unused, {});
    EXPECT_GE(result.summary.value("price"), 8.0 * slack_penalty(80, constraints));
}

TEST(Sde, TooFewIterationsAreReportedWithTheGap) {
    const Embedding result = semidefinite_embedding(rolled(60).view(), {.dimension = 2, .iterations = 12});
    EXPECT_NE(result.summary.termination, Termination::Converged);
    ASSERT_FALSE(result.summary.warnings.empty());
    EXPECT_NE(result.summary.warnings.back().find("gap"), std::string::npos);
}

TEST(Sde, ReturnsAUsableResultWhenCancelled) {
    for (const UnfoldingSolver solver : {UnfoldingSolver::Exact, UnfoldingSolver::LowRank}) {
        std::stop_source stop;
        RunContext context{.stop = stop.get_token()};
        context.on_iteration = [&](const Progress& progress) {
            if (progress.phase == "semidefinite program" || progress.phase == "unfolding") {
                stop.request_stop();
            }
        };
        const Embedding result = semidefinite_embedding(rolled(60).view(), {.dimension = 2, .solver = solver}, context);
        EXPECT_EQ(result.summary.termination, Termination::Cancelled);
        // The first interior point is nowhere near; outputs of low rank are scaled until they hold.
        EXPECT_EQ(result.coordinates.empty(), solver == UnfoldingSolver::Exact);
        EXPECT_TRUE(std::ranges::all_of(result.coordinates.values(), [](float value) { return std::isfinite(value); }));
    }
}

TEST(Sde, RefusesTooManyNeighbors) {
    const Points points = rolled(60);
    EXPECT_THROW((void)semidefinite_embedding(points.view(), {.dimension = 2, .neighbors = 60}), InvalidArgument);
}

}  // namespace
}  // namespace isogon::sde_test
