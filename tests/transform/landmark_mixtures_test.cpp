#include "transform/landmark_mixtures.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "isogon/core/error.hpp"
#include "isogon/methods/model.hpp"
#include "methods/spectral.hpp"
#include "reference/point_sets.hpp"
#include "reference/reconstruction.hpp"
#include "support/spectral_methods.hpp"

namespace isogon::landmark_mixtures_test {

namespace {

using support::Matrix;
using support::to_matrix;

struct Example {
    Points landmarks = reference::random_points(70, 9, 1, 0.4);
    Points outputs = reference::random_points(70, 3, 2);
    Points rows = reference::random_points(25, 9, 3, 0.4);

    [[nodiscard]] Matrix mix(const LandmarkWeightOptions& options = {}, const RunContext& context = {}) const {
        return to_matrix(mix_landmark_outputs(rows.view(), {landmarks.view(), outputs.view()}, options, context));
    }
    [[nodiscard]] Matrix expected(Index k, double ridge) const {
        const Matrix x = to_matrix(rows);
        const Matrix l = to_matrix(landmarks);
        return reference::weights(x, l, reference::cosine_lists(x, l, k, false), ridge) * to_matrix(outputs);
    }
};

TEST(LandmarkWeights, MixByEquation14) {
    const Example example;
    EXPECT_LT((example.mix() - example.expected(12, 1e-4)).norm(), 5e-3 * example.expected(12, 1e-4).norm());
    EXPECT_LT((example.mix({.neighbors = 5, .ridge = 0.1}) - example.expected(5, 0.1)).norm(), 1e-4);
    EXPECT_LT((example.mix({.neighbors = 500, .ridge = 0.1}) - example.expected(70, 0.1)).norm(), 1e-4);
}

TEST(LandmarkWeights, GiveARowTheSameBitsInAnyCompany) {
    Example example;
    const Matrix all = example.mix({}, reference::on_threads(1));
    EXPECT_EQ(all, example.mix({}, reference::on_threads(3)));
    const std::vector<Index> order = reference::shuffled(25, 7);
    example.rows = reference::reordered(example.rows, order);
    const Matrix mixed = example.mix();
    for (Index i = 0; i < 25; ++i) {
        EXPECT_EQ(mixed.row(i), all.row(order[i]));
    }
    Points one(1, 9);
    std::copy_n(example.rows[11].begin(), 9, one[0].begin());
    example.rows = one;
    EXPECT_EQ(example.mix().row(0), mixed.row(11));
}

TEST(LandmarkWeights, TwiceTheRowGivesTwiceTheOutputAndZeroGivesZero) {
    Example example;
    const Matrix single = example.mix();
    example.rows = reference::scaled(example.rows, 2.0F);
    EXPECT_EQ(example.mix(), 2.0 * single);
    example.rows = Points(3, 9);
    EXPECT_EQ(example.mix().norm(), 0.0);
}

TEST(LandmarkWeights, BearAwkwardPoints) {
    Example example;
    example.landmarks = reference::awkward_points(70, 9, 5);
    for (Index i = 5; i < 70; i += 6) {  // outputs as long as inputs, or the mixtures leave float32
        for (float& value : example.outputs[i]) {
            value *= 1e-30F;
        }
    }
    EXPECT_TRUE(example.mix({.neighbors = 30}).allFinite());
    example.outputs = reference::random_points(70, 3, 2);
    example.rows = reference::scaled(example.rows, 1e30F);
    EXPECT_FALSE(example.mix({.neighbors = 70}).allFinite());
    example.landmarks = Points(70, 9);
    EXPECT_EQ(example.mix().norm(), 0.0);
}

TEST(LandmarkWeights, CanBeCancelledAndRefuseWhatCannotBe) {
    Example example;
    EXPECT_THROW((void)example.mix({}, reference::cancelled()), Interruption);
    RunContext little;
    little.memory_limit = 1000;
    EXPECT_THROW((void)example.mix({}, little), LimitExceeded);
    EXPECT_THROW((void)example.mix({.neighbors = -1}), InvalidArgument);
    EXPECT_THROW((void)example.mix({.ridge = 0.0}), InvalidArgument);
    example.outputs = Points(69, 3);
    EXPECT_THROW((void)example.mix(), InvalidArgument);
    example.outputs = Points(70, 3);
    example.landmarks = Points();
    EXPECT_THROW((void)example.mix(), InvalidArgument);
    example.landmarks = reference::random_points(70, 8, 1);
    EXPECT_THROW((void)example.mix(), InvalidArgument);
    example.landmarks = reference::random_points(70, 9, 1);
    example.rows[3][3] = NAN;
    EXPECT_THROW((void)example.mix(), InputError);
}

TEST(LandmarkWeights, AreAMapOfNewPoints) {
    const Example example;
    const LandmarkWeights map({example.landmarks.view(), example.outputs.view()}, {.neighbors = 5});
    EXPECT_EQ(to_matrix(map.transform(example.rows.view(), {}).coordinates), example.mix({.neighbors = 5}));
    EXPECT_EQ(map.input_dimension(), 9U);
    EXPECT_EQ(map.output_dimension(), 3U);
    EXPECT_EQ(map.fitted_count(), 70U);
    EXPECT_TRUE(map.only_way().empty());
    EXPECT_THROW(LandmarkWeights({example.landmarks.view(), example.outputs.view()}, {.ridge = 0.0}), InvalidArgument);
}

Archive model_of(const Points& points, const LandmarkOptions* landmarks) {
    const Embedding fitted = laplacian_eigenmaps(points.view(), {.dimension = 2, .neighbors = 8}, {}, {}, landmarks);
    return make_model("laplacian", points.view(), fitted);
}

TEST(BarycentricMixture, GivesFittedRowsTheirCoordinatesBitForBit) {
    const Points points = reference::random_points(120, 4, 1);
    const LandmarkOptions landmarks{.landmarks = 40};
    const Embedding fitted = laplacian_eigenmaps(points.view(), {.dimension = 2, .neighbors = 8}, {}, {}, &landmarks);
    const Transformer transformer(make_model("laplacian", points.view(), fitted), {});
    EXPECT_EQ(transformer.input_dimension(), 4U);
    EXPECT_EQ(transformer.output_dimension(), 2U);
    // On landmarks every point is a mixture, so that transform repeats the fit.
    const Points again = transformer.transform(points.view(), {}).coordinates;
    EXPECT_LT(support::difference(support::to_matrix(again), support::to_matrix(fitted.coordinates)), 1e-6);
}

TEST(BarycentricMixture, TreatsEveryRowByItself) {
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

TEST(BarycentricMixture, RefusesWaysOfOtherModelsAndBrokenFiles) {
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

}  // namespace isogon::landmark_mixtures_test
