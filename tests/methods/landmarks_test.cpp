#include "isogon/methods/landmarks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "isogon/core/error.hpp"
#include "isogon/methods/model.hpp"
#include "isogon/registry/registry.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "reference/point_sets.hpp"
#include "support/matching_examples.hpp"
#include "transform/locally_linear_extension.hpp"

namespace isogon::landmarks_test {
namespace {

using reference::on_threads;

Points example() {
    return support::clustered_points(200, 10, 8, 0.6, 5);
}

OptionValues options_of_fit() {
    return {{"dimension", std::int64_t{4}}, {"iterations", std::int64_t{15}}, {"seed", std::int64_t{3}}};
}

class EveryLandmarkMethod : public testing::TestWithParam<std::string> {
protected:
    [[nodiscard]] static const Method& method() { return find_method(GetParam()); }
    struct Result {
        LandmarkFit fit;
        Points coordinates;
        Summary summary;
    };
    [[nodiscard]] Result embed(int threads, const LandmarkOptions& options = {.landmarks = 80}) const {
        const ViewRows rows(points_.view());
        const RunContext context = on_threads(threads);
        const LandmarkRun run{method(), rows, options, context};
        Result result;
        result.fit = fit_landmarks(run, options_of_fit());
        result.coordinates = Points(points_.count(), 4);
        PointsSink sink(result.coordinates);
        result.summary = extend_to_all(run, result.fit, sink);
        return result;
    }

