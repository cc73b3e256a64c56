#include <gtest/gtest.h>

#include "isogon/faithful/faithful.hpp"
#include "support/embeddings.hpp"

namespace isogon::options_test {
namespace {

std::string refusal(const FaithfulOptions& options) {
    return support::refused_field([&] { faithful_option_table().validate(options); });
}

TEST(FaithfulOptions, ARecallIsForDimensionAutoAlone) {
    EXPECT_EQ(refusal({.dimension = std::nullopt, .recall = 0.9}), "");
    EXPECT_EQ(refusal({.dimension = std::nullopt, .recall = 1.0}), "recall");
    EXPECT_EQ(refusal({.dimension = 8, .recall = 0.9}), "recall");
}

}  // namespace
}  // namespace isogon::options_test
