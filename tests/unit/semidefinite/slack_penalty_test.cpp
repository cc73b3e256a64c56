#include "isogon/semidefinite/slack_penalty.hpp"

#include <gtest/gtest.h>

#include "isogon/semidefinite/exact_unfolding.hpp"

namespace isogon::slack_penalty_test {
namespace {

/// A chain in any order: 0 - 2 - 4 ... 5 - 3 - 1, all links of length 1.
DistanceConstraints tangled_chain(Index n) {
    std::vector<Index> order;
    for (Index i = 0; i < n; i += 2) {
        order.push_back(i);
    }
    for (Index i = n - 1 - n % 2; i < n; i -= 2) {
        order.push_back(i);
    }
    DistanceConstraints constraints;
    for (Index k = 0; k + 1 < n; ++k) {
        constraints.pairs.emplace_back(std::min(order[k], order[k + 1]), std::max(order[k], order[k + 1]));
    }
    std::sort(constraints.pairs.begin(), constraints.pairs.end());
    constraints.squared.assign(constraints.pairs.size(), 1.0);
    return constraints;
}

TEST(SlackPrice, GoesByTheLongestWay) {
    EXPECT_EQ(slack_penalty(21, tangled_chain(21)), 100.0);
    EXPECT_EQ(slack_penalty(12, tangled_chain(12)), 30.25);
    EXPECT_EQ(slack_penalty(2, {.pairs = {{0, 1}}, .squared = {4.0}}), 1.0);
}

TEST(SlackPrice, DoesNotGoByLengths) {
    DistanceConstraints constraints = tangled_chain(21);
    constraints.squared.assign(constraints.pairs.size(), 1e6);
    EXPECT_EQ(slack_penalty(21, constraints), 100.0);
}

TEST(SlackPrice, HoldsAChainTogetherWhereHalfOfItLetsGo) {
    const DistanceConstraints chain = tangled_chain(15);
    const double price = slack_penalty(15, chain);
    EXPECT_EQ(unfold_exactly(15, chain, {.price = price}).status, SemidefiniteStatus::Solved);
    EXPECT_EQ(unfold_exactly(15, chain, {.price = price / 2.2}).status, SemidefiniteStatus::Unbounded);
}

}  // namespace
}  // namespace isogon::slack_penalty_test