    Points points_ = example();
};

TEST_P(EveryLandmarkMethod, LandmarksKeepTheirFitAndOthersArePlaced) {
    points_[199][0] = points_[198][0];
    const Result result = embed(1);
    const LandmarkFit& fit = result.fit;
    ASSERT_EQ(fit.rows.size(), 80U);
    const Points plain = method().embed(fit.inputs.view(), options_of_fit(), on_threads(1)).coordinates;
    const Transformer transformer(make_model(method().name, fit.inputs.view(), fit.fitted), {});
    const Points placed = transformer.transform(points_.view(), on_threads(1)).coordinates;
    for (Index i = 0; i < 200; ++i) {
        const auto found = std::ranges::find(fit.rows, i);
        if (found == fit.rows.end()) {
            ASSERT_TRUE(std::ranges::equal(result.coordinates[i], placed[i])) << i;
            continue;
        }
        const auto l = static_cast<Index>(found - fit.rows.begin());
        ASSERT_TRUE(std::ranges::equal(fit.inputs[l], points_[i]));
        ASSERT_TRUE(std::ranges::equal(result.coordinates[i], plain[l])) << i;
    }
    EXPECT_EQ(result.summary.value("landmarks"), 80.0);
    EXPECT_EQ(result.summary.value("placed"), 120.0);
    EXPECT_EQ(result.summary.value("placed_as_landmark"), 0.0);
    EXPECT_EQ(result.summary.termination, fit.fitted.summary.termination);
    EXPECT_EQ(result.summary.seconds.front().first, "choose landmarks");
}

TEST_P(EveryLandmarkMethod, ALandmarkEqualToAnotherKeepsItsOwnCoordinates) {
    for (Index i = 0; i < 200; i += 2) {  // pairs of equal rows
        std::copy(points_[i].begin(), points_[i].end(), points_[i + 1].begin());
    }
    const Result result = embed(1);
    for (Index l = 0; l < 80; ++l) {
        ASSERT_TRUE(std::ranges::equal(result.coordinates[result.fit.rows[l]], result.fit.fitted.coordinates[l]));
    }
    EXPECT_GT(result.summary.value("placed_as_landmark"), 0.0);
}

TEST_P(EveryLandmarkMethod, SameBitsForAnyThreads) {
    for (const auto selection : {LandmarkSelection::Random, LandmarkSelection::KMeansPlusPlus}) {
        const LandmarkOptions options{.landmarks = 80, .selection = selection};
        const Result one = embed(1, options);
        for (const int threads : {2, 3}) {
            EXPECT_TRUE(std::ranges::equal(embed(threads, options).coordinates.values(), one.coordinates.values()));
        }
    }
}

TEST_P(EveryLandmarkMethod, WeightsAreThoseOfTheTransformer) {
    const Result result = embed(1, {.landmarks = 80, .extension = LandmarkExtension::Weights, .neighbors = 9});
    Transformer transformer(make_model(method().name, result.fit.inputs.view(), result.fit.fitted), {});
    transformer.use_weights({.neighbors = 9});
    const Points mixed = transformer.transform(points_.view(), on_threads(1)).coordinates;
    for (Index i = 0; i < 200; ++i) {
        const auto found = std::ranges::find(result.fit.rows, i);
        const auto l = static_cast<Index>(found - result.fit.rows.begin());
        const auto expected = found == result.fit.rows.end() ? mixed[i] : result.fit.fitted.coordinates[l];
        ASSERT_TRUE(std::ranges::equal(result.coordinates[i], expected)) << i;
    }
    EXPECT_EQ(result.summary.value("placed"), 120.0);
}

TEST_P(EveryLandmarkMethod, LlxIsTheJointExtension) {
    const Result result = embed(1, {.landmarks = 80, .extension = LandmarkExtension::Llx});
    const LandmarkFit& fit = result.fit;
    const NeighborLists lists = exact_neighbors(points_.view(), 16, Metric::Cosine);
    const Points expected =
        extend_locally_linearly(points_.view(), {fit.rows, fit.fitted.coordinates.view()}, lists).outputs;
    EXPECT_TRUE(std::ranges::equal(result.coordinates.values(), expected.values()));
    EXPECT_EQ(result.summary.value("landmarks"), 80.0);
    EXPECT_EQ(result.summary.value("placed"), 120.0);
    EXPECT_GT(result.summary.value("extension_iterations"), 0.0);
    EXPECT_LE(result.summary.value("extension_residual"), 1e-4);
    EXPECT_EQ(result.summary.message, fit.fitted.summary.message);
    EXPECT_EQ(result.summary.termination, fit.fitted.summary.termination);

    // The user's own lists take the place of the search.
    Points again(200, 4);
    PointsSink sink(again);
    const LandmarkOptions options{.landmarks = 80, .extension = LandmarkExtension::Llx};
    const auto extend = [&](const RunContext& context, const NeighborLists* given) {
        (void)extend_to_all({method(), ViewRows(points_.view()), options, context}, fit, sink, given);
    };
    extend({}, &lists);
    EXPECT_TRUE(std::ranges::equal(again.values(), expected.values()));
    const NeighborLists short_lists = exact_neighbors(points_.view(), 3, Metric::Cosine);
    EXPECT_THROW(extend({}, &short_lists), InvalidArgument);
    for (const std::uint64_t limit : {1000, 20000}) {  // in the larger the points fit, the rest does not
        EXPECT_THROW(extend({.memory_limit = limit}, nullptr), LimitExceeded);
    }
}

TEST_P(EveryLandmarkMethod, SelectionsDiffer) {
    EXPECT_NE(embed(1).fit.rows, embed(1, {.landmarks = 80, .selection = LandmarkSelection::KMeansPlusPlus}).fit.rows);
}

TEST_P(EveryLandmarkMethod, StatesTheMemoryOfAllStepsFirst) {
    const ViewRows rows(points_.view());
    RunContext context = on_threads(1);
    context.memory_limit = 10000;
    EXPECT_THROW((void)fit_landmarks({method(), rows, {.landmarks = 80}, context}, options_of_fit()), LimitExceeded);
}

TEST_P(EveryLandmarkMethod, AStopIsToldWhereItCame) {
    const ViewRows rows(points_.view());
    std::stop_source stop;
    RunContext context = on_threads(1);
    context.stop = stop.get_token();
    const LandmarkFit fit = fit_landmarks({method(), rows, {.landmarks = 80}, context}, options_of_fit());
    stop.request_stop();
    Points coordinates(200, 4);
    PointsSink sink(coordinates);
    const auto ends = [&](LandmarkExtension extension) {
        const LandmarkOptions options{.landmarks = 80, .extension = extension};
        return extend_to_all({method(), rows, options, context}, fit, sink).termination;
    };
    EXPECT_EQ(ends(LandmarkExtension::Llx), Termination::Cancelled);
    EXPECT_TRUE(std::ranges::all_of(coordinates.values(), [](float value) { return value == 0.0F; }));
    EXPECT_EQ(ends(LandmarkExtension::Placement), Termination::Cancelled);
    EXPECT_EQ(ends(LandmarkExtension::Weights), Termination::Cancelled);
    const LandmarkOptions spread{.landmarks = 80, .selection = LandmarkSelection::KMeansPlusPlus};
    const LandmarkFit none = fit_landmarks({method(), rows, spread, context}, options_of_fit());
    EXPECT_TRUE(none.fitted.coordinates.empty());
    EXPECT_EQ(none.fitted.summary.termination, Termination::Cancelled);
}

INSTANTIATE_TEST_SUITE_P(Names, EveryLandmarkMethod, testing::Values("faithful", "tsm"));

std::string refusal(const std::string& method, const OptionValues& values, int landmarks) {
    try {
        require_landmarks(find_method(method), values, {.landmarks = landmarks}, 100);
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "";
}

TEST(Landmarks, WhatMakesNoSenseIsRefusedInWords) {
    EXPECT_EQ(refusal("faithful", {{"dimension", std::int64_t{1}}}, 2), "");
    EXPECT_EQ(refusal("faithful", {}, 17), "");
    EXPECT_EQ(refusal("faithful", {}, 16),
              "landmarks = 16: must be above 16, the dimension of the coordinates; raise it, or lower dimension");
    EXPECT_EQ(refusal("tsm", {}, 99), "");
    for (const int count : {-1, 0, 1, 100, 5000}) {
        EXPECT_NE(refusal("faithful", {}, count), "") << count;
    }
    EXPECT_NE(refusal("faithful", {}, 100).find("below 100, the number of points"), std::string::npos);
    EXPECT_THROW(require_landmarks(find_method("tsm"), {}, {.landmarks = 10, .neighbors = 5}, 100), InvalidArgument);
    EXPECT_NE(refusal("svd", {}, 10).find("svd has none; faithful, tsm, lsde and spectral methods have"),
              std::string::npos);
}

}  // namespace
}  // namespace isogon::landmarks_test
