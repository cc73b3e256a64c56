#include "isogon/transform/barycentric_mixture.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"
#include "isogon/methods/model.hpp"
#include "isogon/methods/spectral.hpp"
#include "reference/point_sets.hpp"
#include "support/spectral_methods.hpp"

namespace isogon::barycentric_mixture_test {

namespace {

Archive model_of(const Points& points, const LandmarkOptions* landmarks) {
    const Embedding fitted = laplacian_eigenmaps(points.view(), {.dimension = 2, .neighbors = 8}, {}, {}, landmarks);
    return make_model("laplacian", points.view(), fitted, Store::Map);
}

TEST(BarycentricMixture, GivesFittedRowsTheirCoordinatesBitForBit) {
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

}  // namespace isogon::barycentric_mixture_test
