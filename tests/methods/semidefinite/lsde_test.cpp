#include "methods/semidefinite.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "graph/barycentric_weights.hpp"
#include "isogon/core/error.hpp"
#include "reference/graphs.hpp"
#include "semidefinite/landmark_unfolding.hpp"
#include "support/spectral_methods.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::lsde_test {
namespace {

using support::Matrix;

const LandmarkOptions twelve{.landmarks = 12};

Embedding embed(const Points& points, const LsdeOptions& options, const LandmarkOptions* landmarks = &twelve,
                const RunContext& context = {}) {
    return landmark_semidefinite_embedding(points.view(), options, context, {}, landmarks);
}

/// Distances to neighbours, over what they were.
std::vector<double> kept_ratios(const Points& points, const Points& outputs, Index neighbors) {
    std::vector<double> ratios;
    const NeighborLists lists = reference::euclidean_lists(points, neighbors);
    const Matrix x = support::to_matrix(points);
    const Matrix y = support::to_matrix(outputs);
    for (Index i = 0; i < points.count(); ++i) {
        for (const Index j : lists[i]) {
            ratios.push_back((y.row(i) - y.row(j)).norm() / (x.row(i) - x.row(j)).norm());
        }
    }
    std::sort(ratios.begin(), ratios.end());
    return ratios;
}

TEST(Lsde, IsItsStepsOneAfterTheOther) {
    const Points points = support::sheet(250, true).points;
    const Embedding result = embed(points, {.dimension = 2, .neighbors = 5});
    const std::vector<Index> landmarks =
        choose_landmarks(ViewRows(points.view()), 12, LandmarkSelection::Random, 0, {});
    const MultiVector<double> q = landmark_reconstruction(
        barycentric_weights(points.view(), reference::euclidean_lists(points, 10), 1e-3), landmarks);
    const DistanceConstraints constraints =
        distance_constraints(points.view(), reference::euclidean_lists(points, 5), KeptPairs::Neighbors);
    const LandmarkUnfolding unfolded = landmark_unfolding(q, constraints, {});
    const Matrix truth = support::to_matrix(unfolded.unfolding.outputs).leftCols(2);
    EXPECT_LT(support::difference(support::to_matrix(result.coordinates), truth), 1e-5 * truth.norm());
    EXPECT_EQ(result.summary.value("constraints"), static_cast<double>(constraints.size()));
    EXPECT_EQ(result.summary.value("landmarks"), 12.0);
    EXPECT_NEAR(result.summary.value("trace"), unfolded.unfolding.trace, 1e-5 * unfolded.unfolding.trace);
}

TEST(Lsde, UnrollsASheetAndSuggestsTwoDimensions) {
    const support::Sheet sheet = support::sheet(1000, true);
    const LandmarkOptions spread{.landmarks = 16, .selection = LandmarkSelection::Farthest};
    const Embedding result = embed(sheet.points, {.dimension = 2}, &spread);
    EXPECT_EQ(result.summary.termination, Termination::Converged);
    EXPECT_LT(support::procrustes_error(support::to_matrix(result.coordinates), sheet.truth), 0.1);
    EXPECT_EQ(result.summary.value("suggested_dimension"), 2.0);
    const std::vector<double> ratios = kept_ratios(sheet.points, result.coordinates, 6);
    EXPECT_LE(ratios.back(), 1.0 + 1e-4);
    EXPECT_GT(ratios[ratios.size() / 2], 0.9);
    EXPECT_LT(result.summary.value("duality_gap"), 2e-3);
    EXPECT_LT(result.summary.value("largest_violation"), 1e-9);
}

/// There are as many landmarks as points: every point for itself, at most 20 of them here.
TEST(Lsde, TakesAllPointsForLandmarksWhereTheyAreFew) {
    const Points points = support::sheet(20, false).points;
    const Embedding result = embed(points, {.dimension = 2, .neighbors = 4}, nullptr);
    EXPECT_EQ(result.summary.value("landmarks"), 20.0);
    EXPECT_LE(kept_ratios(points, result.coordinates, 4).back(), 1.0 + 1e-4);
}

TEST(Lsde, CollinearPointsHaveOneDimension) {
    Points points(80, 4);
    for (Index i = 0; i < 80; ++i) {
        points[i][0] = static_cast<float>(i);
        points[i][2] = static_cast<float>(2 * i);
    }
    const Embedding result = embed(points, {.dimension = 3});
    EXPECT_EQ(result.summary.termination, Termination::Converged);
    EXPECT_EQ(result.summary.value("suggested_dimension"), 1.0);
    EXPECT_FALSE(result.summary.warnings.empty());
    double largest = 0.0;
    for (Index i = 0; i < 80; ++i) {
        largest = std::max(largest, std::abs(double{result.coordinates[i][0]}));
        EXPECT_EQ(result.coordinates[i][2], 0.0F);
    }
    EXPECT_NEAR(largest, 39.5 * std::sqrt(5.0), 1.0);
}

TEST(Lsde, EqualPointsAreOne) {
    const Points once = support::sheet(150, true).points;
    std::vector<Index> rows = reference::every_point(150);
    for (const Index again : {3, 3, 77, 149, 12}) {
        rows.push_back(again);
    }
    const Points twice = read_rows(ViewRows(once.view()), rows);
    const Embedding alone = embed(once, {.dimension = 2});
    const Embedding result = embed(twice, {.dimension = 2});
    EXPECT_EQ(result.summary.value("duplicates"), 5.0);
    ASSERT_EQ(result.coordinates.count(), 155U);
    for (Index i = 0; i < 155; ++i) {
        EXPECT_TRUE(std::ranges::equal(result.coordinates[i], alone.coordinates[rows[i]])) << i;
    }
    const NeighborLists lists = reference::euclidean_lists(twice, 20);
    EXPECT_THROW(
        (void)landmark_semidefinite_embedding(twice.view(), {.dimension = 2}, {}, {.neighbors = &lists}, &twelve),
        InputError);
}

TEST(Lsde, PartsAreRefusedOrBridged) {
    Points points = support::sheet(200, false).points;
    for (Index i = 120; i < 200; ++i) {
        points[i][0] += 10.0F;
    }
    try {
        (void)embed(points, {.dimension = 2, .components = ComponentPolicy::Error});
        FAIL();
    } catch (const InputError& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("2 components"), std::string::npos) << text;
        EXPECT_NE(text.find("120, 80"), std::string::npos) << text;
    }
    const Embedding bridged = embed(points, {.dimension = 2, .components = ComponentPolicy::Bridge});
    EXPECT_EQ(bridged.summary.value("bridges"), 1.0);
    EXPECT_EQ(bridged.summary.termination, Termination::Converged);
    // One distance joins the parts: they are no farther apart.
    const Matrix x = support::to_matrix(points);
    const Matrix y = support::to_matrix(bridged.coordinates);
    double shortest = 1e9;
    double same = 0.0;
    for (Index i = 0; i < 120; ++i) {
        for (Index j = 120; j < 200; ++j) {
            if ((x.row(i) - x.row(j)).norm() < shortest) {
                shortest = (x.row(i) - x.row(j)).norm();
                same = (y.row(i) - y.row(j)).norm();
            }
        }
    }
    EXPECT_LE(same, shortest * (1.0 + 1e-4));
    EXPECT_GT(same, shortest * 0.9);
}

