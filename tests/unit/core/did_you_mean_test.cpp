#include "isogon/core/did_you_mean.hpp"

#include <gtest/gtest.h>

namespace isogon::did_you_mean_test {
namespace {

const std::vector<std::string> known{"threshold", "thickness",           "dim",      "isomap", "umap",
                                     "tsne",      "extension-neighbors", "neighbors"};

TEST(DidYouMean, FindsAWordWithOneLetterChangedLeftOutAddedOrSwapped) {
    for (const char* word : {"threshhold", "threshld", "thresholt", "trheshold", "THRESHOLD"}) {
        EXPECT_EQ(did_you_mean(word, known), "; did you mean threshold?") << word;
    }
    EXPECT_EQ(did_you_mean("tnse", known), "; did you mean tsne?");
    EXPECT_EQ(did_you_mean("isomaps", known), "; did you mean isomap?");
}

TEST(DidYouMean, TakesTheNearest) {
    EXPECT_EQ(did_you_mean("umpa", known), "; did you mean umap?");
    EXPECT_EQ(did_you_mean("neighbours", known), "; did you mean neighbors?");
    EXPECT_EQ(did_you_mean("extension-neighbours", known), "; did you mean extension-neighbors?");
}

TEST(DidYouMean, CompletesAWordThatOnlyOneBeginsWith) {
    EXPECT_EQ(did_you_mean("thresh", known), "; did you mean threshold?");
    EXPECT_EQ(did_you_mean("ext", known), "; did you mean extension-neighbors?");
    EXPECT_EQ(did_you_mean("th", known), "");  // two do
}

TEST(DidYouMean, SaysNothingWhereNothingIsNear) {
    for (const char* word : {"", "x", "colour", "bogus", "embroider"}) {
        EXPECT_EQ(did_you_mean(word, known), "") << word;
    }
    EXPECT_EQ(did_you_mean(std::string(1000000, 't'), known), "");
    EXPECT_EQ(did_you_mean("dim", {}), "");
}

}  // namespace
}  // namespace isogon::did_you_mean_test
