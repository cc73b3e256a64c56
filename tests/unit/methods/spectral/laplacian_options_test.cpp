#include <gtest/gtest.h>

#include "isogon/core/error.hpp"
#include "isogon/methods/spectral.hpp"

namespace isogon::laplacian_options_test {
namespace {

std::string refusal(const LaplacianOptions& options) {
    try {
        laplacian_option_table().validate(options);
        return "";
    } catch (const InvalidArgument& error) {
        return error.field();
    }
}

TEST(LaplacianOptions, DefaultsAreGoodAndValuesOutOfBoundsAreRefusedByName) {
    EXPECT_EQ(refusal({}), "");
    EXPECT_EQ(refusal({.dimension = 0}), "dimension");
    EXPECT_EQ(refusal({.neighbors = 0}), "neighbors");
    EXPECT_EQ(refusal({.tolerance = -1.0}), "tolerance");
    EXPECT_EQ(refusal({.iterations = 0}), "iterations");
    EXPECT_EQ(refusal({.sigma = 0.0}), "sigma");
    EXPECT_EQ(refusal({.affinity = AffinityKind::Connectivity, .sigma = 1.0}), "sigma") << "has no effect there";
    EXPECT_EQ(refusal({.perplexity = 3.0}), "perplexity") << "has no effect there";
}

}  // namespace
}  // namespace isogon::laplacian_options_test
