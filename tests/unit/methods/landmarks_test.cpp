#include "isogon/methods/landmarks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "isogon/core/error.hpp"
#include "isogon/methods/model.hpp"
#include "reference/point_sets.hpp"
#include "support/matching_examples.hpp"

namespace isogon {
namespace {

using reference::on_threads;

Points example() {
    return support::clustered_points(200, 10, 8, 0.6, 5);
}

OptionValues options_of_fit() {
    return {{"dimension", std::int64_t{4}},
            {"threshold", 0.6},
            {"iterations", std::int64_t{15}},
            {"seed", std::int64_t{3}}};
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
        Result result;
        result.fit = fit_landmarks(method(), rows, options_of_fit(), options, on_threads(threads));
        result.coordinates = Points(points_.count(), 4);
        PointsSink sink(result.coordinates);
        result.summary = extend_landmarks(method(), result.fit, options.extension, rows, sink, on_threads(threads));
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
    const Transformer transformer(make_model(method().name, fit.inputs.view(), fit.fitted, Store::Map), {});
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

TEST_P(EveryLandmarkMethod, EveryExtensionIsThatOfTheModelAndKeepsTheLandmarks) {
    for (const auto extension : {LandmarkExtension::Weights, LandmarkExtension::LocallyLinear}) {
        const Result result = embed(2, {.landmarks = 80, .extension = extension});
        const LandmarkFit& fit = result.fit;
        std::vector<Index> others;
        for (Index i = 0; i < 200; ++i) {
            if (std::ranges::find(fit.rows, i) == fit.rows.end()) {
                others.push_back(i);
            }
        }
        const Points rows = read_rows(ViewRows(points_.view()), others);
        Transformer transformer(make_model(method().name, fit.inputs.view(), fit.fitted, Store::Map), {});
        Points expected;
        if (extension == LandmarkExtension::LocallyLinear) {
            expected = transformer.extend(rows.view(), {}, on_threads(1)).coordinates;
        } else {
            transformer.use_weights({});
            expected = transformer.transform(rows.view(), on_threads(1)).coordinates;
        }
        for (Index i = 0; i < expected.count(); ++i) {
            ASSERT_TRUE(std::ranges::equal(result.coordinates[others[i]], expected[i])) << others[i];
        }
        for (Index l = 0; l < 80; ++l) {
            ASSERT_TRUE(std::ranges::equal(result.coordinates[fit.rows[l]], fit.fitted.coordinates[l]));
        }
        EXPECT_EQ(result.summary.value("landmarks"), 80.0);
        EXPECT_EQ(result.summary.value("placed"), 120.0);
    }
}

TEST_P(EveryLandmarkMethod, AJointExtensionStatesTheMemoryOfAllPoints) {
    const ViewRows rows(points_.view());
    const LandmarkFit fit = fit_landmarks(method(), rows, options_of_fit(), {.landmarks = 80}, on_threads(1));
    Points coordinates(200, 4);
    PointsSink sink(coordinates);
    RunContext context = on_threads(1);
    context.memory_limit = 20000;
    EXPECT_THROW((void)extend_landmarks(method(), fit, LandmarkExtension::LocallyLinear, rows, sink, context),
                 LimitExceeded);
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

TEST_P(EveryLandmarkMethod, SelectionsDiffer) {
    EXPECT_NE(embed(1).fit.rows, embed(1, {.landmarks = 80, .selection = LandmarkSelection::KMeansPlusPlus}).fit.rows);
}

TEST_P(EveryLandmarkMethod, StatesTheMemoryOfAllStepsFirst) {
    const ViewRows rows(points_.view());
    RunContext context = on_threads(1);
    context.memory_limit = 10000;
    EXPECT_THROW((void)fit_landmarks(method(), rows, options_of_fit(), {.landmarks = 80}, context), LimitExceeded);
}

TEST_P(EveryLandmarkMethod, AStopIsToldWhereItCame) {
    const ViewRows rows(points_.view());
    std::stop_source stop;
    RunContext context = on_threads(1);
    context.stop = stop.get_token();
    const LandmarkFit fit = fit_landmarks(method(), rows, options_of_fit(), {.landmarks = 80}, context);
    stop.request_stop();
    Points coordinates(200, 4);
    PointsSink sink(coordinates);
    EXPECT_EQ(extend_landmarks(method(), fit, LandmarkExtension::Placement, rows, sink, context).termination,
              Termination::Cancelled);
    const LandmarkOptions spread{.landmarks = 80, .selection = LandmarkSelection::KMeansPlusPlus};
    const LandmarkFit none = fit_landmarks(method(), rows, options_of_fit(), spread, context);
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
    EXPECT_EQ(refusal("faithful", {}, 2), "");
    EXPECT_EQ(refusal("tsm", {}, 99), "");
    for (const int count : {-1, 0, 1, 100, 5000}) {
        EXPECT_NE(refusal("faithful", {}, count), "") << count;
    }
    EXPECT_NE(refusal("faithful", {}, 100).find("below 100, the number of points"), std::string::npos);
    EXPECT_NE(refusal("svd", {}, 10).find("svd has none; tsm and faithful"), std::string::npos);
    EXPECT_NE(refusal("faithful", {{"output-for", std::string("inner-product")}}, 10).find("inner-product"),
              std::string::npos);
}

}  // namespace
}  // namespace isogon
