#include "isogon/pairs/pair_schedule.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace isogon::pair_schedule_test {
namespace {

class ScheduleOf : public testing::TestWithParam<Index> {};

INSTANTIATE_TEST_SUITE_P(Blocks, ScheduleOf, testing::Range(Index{0}, Index{41}));

TEST_P(ScheduleOf, EveryUnorderedPairMeetsOnce) {
    const Index blocks = GetParam();
    const PairSchedule schedule(blocks);
    std::map<PairSchedule::BlockPair, int> meetings;
    for (Index r = 0; r < schedule.rounds(); ++r) {
        for (const auto& pair : schedule.round(r)) {
            EXPECT_LE(pair.first, pair.second);
            EXPECT_LT(pair.second, blocks);
            ++meetings[pair];
        }
    }
    EXPECT_EQ(meetings.size(), blocks * (blocks + 1) / 2);
    for (const auto& [pair, times] : meetings) {
        EXPECT_EQ(times, 1) << pair.first << " with " << pair.second;
    }
}

TEST_P(ScheduleOf, NoBlockAppearsTwiceInARound) {
    const PairSchedule schedule(GetParam());
    for (Index r = 0; r < schedule.rounds(); ++r) {
        std::set<Index> seen;
        for (const auto& [first, second] : schedule.round(r)) {
            EXPECT_TRUE(seen.insert(first).second) << "block " << first << ", round " << r;
            EXPECT_TRUE(first == second || seen.insert(second).second) << "block " << second << ", round " << r;
        }
    }
}

TEST_P(ScheduleOf, TakesNoMoreRoundsThanATournamentNeeds) {
    const Index blocks = GetParam();
    const Index opponents = blocks < 2 ? 0 : (blocks % 2 == 0 ? blocks - 1 : blocks);
    EXPECT_EQ(PairSchedule(blocks).rounds(), (blocks > 0 ? 1 : 0) + opponents);
}

}  // namespace
}  // namespace isogon::pair_schedule_test
