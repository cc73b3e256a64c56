#include "isogon/core/team.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "support/thread_team.hpp"

namespace isogon {
namespace {

TEST(Team, PartsFollowEachOtherAndAreAlike) {
    for (std::size_t ranks = 1; ranks < 6; ++ranks) {
        for (std::size_t count = 0; count < 9; ++count) {
            std::size_t next = 0;
            for (std::size_t rank = 0; rank < ranks; ++rank) {
                const Range part = part_of_rank(count, rank, ranks);
                EXPECT_EQ(part.begin, next);
                EXPECT_LE(part.size(), count / ranks + 1);
                EXPECT_GE(part.size(), count / ranks);
                next = part.end;
            }
            EXPECT_EQ(next, count);
        }
    }
}

TEST(Team, EverybodyGetsAllParts) {
    // Items of 3 numbers, the last of 2.
    constexpr std::size_t count = 5;
    constexpr std::size_t item = 3;
    std::vector<int> all(count * item - 1);
    std::iota(all.begin(), all.end(), 1);
    for (const std::size_t ranks : {1U, 2U, 4U, 7U}) {
        std::vector<std::vector<int>> found(ranks, std::vector<int>(all.size()));
        support::ThreadTeam::run(ranks, [&](const Team& team) {
            auto& mine = found[team.rank()];
            const Range part = part_of_rank(count, team.rank(), team.size());
            for (std::size_t i = part.begin * item; i < std::min(part.end * item, all.size()); ++i) {
                mine[i] = all[i];
            }
            gather_parts(team, count, item * sizeof(int), std::as_writable_bytes(std::span(mine)));
        });
        for (const auto& one : found) {
            EXPECT_EQ(one, all) << ranks;
        }
    }
}

}  // namespace
}  // namespace isogon
