#include "methods/forces/mixture_of_nearest.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "isogon/linalg/multi_vector.hpp"
#include "isogon/methods/model.hpp"
#include "reference/point_sets.hpp"
#include "support/layouts.hpp"

namespace isogon::mixture_of_nearest_test {

namespace {

TEST(MixtureOfNearest, FittedPointsAreTheirOwnMixtures) {
    for (const Index count : {2, 5, 40}) {
        const Points x = reference::random_points(count, 4, 1);
        Embedding fitted;
        fitted.coordinates = to_points(support::random_outputs(count, 2, 1.0));
        fitted.barycentric_map = mixture_of_nearest(fitted.coordinates);
        EXPECT_EQ(fitted.barycentric_map->neighbors, std::min<Index>(10, count - 1));
        const Transformer transformer(make_model("pca-forces", x.view(), fitted, Store::Map), {});
        EXPECT_TRUE(
            std::ranges::equal(transformer.transform(x.view(), {}).coordinates.values(), fitted.coordinates.values()));
    }
}

}  // namespace

}  // namespace isogon::mixture_of_nearest_test
