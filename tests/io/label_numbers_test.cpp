#include "io/label_numbers.hpp"

#include <gtest/gtest.h>

namespace isogon::label_numbers_test {
namespace {

using Numbers = std::vector<std::int64_t>;
using Names = std::vector<std::string>;

LabelNumbers numbered(const Names& texts) {
    LabelNumbers numbers;
    for (const auto& text : texts) {
        numbers.add(text);
    }
    return numbers;
}

TEST(LabelNumbers, WholeNumbersStayWhatTheyAre) {
    const LabelNumbers numbers = numbered({"7", "-2", "7.0", "1e3"});
    EXPECT_EQ(numbers.labels(), (Numbers{7, -2, 7, 1000}));
    EXPECT_TRUE(numbers.names().empty());
}

TEST(LabelNumbers, TextIsNumberedByFirstAppearance) {
    const LabelNumbers numbers = numbered({"pine", "oak", "pine", "ash", "oak"});
    EXPECT_EQ(numbers.labels(), (Numbers{0, 1, 0, 2, 1}));
    EXPECT_EQ(numbers.names(), (Names{"pine", "oak", "ash"}));
}

TEST(LabelNumbers, OneTextMakesNamesOfTheNumbersBeforeIt) {
    const LabelNumbers numbers = numbered({"5", "05", "one", "5.0", "one"});
    EXPECT_EQ(numbers.labels(), (Numbers{0, 0, 1, 0, 1}));
    EXPECT_EQ(numbers.names(), (Names{"5", "one"}));
}

TEST(LabelNumbers, UnknownLabelsAreBelowZeroAndHaveNoName) {
    const Names unknown{"", "nan", "NaN", "NA", "<NA>", "N/A", "NaT", "None", "null", "?", "-1", "-1.0", "-7"};
    for (const std::string& text : unknown) {
        EXPECT_TRUE(is_unknown_label(text)) << text;
        EXPECT_LT(numbered({"3", text, "4"}).labels()[1], 0) << text;
        const LabelNumbers named = numbered({"a", text, "b"});
        EXPECT_EQ(named.labels(), (Numbers{0, -1, 1})) << text;
        EXPECT_EQ(named.names(), (Names{"a", "b"})) << text;
    }
    for (const char* text : {"0", "-0", "5", "banana", "-", "-0.5", "naan", "nil", "--1"}) {
        EXPECT_FALSE(is_unknown_label(text)) << text;
    }
    EXPECT_EQ(numbered({"-2", "", "5", "a", "-2"}).labels(), (Numbers{-1, -1, 0, 1, -1}));
    LabelNumbers files;
    files.add(Numbers{-3, 4}, {});
    files.add(Numbers{-1, 0}, Names{"a"});
    EXPECT_EQ(files.labels(), (Numbers{-1, 0, -1, 1}));
    EXPECT_EQ(files.names(), (Names{"4", "a"}));
}

TEST(LabelNumbers, FilesAgreeOnNames) {
    LabelNumbers numbers;
    numbers.add(Numbers{0, 1, 0}, Names{"b", "a"});
    numbers.add(Numbers{0, 1}, Names{"a", "c"});
    numbers.add(Numbers{3}, {});
    EXPECT_EQ(numbers.labels(), (Numbers{0, 1, 0, 1, 2, 3}));
    EXPECT_EQ(numbers.names(), (Names{"b", "a", "c", "3"}));
    LabelNumbers plain;
    plain.add(Numbers{4, 5}, {});
    plain.add(Numbers{4}, {});
    EXPECT_EQ(plain.labels(), (Numbers{4, 5, 4}));
    EXPECT_TRUE(plain.names().empty());
}

}  // namespace
}  // namespace isogon::label_numbers_test
