#include "report/list_nearness.hpp"

#include <gtest/gtest.h>

namespace isogon::list_nearness_test {
namespace {

TEST(ListNearness, IsAsAsked) {
    EXPECT_FALSE(goes_by_distance(ListNearness::Angle, ReportRun{.method = "tsne"}));
    EXPECT_TRUE(goes_by_distance(ListNearness::Distance, ReportRun{.method = "faithful"}));
    EXPECT_TRUE(goes_by_distance(ListNearness::Distance, {}));
}

TEST(ListNearness, SuitsTheMethod) {
    for (const char* method : {"faithful", "tsm", "svd", "nmf"}) {
        EXPECT_TRUE(keeps_angles({.method = method})) << method;
        EXPECT_FALSE(goes_by_distance(ListNearness::Auto, ReportRun{.method = method})) << method;
    }
    for (const char* method : {"tsne", "umap", "isomap", "pca", "laplacian"}) {
        EXPECT_TRUE(goes_by_distance(ListNearness::Auto, ReportRun{.method = method})) << method;
    }
}

TEST(ListNearness, OfUnknownCoordinatesIsByAngle) {
    EXPECT_FALSE(goes_by_distance(ListNearness::Auto, {}));
}

}  // namespace
}  // namespace isogon::list_nearness_test
