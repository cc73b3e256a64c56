#include "isogon/forces/schedule.hpp"

#include <gtest/gtest.h>

namespace isogon::schedule_test {
namespace {

TEST(Schedule, BeginsExaggeratedAndSlow) {
    const Schedule schedule = tsne_schedule(2400);
    ASSERT_EQ(schedule.phases.size(), 2U);
    EXPECT_EQ(schedule.iterations(), 750);
    EXPECT_EQ(schedule.phases[0].iterations, 250);
    EXPECT_EQ(schedule.phases[0].exaggeration, 12.0);
    EXPECT_EQ(schedule.phases[0].learning_rate, 200.0);
    EXPECT_EQ(schedule.phases[1].exaggeration, 1.0);
    EXPECT_EQ(schedule.phases[1].learning_rate, 2400.0);
    EXPECT_LT(schedule.phases[0].momentum, schedule.phases[1].momentum);
}

TEST(Schedule, FewIterationsAreAThirdExaggeratedAndManyNotMore) {
    EXPECT_EQ(tsne_schedule(100, {.iterations = 30}).phases[0].iterations, 10);
    EXPECT_EQ(tsne_schedule(100, {.iterations = 1}).phases[0].iterations, 0);
    EXPECT_EQ(tsne_schedule(100, {.iterations = 5000}).phases[0].iterations, 250);
    EXPECT_EQ(tsne_schedule(100, {.iterations = 5000}).iterations(), 5000);
}

TEST(Schedule, TakesTheRateAndExaggerationThatAreGiven) {
    const Schedule schedule = tsne_schedule(100, {.exaggeration = 4.0, .learning_rate = 7.0});
    EXPECT_EQ(schedule.phases[0].exaggeration, 4.0);
    EXPECT_EQ(schedule.phases[0].learning_rate, 7.0);
    EXPECT_EQ(schedule.phases[1].learning_rate, 7.0);
}

TEST(Schedule, AnIterationBelongsToTheFirstPhaseThatIsNotOver) {
    const Schedule schedule{{{2}, {0}, {3}}};
    const std::vector<std::size_t> places{0, 0, 2, 2, 2, 2};
    for (int i = 0; i < 6; ++i) {
        EXPECT_EQ(schedule.phase_at(i), places[static_cast<std::size_t>(i)]) << i;
    }
}

}  // namespace
}  // namespace isogon::schedule_test
