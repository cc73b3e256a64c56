#include "isogon/core/run_context.hpp"

#include <gtest/gtest.h>

#include <exception>
#include <limits>
#include <utility>
#include <vector>

#include "isogon/core/error.hpp"

namespace isogon::run_context_test {
namespace {

TEST(RunContext, NothingInterruptsByItself) {
    EXPECT_EQ(RunContext{}.interruption(), std::nullopt);
    EXPECT_NO_THROW(throw_if_cancelled(RunContext{}));
}

/// Public functions throw it, and users catch std::exception.
TEST(Interruption, IsAStandardException) {
    for (const auto& [reason, text] : {std::pair(Termination::TimeLimit, "stopped by the time limit"),
                                       std::pair(Termination::Cancelled, "cancelled")}) {
        try {
            throw Interruption(reason);
        } catch (const std::exception& exception) {
            EXPECT_STREQ(exception.what(), text);
        }
    }
}

TEST(RunContext, ARequestedStopCancels) {
    std::stop_source source;
    RunContext context;
    context.stop = source.get_token();
    EXPECT_EQ(context.interruption(), std::nullopt);
    source.request_stop();
    EXPECT_EQ(context.interruption(), Termination::Cancelled);
    try {
        throw_if_cancelled(context);
        FAIL() << "the run went on";
    } catch (const Interruption& end) {
        EXPECT_EQ(end.reason, Termination::Cancelled);
    }
}

TEST(RunContext, AProcessThatSharesARunEndsItWhenAllHaveAgreed) {
    RunContext context;
    std::vector<std::optional<Termination>> asked;
    context.agree_on_stop = [&](std::optional<Termination> own) {
        asked.push_back(own);
        return asked.size() < 2 ? std::nullopt : std::optional(Termination::TimeLimit);
    };
    EXPECT_NO_THROW(throw_if_cancelled(context));
    EXPECT_THROW(throw_if_cancelled(context), Interruption);  // another process has to end
    context.limit_seconds(0.0);
    EXPECT_NO_THROW(throw_if_cancelled_in_task(context));  // makes no collective call
    EXPECT_EQ(asked.size(), 2U);
}

TEST(RunContext, ATaskIsEnded) {
    RunContext context;
    EXPECT_NO_THROW(throw_if_cancelled_in_task(context));
    context.limit_seconds(0.0);
    EXPECT_THROW(throw_if_cancelled_in_task(context), Interruption);
}

TEST(RunContext, APassedDeadlineEndsTheRunAndOneAheadDoesNot) {
    RunContext context;
    context.limit_seconds(0.0);
    EXPECT_EQ(context.interruption(), Termination::TimeLimit);
    context.limit_seconds(-5.0);
    EXPECT_EQ(context.interruption(), Termination::TimeLimit);
    context.limit_seconds(3600.0);
    EXPECT_EQ(context.interruption(), std::nullopt);
}

TEST(RunContext, ATimeLimitBeyondTheClockIsNoLimit) {
    for (const double seconds : {1e12, 1e300, std::numeric_limits<double>::infinity()}) {
        RunContext context;
        context.limit_seconds(seconds);
        EXPECT_EQ(context.interruption(), std::nullopt) << seconds;
    }
}

TEST(RunContext, ATimeLimitThatIsNoNumberIsRefused) {
    RunContext context;
    EXPECT_THROW(context.limit_seconds(std::numeric_limits<double>::quiet_NaN()), InvalidArgument);
}

TEST(RunContext, ReportsToTheCallbackIfThereIsOne) {
    RunContext context;
    EXPECT_NO_THROW(context.report({}));
    std::uint64_t seen = 0;
    context.on_iteration = [&](const Progress& progress) { seen = progress.done; };
    context.report({.phase = "matching", .done = 5, .total = 9});
    EXPECT_EQ(seen, 5U);
}

TEST(RequireMemory, GivesTheSumAndTakesALimitThatJustSuffices) {
    RunContext context;
    EXPECT_EQ(require_memory(context, {{"pairs", 700}, {"basis", 300}}, "lower d"), 1000U);
    context.memory_limit = 1000;
    EXPECT_EQ(require_memory(context, {{"pairs", 700}, {"basis", 300}}, "lower d"), 1000U);
    EXPECT_EQ(require_memory(context, {}, "lower d"), 0U);
}

TEST(RequireMemory, ARefusalNamesNeedLimitLargestItemAndRemedy) {
    RunContext context;
    context.memory_limit = 999;
    try {
        require_memory(context, {{"basis", 300}, {"pairs", 700}}, "raise the threshold");
        FAIL() << "more than the limit was granted";
    } catch (const LimitExceeded& error) {
        EXPECT_EQ(error.needed_bytes(), 1000U);
        EXPECT_EQ(error.limit_bytes(), 999U);
        const std::string message = error.what();
        for (const char* part : {"1 kB", "999 bytes", "700 bytes for pairs", "raise the threshold"}) {
            EXPECT_NE(message.find(part), std::string::npos) << part << " is not in: " << message;
        }
    }
}

TEST(RequireMemory, ASumBeyondSixtyFourBitsIsStillOverTheLimit) {
    RunContext context;
    context.memory_limit = 1000;
    const std::uint64_t half = std::uint64_t{1} << 63U;
    EXPECT_THROW(require_memory(context, {{"a", half}, {"b", half}, {"c", 1}}, "use less"), LimitExceeded);
}

TEST(RequireMemory, TellsWhoAsksWhatIsHeldAndNeededTogether) {
    std::vector<std::uint64_t> stated;
    RunContext context;
    context.on_need = [&](std::uint64_t bytes) { stated.push_back(bytes); };
    require_memory(context, {{"pairs", 700}, {"basis", 300}}, "lower d");
    require_memory(beside(beside(context, 50), 20), {{"pairs", 700}}, "lower d");
    require_memory(already_stated(context), {{"pairs", 900}}, "lower d");
    EXPECT_EQ(stated, (std::vector<std::uint64_t>{1000, 770}));
    context.memory_limit = 699;
    EXPECT_THROW(require_memory(context, {{"pairs", 700}}, "lower d"), LimitExceeded);
    EXPECT_EQ(stated.size(), 2U) << "what was refused is not taken";
}

TEST(RequireMemory, WhatIsHeldIsTakenFromTheLimit) {
    RunContext context;
    context.memory_limit = 1000;
    EXPECT_EQ(require_memory(beside(context, 300), {{"pairs", 700}}, "lower d"), 700U);
    EXPECT_THROW(require_memory(beside(context, 301), {{"pairs", 700}}, "lower d"), LimitExceeded);
    EXPECT_THROW(require_memory(beside(context, 5000), {{"pairs", 1}}, "lower d"), LimitExceeded);
    EXPECT_NO_THROW(require_memory(already_stated(context), {{"pairs", 7000}}, "lower d"));
}

TEST(RunContext, WhatFinishesIsNotInterrupted) {
    std::stop_source stop;
    stop.request_stop();
    RunContext context{.threads = 3, .stop = stop.get_token()};
    context.limit_seconds(-1.0);
    ASSERT_TRUE(context.interruption());
    EXPECT_FALSE(uninterrupted(context).interruption());
    EXPECT_EQ(uninterrupted(context).threads, 3);
}

TEST(HumanBytes, CountsInThousandsWithThreeDigits) {
    EXPECT_EQ(human_bytes(0), "0 bytes");
    EXPECT_EQ(human_bytes(999), "999 bytes");
    EXPECT_EQ(human_bytes(1000), "1 kB");
    EXPECT_EQ(human_bytes(1'234'567), "1.23 MB");
    EXPECT_EQ(human_bytes(1'500'000'000), "1.5 GB");
}

TEST(HumanBytes, RoundsUpIntoTheNextUnit) {
    EXPECT_EQ(human_bytes(999'600), "1 MB");
    EXPECT_EQ(human_bytes(999'999'999), "1 GB");
}

}  // namespace
}  // namespace isogon::run_context_test
