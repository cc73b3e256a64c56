#include "semidefinite/dsdp_host.hpp"
#include "support/sanitizers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <span>
#include <thread>

namespace isogon::dsdp_host_test {
namespace {

RunContext ended() {
    RunContext context;
    context.limit_seconds(0.0);
    return context;
}

/// Until it throws, or for good: then the test's own time limit is what ends it.
void work_on(DsdpHost& host) {
    while (true) {
        host.count_operations(1 << 16);
    }
}

TEST(DsdpHost, IsTheOneOfItsThreadWhileItLives) {
    EXPECT_THROW(static_cast<void>(DsdpHost::current()), std::logic_error);
    {
        DsdpHost host;
        EXPECT_EQ(&DsdpHost::current(), &host);
        EXPECT_THROW(DsdpHost(), std::logic_error);
        std::jthread([] { EXPECT_NO_THROW(DsdpHost()); }).join();
        EXPECT_EQ(&DsdpHost::current(), &host);
    }
    EXPECT_THROW(static_cast<void>(isogon_dsdp_malloc(8)), std::logic_error);
}

TEST(DsdpHost, GivesZerosAndTakesThemBackInAnyOrder) {
    DsdpHost host;
    for (const std::size_t bytes : {0U, 1U, 4096U}) {
        auto* first = static_cast<std::uint8_t*>(isogon_dsdp_calloc(bytes, 1));
        auto* second = static_cast<std::uint8_t*>(isogon_dsdp_malloc(bytes));
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % alignof(std::max_align_t), 0U);
        EXPECT_EQ(std::ranges::count(std::span(first, bytes), 0), static_cast<std::ptrdiff_t>(bytes));
        std::fill_n(second, bytes, std::uint8_t{7});
        isogon_dsdp_free(first);
        isogon_dsdp_free(nullptr);
        isogon_dsdp_free(isogon_dsdp_malloc(bytes));
    }
    // The host frees the rest: the sanitizers would report a leak.
}

TEST(DsdpHost, WhatCannotBeHadIsNoMemory) {
    if (support::under_a_sanitizer()) {
        GTEST_SKIP() << "sanitizers end the program where so much is asked for";
    }
    DsdpHost host;
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
    EXPECT_THROW(static_cast<void>(isogon_dsdp_malloc(most)), std::bad_alloc);
    EXPECT_THROW(static_cast<void>(isogon_dsdp_malloc(most / 4)), std::bad_alloc);
    EXPECT_THROW(static_cast<void>(isogon_dsdp_calloc(most / 4, 8)), std::bad_alloc);
}

TEST(DsdpHost, EndsARunThatHasToEnd) {
    DsdpHost host;
    host.count_operations(1U << 30U);
    const RunContext context = ended();
    host.set_context(context);
    EXPECT_THROW(work_on(host), Interruption);
}

TEST(DsdpHost, LetsAShortStepComeToItsEndAndALongOneNot) {
    DsdpHost host;
    EXPECT_EQ(host.context_for(1e12).interruption(), std::nullopt);
    const RunContext context = ended();
    host.set_context(context);
    EXPECT_EQ(host.context_for(1e6).interruption(), std::nullopt);
    EXPECT_EQ(host.context_for(1e12).interruption(), Termination::TimeLimit);
}

TEST(DsdpHost, DoesNotTryForEver) {
    DsdpHost host;
    for (int turn = 0; turn < 3; ++turn) {
        for (int attempt = 0; attempt < 100; ++attempt) {
            EXPECT_NO_THROW(host.record_definiteness(false));
        }
        host.record_definiteness(true);
    }
    const auto until_it_throws = [&] {
        while (true) {
            host.record_definiteness(false);
        }
    };
    EXPECT_THROW(until_it_throws(), DsdpFailure);
}

TEST(DsdpHost, NeitherPrintsNorEndsTheProgram) {
    EXPECT_EQ(isogon_dsdp_printf(), 0);
    EXPECT_THROW(isogon_dsdp_exit(0), DsdpFailure);
    EXPECT_THROW(isogon_dsdp_dspmv(), std::logic_error);
}

}  // namespace
}  // namespace isogon::dsdp_host_test
