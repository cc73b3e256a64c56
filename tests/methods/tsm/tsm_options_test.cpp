#include <gtest/gtest.h>

#include "methods/tsm.hpp"
#include "support/embeddings.hpp"

namespace isogon::tsm_options_test {
namespace {

std::string refusal(const TsmOptions& options) {
    return support::refused_field([&] { tsm_option_table().validate(options); });
}

TEST(TsmOptions, ThoseOfOtherSolversAndRecipesAreRefused) {
    EXPECT_EQ(refusal({.momentum = 0.5}), "momentum") << "has no effect in the fast recipe";
    constexpr auto sphere = TsmSolver::Sphere;
    EXPECT_EQ(refusal({.solver = sphere, .iterations = 100, .tolerance = 1e-4, .seed = 3}), "");
    EXPECT_EQ(refusal({.solver = sphere, .recipe = TsmRecipe::Paper}), "recipe");
    EXPECT_EQ(refusal({.solver = sphere, .regularize = Toggle::On}), "regularize");
    EXPECT_EQ(refusal({.solver = sphere, .virtual_inputs = false}), "virtual-inputs");
    EXPECT_EQ(refusal({.solver = sphere, .norms = OutputNorms::Matched}), "norms");
}

}  // namespace
}  // namespace isogon::tsm_options_test