TEST(Lsde, GivesTheBestSoFarWhenTimeIsUpInARound) {
    const Points points = support::sheet(300, true).points;
    std::stop_source stop;
    RunContext context{.stop = stop.get_token()};
    context.on_iteration = [&](const Progress& progress) {
        if (progress.phase == "unfolding" && progress.done == 2) {
            stop.request_stop();
        }
    };
    const Embedding result = embed(points, {.dimension = 2}, &twelve, context);
    EXPECT_EQ(result.summary.termination, Termination::Cancelled);
    EXPECT_EQ(result.coordinates.count(), 300U);
    EXPECT_LE(kept_ratios(points, result.coordinates, 6).back(), 1.0 + 1e-4);
    EXPECT_GT(result.summary.value("duality_gap"), 0.0);
    // Before the first round there is nothing to give.
    const Embedding nothing = embed(points, {.dimension = 2}, &twelve, context);
    EXPECT_TRUE(nothing.coordinates.empty());
    EXPECT_EQ(nothing.summary.termination, Termination::Cancelled);
}

TEST(Lsde, OptionsCount) {
    const Points points = support::sheet(250, true).points;
    const Embedding usual = embed(points, {.dimension = 2});
    const auto differs = [&](const LsdeOptions& options) {
        return !std::ranges::equal(embed(points, options).coordinates.values(), usual.coordinates.values());
    };
    EXPECT_TRUE(differs({.dimension = 2, .neighbors = 8}));
    EXPECT_TRUE(differs({.dimension = 2, .seed = 1}));
    const Embedding loose = embed(points, {.dimension = 2, .tolerance = 0.5});
    EXPECT_LT(loose.summary.value("rounds"), usual.summary.value("rounds"));
    const LandmarkOptions far{.landmarks = 12, .selection = LandmarkSelection::Farthest};
    EXPECT_FALSE(
        std::ranges::equal(embed(points, {.dimension = 2}, &far).coordinates.values(), usual.coordinates.values()));
}

TEST(Lsde, ChoosesANumberOfLandmarks) {
    EXPECT_EQ(default_lsde_landmarks(10, 2), 10U);
    EXPECT_GT(default_lsde_landmarks(100000, 2), 2U);
    EXPECT_GT(default_lsde_landmarks(100000, 500), 500U);
    EXPECT_EQ(default_lsde_landmarks(100000, 2), default_lsde_landmarks(1000, 2));
}

TEST(Lsde, RefusesLandmarksThatCannotServe) {
    const Points points = support::sheet(60, false).points;
    const LandmarkOptions few{.landmarks = 2};
    const LandmarkOptions many{.landmarks = 61};
    const LandmarkOptions other{.landmarks = 10, .extension = LandmarkExtension::Weights};
    const LandmarkOptions all{.landmarks = 60};
    EXPECT_THROW((void)embed(points, {.dimension = 2}, &few), InvalidArgument);
    EXPECT_THROW((void)embed(points, {.dimension = 2}, &many), InvalidArgument);
    EXPECT_THROW((void)embed(points, {.dimension = 2}, &other), InvalidArgument);
    EXPECT_NO_THROW((void)embed(points, {.dimension = 2, .tolerance = 1.0}, &all));
    EXPECT_THROW((void)embed(points, {.dimension = 2, .neighbors = 60}), InvalidArgument);
}

}  // namespace
}  // namespace isogon::lsde_test
