#include "isogon/report/classes.hpp"

#include <gtest/gtest.h>

namespace isogon::classes_test {
namespace {

using Names = std::vector<std::string>;
using Places = std::vector<std::uint32_t>;

TEST(Classes, OfNumbersComeInTheirOrder) {
    const std::vector<std::int64_t> labels{10, -3, 2, 10};
    const Classes classes = classes_of(labels);
    EXPECT_EQ(classes.names, (Names{"-3", "2", "10"}));
    EXPECT_EQ(classes.index, (Places{2, 0, 1, 2}));
}

TEST(Classes, OfTextsThatAreNumbersToo) {
    const Names labels{"10", "-3", "2"};
    EXPECT_EQ(classes_of(labels).names, (Names{"-3", "2", "10"}));
}

TEST(Classes, OfTextsComeInTheOrderOfTheirBytes) {
    const Names labels{"b", "10", "2", "b", "", "02"};
    const Classes classes = classes_of(labels);
    EXPECT_EQ(classes.names, (Names{"", "02", "10", "2", "b"}));
    EXPECT_EQ(classes.index, (Places{4, 2, 3, 4, 0, 1}));
}

TEST(Classes, TextsThatOnlyLookLikeNumbersKeepTheirSpelling) {
    const Names labels{"007", "7", "99999999999999999999"};
    EXPECT_EQ(classes_of(labels).names, (Names{"007", "7", "99999999999999999999"}));
}

TEST(Classes, OfChosenPointsKeepAllNames) {
    const Classes all{{"a", "b", "c"}, {0, 1, 2, 1}};
    const Classes some = classes_of(all, Places{3, 0});
    EXPECT_EQ(some.names, all.names);
    EXPECT_EQ(some.index, (Places{1, 0}));
}

TEST(Classes, OfNoPointsAreNone) {
    EXPECT_TRUE(classes_of(Names{}).empty());
    EXPECT_TRUE(classes_of(Names{}).names.empty());
}

}  // namespace
}  // namespace isogon::classes_test
