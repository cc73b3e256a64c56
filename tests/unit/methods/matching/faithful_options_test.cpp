#include <gtest/gtest.h>

#include "isogon/methods/faithful.hpp"
#include "support/embeddings.hpp"

namespace isogon::faithful_options_test {
namespace {

std::string refusal(const FaithfulOptions& options) {
    return support::refused_field([&] { faithful_option_table().validate(options); });
}

TEST(FaithfulOptions, DefaultsAreGoodAndValuesOutOfBoundsAreRefusedByName) {
    EXPECT_EQ(refusal({}), "");
    EXPECT_EQ(refusal({.dimension = 0}), "dimension");
    EXPECT_EQ(refusal({.threshold = 0.0}), "threshold");
    EXPECT_EQ(refusal({.threshold = 1.0}), "threshold");
    EXPECT_EQ(refusal({.iterations = 0}), "iterations");
    EXPECT_EQ(refusal({.tolerance = -1.0}), "tolerance");
    EXPECT_EQ(refusal({.off_support_weight = -1.0}), "balance");
}

TEST(FaithfulOptions, OfOneThresholdAreRefusedByDistance) {
    EXPECT_EQ(refusal({.metric = Metric::Euclidean}), "");
    EXPECT_EQ(refusal({.metric = Metric::Euclidean, .weights = PairWeights::Norms}), "weights");
    EXPECT_EQ(refusal({.metric = Metric::Euclidean, .start = FaithfulStart::Tsm}), "start");
    EXPECT_EQ(refusal({.metric = Metric::Euclidean, .output = FaithfulOutput::InnerProduct}), "output-for");
}

}  // namespace
}  // namespace isogon::faithful_options_test
