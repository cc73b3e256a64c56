#include <gtest/gtest.h>

#include "isogon/core/error.hpp"
#include "isogon/methods/spectral.hpp"

namespace isogon::isomap_options_test {
namespace {

std::string refusal(const IsomapOptions& options) {
    try {
        isomap_option_table().validate(options);
        return "";
    } catch (const InvalidArgument& error) {
        return error.field();
    }
}

TEST(IsomapOptions, DefaultsAreGoodAndValuesOutOfBoundsAreRefusedByName) {
    EXPECT_EQ(refusal({}), "");
    EXPECT_EQ(refusal({.dimension = 0}), "dimension");
    EXPECT_EQ(refusal({.neighbors = 0}), "neighbors");
    EXPECT_EQ(refusal({.tolerance = -1.0}), "tolerance");
    EXPECT_EQ(refusal({.iterations = 0}), "iterations");
    EXPECT_EQ(refusal({.threshold = 0.5}), "threshold") << "has no effect on the graph of neighbours";
    EXPECT_EQ(refusal({.graph = IsomapGraph::Tsm, .neighbors = 5}), "neighbors") << "has no effect on the graph of tsm";
}

}  // namespace
}  // namespace isogon::isomap_options_test
