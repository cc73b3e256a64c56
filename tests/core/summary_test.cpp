#include "isogon/core/run_context.hpp"

#include <gtest/gtest.h>

#include <set>

namespace isogon::summary_test {
namespace {

TEST(Termination, EveryReasonHasAWordOfItsOwn) {
    std::set<std::string_view> words;
    const std::vector reasons{Termination::Converged, Termination::IterationLimit, Termination::TimeLimit,
                              Termination::Cancelled, Termination::Stalled,        Termination::NumericalFailure};
    for (const auto reason : reasons) {
        words.insert(name(reason));
    }
    EXPECT_EQ(words.size(), reasons.size());
    EXPECT_EQ(name(Termination::NumericalFailure), "numerical-failure");
    EXPECT_EQ(name(Termination::Converged), "converged");
}

TEST(Summary, OnlyANumericalFailureMakesItUnusable) {
    Summary summary;
    summary.termination = Termination::Cancelled;
    EXPECT_TRUE(summary.usable());
    summary.termination = Termination::NumericalFailure;
    EXPECT_FALSE(summary.usable());
}

TEST(Summary, FindsWhatWasCountedAndMeasured) {
    Summary summary;
    summary.count("isolated points", 3);
    summary.measure("threshold", 0.75);
    EXPECT_EQ(summary.value("isolated points"), 3.0);
    EXPECT_EQ(summary.value("threshold"), 0.75);
    EXPECT_EQ(summary.value("nothing of the kind"), 0.0);
    EXPECT_EQ(summary.value("nothing of the kind", -1.0), -1.0);
}

TEST(PhaseTimer, ListsItsPhaseAtOnceAndAddsItsSecondsWhenItDies) {
    Summary summary;
    {
        const PhaseTimer timer(summary, "matching");
        ASSERT_EQ(summary.seconds.size(), 1U);
        EXPECT_EQ(summary.seconds[0].second, 0.0);
    }
    ASSERT_EQ(summary.seconds.size(), 1U);
    EXPECT_EQ(summary.seconds[0].first, "matching");
    EXPECT_GE(summary.seconds[0].second, 0.0);
}

TEST(PhaseTimer, PhasesOfOneNameAddUpAndOthersFollowInOrder) {
    Summary summary;
    summary.seconds.emplace_back("matching", 100.0);
    { const PhaseTimer timer(summary, "placing"); }
    { const PhaseTimer timer(summary, "matching"); }
    ASSERT_EQ(summary.seconds.size(), 2U);
    EXPECT_EQ(summary.seconds[0].first, "matching");
    EXPECT_GE(summary.seconds[0].second, 100.0);
    EXPECT_EQ(summary.seconds[1].first, "placing");
}

}  // namespace
}  // namespace isogon::summary_test
