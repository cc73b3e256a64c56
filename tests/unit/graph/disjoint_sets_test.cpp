#include "isogon/graph/disjoint_sets.hpp"

#include <gtest/gtest.h>

namespace isogon::disjoint_sets_test {
namespace {

TEST(DisjointSets, AreNamedAfterTheirLeastMemberInAnyOrderOfJoining) {
    const std::vector<std::pair<Index, Index>> pairs{{4, 2}, {5, 6}, {2, 5}, {0, 7}};
    for (const bool reversed : {false, true}) {
        DisjointSets sets(8);
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            const auto& [i, j] = pairs[reversed ? pairs.size() - 1 - k : k];
            EXPECT_TRUE(sets.join(i, j));
        }
        EXPECT_FALSE(sets.join(6, 4));
        std::vector<Index> names;
        for (Index i = 0; i < 8; ++i) {
            names.push_back(sets.find(i));
        }
        EXPECT_EQ(names, (std::vector<Index>{0, 1, 2, 3, 2, 2, 2, 0}));
    }
}

}  // namespace
}  // namespace isogon::disjoint_sets_test
