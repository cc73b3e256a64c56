#include "isogon/pairs/own_points.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "isogon/pairs/pair_tiles.hpp"
#include "support/thread_team.hpp"

namespace isogon::own_points_test {
namespace {

RunContext of(const Team& team) {
    RunContext context;
    context.team = &team;
    return context;
}

TEST(OwnPoints, AreAllOfThemWithoutATeam) {
    for (const Index count : {0U, 1U, 48U, 49U, 7000U}) {
        const Range points = own_points(count, {});
        EXPECT_EQ(points.begin, 0U);
        EXPECT_EQ(points.end, count);
        EXPECT_EQ(own_blocks(count, {}).size(), pair_blocks(count).blocks);
        std::vector<int> numbers(count, 5);
        gather_points(count, std::as_writable_bytes(std::span(numbers)), {});
        EXPECT_EQ(numbers, std::vector<int>(count, 5));
    }
}

TEST(OwnPoints, AreWholeBlocksThatFollowEachOther) {
    for (const Index count : {0U, 1U, 49U, 7000U}) {
        for (const std::size_t ranks : {1U, 2U, 5U}) {
            std::vector<Range> parts(ranks);
            support::ThreadTeam::run(ranks,
                                     [&](const Team& team) { parts[team.rank()] = own_points(count, of(team)); });
            std::size_t next = 0;
            for (const Range& part : parts) {
                EXPECT_EQ(part.begin, next);
                EXPECT_TRUE(part.begin % pair_blocks(count).points == 0 || part.begin == count);
                next = part.end;
            }
            EXPECT_EQ(next, count) << ranks << " ranks";
        }
    }
}

TEST(OwnPoints, AreGatheredToEverybody) {
    constexpr std::size_t item = 3;
    for (const Index count : {1U, 49U, 7000U}) {
        std::vector<int> all(count * item);
        std::iota(all.begin(), all.end(), 1);
        std::vector<std::size_t> blocks(pair_blocks(count).blocks);
        std::iota(blocks.begin(), blocks.end(), std::size_t{1});
        support::ThreadTeam::run(3, [&](const Team& team) {
            const Range own = own_points(count, of(team));
            std::vector<int> mine(all.size());
            std::copy(all.begin() + static_cast<std::ptrdiff_t>(own.begin * item),
                      all.begin() + static_cast<std::ptrdiff_t>(own.end * item),
                      mine.begin() + static_cast<std::ptrdiff_t>(own.begin * item));
            gather_points(count, std::as_writable_bytes(std::span(mine)), of(team));
            EXPECT_EQ(mine, all);
            const Range own_numbers = own_blocks(count, of(team));
            std::vector<std::size_t> numbers(blocks.size());
            for (std::size_t b = own_numbers.begin; b < own_numbers.end; ++b) {
                numbers[b] = blocks[b];
            }
            gather_blocks(count, std::as_writable_bytes(std::span(numbers)), of(team));
            EXPECT_EQ(numbers, blocks);
        });
    }
}

TEST(OwnPoints, AreAViewOfPointsThatAreAllHere) {
    const Points all(1000, 2);
    EXPECT_FALSE(divided(all.view(), RunContext{}).divided());
    support::ThreadTeam::run(3, [&](const Team& team) {
        const DividedPoints points = divided(all.view(), of(team));
        const Range own = own_points(1000, of(team));
        EXPECT_EQ(points.count(), 1000U);
        EXPECT_EQ(points.own().begin, own.begin);
        EXPECT_EQ(points.own().end, own.end);
        EXPECT_EQ(points.here().data, all.view().data + 2 * own.begin);
        EXPECT_EQ(divided(points, of(team)).here().data, points.here().data);  // once is enough
        EXPECT_EQ(divided(points.here(), 1000, of(team)).own().end, own.end);
    });
}

}  // namespace
}  // namespace isogon::own_points_test
