#include "methods/joint_extension.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "isogon/core/error.hpp"
#include "isogon/methods/laplacian.hpp"
#include "isogon/methods/model.hpp"
#include "isogon/methods/registry.hpp"
#include "isogon/neighbors/exact_neighbors.hpp"
#include "reference/point_sets.hpp"
#include "support/matching_examples.hpp"
#include "support/spectral_methods.hpp"

namespace isogon::joint_extension_test {

namespace {

using reference::on_threads;
using support::to_matrix;

/// Clustered points, of which the first 40 are new and the others fitted, with crude coordinates.
struct Example {
    Points all = support::clustered_points(160, 12, 8, 0.6, 5);
    PointsView rows{all.view()[0].data(), 40, 12};
    PointsView inputs{all.view()[40].data(), 120, 12};
    Points coordinates = reference::truncated(support::to_points(to_matrix(inputs)), 4);

    [[nodiscard]] Extended extend(const LocallyLinearOptions& options = {}, const RunContext& context = {}) const {
        return extend_jointly(rows, inputs, coordinates.view(), options, context);
    }
};

TEST(JointExtension, IsTheExtensionFromTheFittedPoints) {
    const Example example;
    const Extended result = example.extend();
    std::vector<Index> landmarks(120);
    std::iota(landmarks.begin(), landmarks.end(), Index{40});
    const auto expected = extend_locally_linearly(example.all.view(), landmarks, example.coordinates.view(),
                                                  exact_neighbors(example.all.view(), 16, Metric::Cosine));
    ASSERT_EQ(result.coordinates.count(), 40);
    EXPECT_EQ(to_matrix(result.coordinates), to_matrix(expected.outputs).topRows(40));
    EXPECT_EQ(result.summary.value("landmarks"), 120.0);
    EXPECT_EQ(result.summary.value("unknown"), 40.0);
    EXPECT_EQ(result.summary.seconds.front().first, "neighbors");
}

TEST(JointExtension, TakesTheUsersOwnLists) {
    const Example example;
    const NeighborLists lists = exact_neighbors(example.all.view(), 20, Metric::Euclidean);
    const Extended result = extend_jointly(example.rows, example.inputs, example.coordinates.view(), {}, {}, &lists);
    std::vector<Index> landmarks(120);
    std::iota(landmarks.begin(), landmarks.end(), Index{40});
    const auto expected =
        extend_locally_linearly(example.all.view(), landmarks, example.coordinates.view(), lists).outputs;
    EXPECT_EQ(to_matrix(result.coordinates), to_matrix(expected).topRows(40));
    EXPECT_NE(to_matrix(result.coordinates), to_matrix(example.extend().coordinates));
}

TEST(JointExtension, DoesNotDependOnThreads) {
    const Example example;
    EXPECT_EQ(to_matrix(example.extend({}, on_threads(1)).coordinates),
              to_matrix(example.extend({}, on_threads(3)).coordinates));
}

TEST(JointExtension, EndsWhereItIsToldAndRefusesWhatCannotBe) {
    Example example;
    std::stop_source source;
    source.request_stop();
    RunContext stopped;
    stopped.stop = source.get_token();
    const Extended none = example.extend({}, stopped);
    EXPECT_TRUE(none.coordinates.empty());
    EXPECT_EQ(none.summary.termination, Termination::Cancelled);
    RunContext little;
    little.memory_limit = 1000;
    EXPECT_THROW((void)example.extend({}, little), LimitExceeded);
    EXPECT_THROW((void)example.extend({.ridge = -1.0}), InvalidArgument);
    example.all[3][2] = NAN;
    EXPECT_THROW((void)example.extend(), InputError);
    example.rows.count = 0;
    EXPECT_TRUE(example.extend().coordinates.empty());
}

Archive model_of(const std::string& method, const Points& x) {
    OptionValues options{{"dimension", std::int64_t{4}}};
    if (method == "tsm" || method == "faithful") {
        options["threshold"] = 0.6;
        options["iterations"] = std::int64_t{20};
    }
    const Embedding fitted = find_method(method).embed(x.view(), options, on_threads(1));
    return make_model(method, x.view(), fitted, Store::Map);
}

TEST(TransformerWays, MixAndExtendFromModelsWithLandmarks) {
    const Example example;
    const Points fitted = support::to_points(to_matrix(example.inputs));
    for (const std::string method : {"tsm", "faithful"}) {
        Transformer transformer(model_of(method, fitted), {});
        const PointsView coordinates(transformer.model().numbers<float>("coordinates", {120, 4}).data(), 120, 4);
        EXPECT_FALSE(transformer.linear());
        const Points mixed = mix_landmark_outputs(example.rows, example.inputs, coordinates, {.neighbors = 9});
        transformer.use_weights({.neighbors = 9});
        EXPECT_EQ(to_matrix(transformer.transform(example.rows, {}).coordinates), to_matrix(mixed));
        const Extended extended = extend_jointly(example.rows, example.inputs, coordinates, {.neighbors = 9}, {});
        EXPECT_EQ(to_matrix(transformer.extend(example.rows, {.neighbors = 9}, {}).coordinates),
                  to_matrix(extended.coordinates));
        const PointsView narrow(example.rows.data, 5, 7, 12);
        EXPECT_THROW((void)transformer.transform(narrow, {}), InvalidArgument);
        EXPECT_THROW(transformer.use_weights({.ridge = 0.0}), InvalidArgument);
        EXPECT_THROW((void)transformer.extend(narrow, {}, {}), InvalidArgument);
    }
}

TEST(TransformerWays, LinearModelsHaveOneOnly) {
    const Example example;
    for (const std::string method : {"svd", "pca"}) {
        Transformer transformer(model_of(method, support::to_points(to_matrix(example.inputs))), {});
        EXPECT_TRUE(transformer.linear());
        EXPECT_THROW(transformer.use_weights({}), InvalidArgument);
        EXPECT_THROW((void)transformer.extend(example.rows, {}, {}), InvalidArgument);
    }
}

/// Clustered points with crude coordinates for every other one.
struct LandmarkExample {
    LandmarkExample() {
        for (Index i = 0; i < points.count(); i += 2) {
            fit.rows.push_back(i);
        }
        fit.inputs = read_rows(ViewRows(points.view()), fit.rows);
        fit.fitted.coordinates = reference::truncated(fit.inputs, 3);
        fit.fitted.summary.message = "fitted";
    }

