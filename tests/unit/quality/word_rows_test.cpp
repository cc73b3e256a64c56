#include "quality/word_rows.hpp"

#include <gtest/gtest.h>

namespace isogon::word_rows_test {
namespace {

using Words = std::vector<std::string>;
using Rows = std::vector<Index>;

TEST(WordRows, FindWordsAsTheyStand) {
    const Words words{"b", "A", "", "\xc3\x89t\xc3\xa9"};
    const WordRows rows(words);
    for (Index i = 0; i < words.size(); ++i) {
        EXPECT_EQ(rows.find(words[i]), i);
    }
    EXPECT_FALSE(rows.find("c"));
    EXPECT_FALSE(rows.find("a"));
    EXPECT_FALSE(rows.find("B "));
}

TEST(WordRows, FallBackToSmallLettersAndNeverToCapitals) {
    const Words words{"athens", "Paris", "PARIS", "paris", "Oslo", "\xc3\xa9ire"};
    const WordRows rows(words);
    EXPECT_EQ(rows.find("Athens"), 0U);
    EXPECT_EQ(rows.find("ATHENS"), 0U);
    EXPECT_EQ(rows.find("Paris"), 1U);
    EXPECT_EQ(rows.find("PARIS"), 2U);
    EXPECT_EQ(rows.find("PaRIS"), 3U);
    EXPECT_FALSE(rows.find("oslo"));
    EXPECT_FALSE(rows.find("OSLO"));
    EXPECT_FALSE(rows.find("\xc3\x89ire"));  // other alphabets keep their capitals
}

TEST(WordRows, TheFirstOfEqualWordsCounts) {
    const Words words{"a", "b", "a", "c", "b", "a"};
    const WordRows rows(words);
    EXPECT_EQ(rows.find("a"), 0U);
    EXPECT_EQ(rows.find("b"), 1U);
    EXPECT_EQ(rows.first_rows(), (Rows{0, 1, 3}));
}

TEST(WordRows, NoWordsAreFine) {
    const WordRows rows({});
    EXPECT_FALSE(rows.find(""));
    EXPECT_TRUE(rows.first_rows().empty());
}

TEST(WordRows, StateTheirBytes) {
    EXPECT_EQ(WordRows::bytes(0), 0U);
    EXPECT_GE(WordRows::bytes(1000), 1000 * (sizeof(std::string_view) + 2 * sizeof(Index) + 2 * sizeof(void*)));
}

}  // namespace
}  // namespace isogon::word_rows_test
