#include "methods/layout_outputs.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "isogon/methods/model.hpp"
#include "reference/point_sets.hpp"
#include "support/layouts.hpp"

namespace isogon::layout_outputs_test {
namespace {

TEST(LayoutOutputs, CoordinatesAreTheOutputsInFloat) {
    const WideVectors y = support::random_outputs(20, 3, 1.0);
    const Points points = to_coordinates(y);
    ASSERT_EQ(points.count(), 20U);
    EXPECT_EQ(points[7][2], static_cast<float>(y.at(7, 2)));
}

TEST(LayoutOutputs, FittedPointsAreTheirOwnMixtures) {
    for (const Index count : {2, 5, 40}) {
        const Points x = reference::random_points(count, 4, 1);
        Embedding fitted;
        fitted.coordinates = to_coordinates(support::random_outputs(count, 2, 1.0));
        fitted.barycentric_map = mixture_of_nearest(fitted.coordinates);
        EXPECT_EQ(fitted.barycentric_map->neighbors, std::min<Index>(10, count - 1));
        const Transformer transformer(make_model("pca-forces", x.view(), fitted, Store::Map), {});
        EXPECT_TRUE(
            std::ranges::equal(transformer.transform(x.view(), {}).coordinates.values(), fitted.coordinates.values()));
    }
}

TEST(LayoutOutputs, ThreeDigits) {
    EXPECT_EQ(rounded(0.123456), "0.123");
    EXPECT_EQ(rounded(1.5e-7), "1.5e-07");
}

}  // namespace
}  // namespace isogon::layout_outputs_test