    Summary extend(Points& into, const RunContext& context = {}, const NeighborLists* lists = nullptr) {
        PointsSink sink(into);
        return extend_by_llx(fit, ViewRows(points.view()), sink, {}, context, lists);
    }

    Points points = support::clustered_points(150, 10, 8, 0.6, 5);
    LandmarkFit fit;
};

TEST(JointLandmarks, KeepWhatTheFitSaidAndAddToIt) {
    LandmarkExample example;
    Points all(150, 3);
    const Summary summary = example.extend(all);
    EXPECT_EQ(summary.message, "fitted");
    EXPECT_EQ(summary.value("landmarks"), 75.0);
    EXPECT_EQ(summary.value("placed"), 75.0);
    EXPECT_GT(summary.value("extension_iterations"), 0.0);
    for (Index l = 0; l < 75; ++l) {
        EXPECT_TRUE(std::ranges::equal(all[2 * l], example.fit.fitted.coordinates[l]));
    }
}

TEST(JointLandmarks, AStoppedExtensionWritesNothingAndSaysSo) {
    LandmarkExample example;
    Points all(150, 3);
    RunContext context;
    context.limit_seconds(0.0);
    const Summary summary = example.extend(all, context);
    EXPECT_EQ(summary.termination, Termination::TimeLimit);
    EXPECT_NE(summary.message, "fitted");
    EXPECT_TRUE(std::ranges::all_of(all.values(), [](float value) { return value == 0.0F; }));
}

TEST(JointLandmarks, TooLittleMemoryAndTooShortListsAreRefused) {
    LandmarkExample example;
    Points all(150, 3);
    RunContext context;
    context.memory_limit = 1000;
    EXPECT_THROW((void)example.extend(all, context), LimitExceeded);
    context.memory_limit = 20000;  // the points fit, the rest does not
    EXPECT_THROW((void)example.extend(all, context), LimitExceeded);
    const NeighborLists lists = exact_neighbors(example.points.view(), 3, Metric::Cosine);
    EXPECT_THROW((void)example.extend(all, {}, &lists), InvalidArgument);
}

Archive model_of(const Points& points, const LandmarkOptions* landmarks) {
    const Embedding fitted = laplacian_eigenmaps(points.view(), {.dimension = 2, .neighbors = 8}, {}, {}, landmarks);
    return make_model("laplacian", points.view(), fitted, Store::Map);
}

TEST(LandmarkMixture, GivesFittedRowsTheirCoordinatesBitForBit) {
    const Points points = reference::random_points(120, 4, 1);
    const LandmarkOptions landmarks{.landmarks = 40};
    const Embedding fitted = laplacian_eigenmaps(points.view(), {.dimension = 2, .neighbors = 8}, {}, {}, &landmarks);
    const Transformer transformer(make_model("laplacian", points.view(), fitted, Store::Map), {});
    EXPECT_EQ(transformer.input_dimension(), 4U);
    EXPECT_EQ(transformer.output_dimension(), 2U);
    // On landmarks every point is a mixture, so that transform repeats the fit.
    const Points again = transformer.transform(points.view(), {}).coordinates;
    EXPECT_LT(support::difference(support::to_matrix(again), support::to_matrix(fitted.coordinates)), 1e-6);
}

TEST(LandmarkMixture, TreatsEveryRowByItself) {
    const Points points = reference::random_points(120, 4, 2);
    const Points others = reference::random_points(30, 4, 3);
    const Transformer transformer(model_of(points, nullptr), {});
    const Points together = transformer.transform(others.view(), {.threads = 3}).coordinates;
    for (Index i = 0; i < 30; ++i) {
        const PointsView one{others[i].data(), 1, 4};
        const Points alone = transformer.transform(one, {.threads = 1}).coordinates;
        EXPECT_TRUE(std::equal(alone[0].begin(), alone[0].end(), together[i].begin()));
    }
}

TEST(LandmarkMixture, RefusesWaysOfOtherModelsAndBrokenFiles) {
    const Points points = reference::random_points(60, 4, 4);
    const Archive model = model_of(points, nullptr);
    Transformer transformer(model, {});
    EXPECT_THROW(transformer.use_weights({}), InvalidArgument);
    EXPECT_THROW((void)transformer.extend(points.view(), {}, {}), InvalidArgument);
    Archive broken = model;
    broken.arrays.erase("neighbors");
    broken.add_number("neighbors", 61.0);
    EXPECT_THROW(Transformer(broken, {}), InputError);
    broken = model;
    broken.notes["metric"] = "taxi";
    EXPECT_THROW(Transformer(broken, {}), InputError);
}

}  // namespace

}  // namespace isogon::joint_extension_test
