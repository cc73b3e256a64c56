#include "methods/forces/tsne_options.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"

namespace isogon::tsne_options_test {

namespace {

std::string refusal(const TsneOptions& options, Index points) {
    try {
        (void)completed(options, points);
        return "";
    } catch (const InvalidArgument& error) {
        return error.field();
    }
}

TEST(TsneOptions, AutomaticRepulsionIsTheFastestThatThereIs) {
    constexpr Index few = TsneOptions::most_exact_points;
    EXPECT_EQ(completed({}, few).repulsion, TsneRepulsion::Exact);
    EXPECT_EQ(completed({}, few + 1).repulsion, TsneRepulsion::Fft);
    EXPECT_EQ(completed({.dimension = 3}, few + 1).repulsion, TsneRepulsion::BarnesHut);
    EXPECT_EQ(completed({.dimension = 4}, few + 1).repulsion, TsneRepulsion::Exact);
    EXPECT_EQ(completed({.repulsion = TsneRepulsion::BarnesHut}, 100).repulsion, TsneRepulsion::BarnesHut);
}

TEST(TsneOptions, AutomaticPerplexityFitsThePoints) {
    EXPECT_EQ(completed({}, 1000).perplexity, 30.0);
    EXPECT_EQ(completed({}, 31).perplexity, 10.0);
    EXPECT_FALSE(completed({}, 3).perplexity);
}

TEST(TsneOptions, RefusesWhatDoesNotFitByName) {
    EXPECT_EQ(refusal({.perplexity = 20.0}, 31), "perplexity");
    EXPECT_EQ(refusal({.dimension = 3, .repulsion = TsneRepulsion::Fft}, 100), "repulsion");
    EXPECT_EQ(refusal({.dimension = 4, .repulsion = TsneRepulsion::BarnesHut}, 100), "repulsion");
    EXPECT_EQ(refusal({.theta = 0.3}, 100), "theta") << "all pairs have no use for it";
    EXPECT_EQ(refusal({.theta = 2.0}, 100), "theta");
    EXPECT_EQ(refusal({.iterations = 0}, 100), "iterations");
}

}  // namespace

}  // namespace isogon::tsne_options_test
