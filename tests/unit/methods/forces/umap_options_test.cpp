#include "methods/forces/umap_options.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"

namespace isogon::umap_options_test {

namespace {

TEST(UmapOptions, EpochsAndNeighborsAreResolvedForThePoints) {
    Summary summary;
    EXPECT_EQ(completed({}, UmapOptions::few_points, false, summary).epochs, UmapOptions::epochs_of_few);
    EXPECT_EQ(completed({}, UmapOptions::few_points + 1, false, summary).epochs, UmapOptions::epochs_of_many);
    EXPECT_EQ(completed({.epochs = 3}, 100, false, summary).epochs, 3);
    EXPECT_TRUE(summary.warnings.empty());
    EXPECT_EQ(completed({}, 10, false, summary).neighbors, 9);
    EXPECT_EQ(summary.warnings.size(), 1U);
    EXPECT_EQ(completed({}, 10, true, summary).neighbors, 9);
    EXPECT_EQ(summary.warnings.size(), 1U) << "neighbours do not matter where edges are given";
}

TEST(UmapOptions, ValuesOutOfBoundsAreRefused) {
    Summary summary;
    EXPECT_THROW((void)completed({.neighbors = 0}, 100, false, summary), InvalidArgument);
    EXPECT_THROW((void)completed({.spread = 0.0}, 100, false, summary), InvalidArgument);
    EXPECT_THROW((void)completed({.kernel = UmapKernel::Cauchy, .spread = 2.0}, 100, false, summary), InvalidArgument);
}

TEST(UmapOptions, ThoseOfEdgesKnowWhetherTheUserSetThem) {
    for (const EdgeOption& option : edge_options({})) {
        EXPECT_FALSE(option.asked_for) << option.name;
    }
    const auto options = edge_options({.neighbors = 7});
    ASSERT_EQ(options[0].name, "neighbors");
    EXPECT_EQ(options[0].value, "7");
    EXPECT_TRUE(options[0].asked_for);
}

}  // namespace

}  // namespace isogon::umap_options_test
