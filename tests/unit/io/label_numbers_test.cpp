#include "isogon/io/label_numbers.hpp"

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
    const LabelNumbers numbers = numbered({"5", "05", "none", "5.0", "none"});
    EXPECT_EQ(numbers.labels(), (Numbers{0, 0, 1, 0, 1}));
    EXPECT_EQ(numbers.names(), (Names{"5", "none"}));
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
