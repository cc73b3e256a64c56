#include <gtest/gtest.h>

#include "isogon/methods/tsm.hpp"
#include "support/embeddings.hpp"

namespace isogon::tsm_options_test {
namespace {

std::string refusal(const TsmOptions& options) {
    return support::refused_field([&] { tsm_option_table().validate(options); });
}

TEST(TsmOptions, DefaultsAreGoodAndValuesOutOfBoundsAreRefusedByName) {
    EXPECT_EQ(refusal({}), "");
    EXPECT_EQ(refusal({.dimension = 0}), "dimension");
    EXPECT_EQ(refusal({.threshold = 0.0}), "threshold");
    EXPECT_EQ(refusal({.threshold = 1.0}), "threshold");
    EXPECT_EQ(refusal({.iterations = 0}), "iterations");
    EXPECT_EQ(refusal({.tolerance = -1.0}), "tolerance");
    EXPECT_EQ(refusal({.recipe = TsmRecipe::Paper, .momentum = 1.0}), "momentum");
    EXPECT_EQ(refusal({.momentum = 0.5}), "momentum") << "has no effect in the fast recipe";
}

}  // namespace
}  // namespace isogon::tsm_options_test
