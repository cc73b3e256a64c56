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
}

}  // namespace
}  // namespace isogon::tsm_options_test
