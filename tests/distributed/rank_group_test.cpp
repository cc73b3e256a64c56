#include "distributed/rank_group.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "reference/point_sets.hpp"
#include "support/thread_communicator.hpp"

namespace isogon::rank_group_test {
namespace {

TEST(RankGroup, PartsFollowEachOtherAndAreAlike) {
    for (std::size_t ranks = 1; ranks < 6; ++ranks) {
        for (std::size_t count = 0; count < 9; ++count) {
            std::size_t next = 0;
            for (std::size_t rank = 0; rank < ranks; ++rank) {
                const Range part = rank_range(count, rank, ranks);
                EXPECT_EQ(part.begin, next);
                EXPECT_LE(part.size(), count / ranks + 1);
                EXPECT_GE(part.size(), count / ranks);
                next = part.end;
            }
            EXPECT_EQ(next, count);
        }
    }
}

TEST(RankGroup, EverybodyGetsAllParts) {
    // Items of 3 numbers, the last of 2.
    constexpr std::size_t count = 5;
    constexpr std::size_t item = 3;
    std::vector<int> all(count * item - 1);
    std::iota(all.begin(), all.end(), 1);
    for (const std::size_t ranks : {1U, 2U, 4U, 7U}) {
        std::vector<std::vector<int>> found(ranks, std::vector<int>(all.size()));
        support::ThreadCommunicator::run(ranks, [&](const Communicator& communicator) {
            auto& mine = found[communicator.rank()];
            const Range part = RankGroup(communicator).own_part(count);
            for (std::size_t i = part.begin * item; i < std::min(part.end * item, all.size()); ++i) {
                mine[i] = all[i];
            }
            RankGroup(communicator)
                .all_gather_parts(count, item * sizeof(int), std::as_writable_bytes(std::span(mine)));
        });
        for (const auto& one : found) {
            EXPECT_EQ(one, all) << ranks;
        }
    }
}

TEST(RankGroup, WhatOneRankHasAllGet) {
    for (std::size_t from = 0; from < 3; ++from) {
        support::ThreadCommunicator::run(3, [&](const Communicator& communicator) {
            std::vector<std::size_t> numbers(4, communicator.rank());
            RankGroup(communicator).broadcast(from, std::as_writable_bytes(std::span(numbers)));
            EXPECT_EQ(numbers, std::vector<std::size_t>(4, from));
        });
    }
}

TEST(RankGroup, AddsWholeNumbersOverRanks) {
    constexpr std::size_t count = 40000;  // more than are added at once
    for (const std::size_t ranks : {1U, 3U}) {
        support::ThreadCommunicator::run(ranks, [&](const Communicator& communicator) {
            std::vector<std::uint64_t> numbers(count);
            for (std::size_t k = 0; k < count; ++k) {
                numbers[k] = k * (communicator.rank() + 1);
            }
            RankGroup(communicator).all_reduce_sum(numbers);
            for (std::size_t k = 0; k < count; ++k) {
                ASSERT_EQ(numbers[k], k * ranks * (ranks + 1) / 2);
            }
        });
    }
}

TEST(RankGroup, TextsOfAnyLengthComeInTheOrderOfRanks) {
    const std::vector<std::string> texts{"one", "", "three and more"};
    for (const std::size_t ranks : {1U, 3U}) {
        std::vector<std::vector<std::string>> found(ranks);
        support::ThreadCommunicator::run(ranks, [&](const Communicator& communicator) {
            found[communicator.rank()] = RankGroup(communicator).all_gather_texts(texts[communicator.rank()]);
        });
        for (const auto& one : found) {
            EXPECT_EQ(one, std::vector(texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(ranks)));
        }
    }
}

TEST(RankGroup, IsOneProcessWithoutACommunicator) {
    const RankGroup alone;
    EXPECT_FALSE(alone.is_shared());
    EXPECT_EQ(alone.rank(), 0U);
    EXPECT_EQ(alone.size(), 1U);
    EXPECT_FALSE(alone.agreeing({}).agree_on_stop);
    std::vector<std::uint64_t> numbers{1, 2, 3};
    const auto before = numbers;
    alone.all_gather_parts(3, sizeof(std::uint64_t), std::as_writable_bytes(std::span(numbers)));
    alone.broadcast(0, std::as_writable_bytes(std::span(numbers)));
    alone.all_reduce_sum(numbers);
    EXPECT_EQ(numbers, before);
    EXPECT_EQ(alone.all_gather_texts("own"), std::vector<std::string>{"own"});
    std::vector<std::uint64_t> received(3);
    alone.ring_shift(std::as_bytes(std::span(before)), std::as_writable_bytes(std::span(received)));
    EXPECT_EQ(received, before);
}

TEST(RankGroup, WhatEndsOneRankEndsAllAtTheSamePlace) {
    std::vector<int> steps(3);
    std::vector<std::optional<Termination>> ends(3);
    support::ThreadCommunicator::run(3, [&](const Communicator& communicator) {
        std::stop_source source;
        RunContext own;
        own.stop = source.get_token();
        const RunContext context = RankGroup(communicator).agreeing(own);
        try {
            while (true) {
                throw_if_cancelled(context);
                if (++steps[communicator.rank()] == 4 && communicator.rank() == 2) {
                    source.request_stop();
                }
            }
        } catch (const Interruption& end) {
            ends[communicator.rank()] = end.reason;
        }
    });
    EXPECT_EQ(steps, std::vector<int>(3, 4));
    EXPECT_EQ(ends, std::vector<std::optional<Termination>>(3, Termination::Cancelled));
}

TEST(RankGroup, ATaskIsEndedWithoutAMeeting) {
    const RunContext context = reference::cancelled();
    // Only one of the ranks asks here: a collective call would never end.
    support::ThreadCommunicator::run(2, [&](const Communicator& communicator) {
        const RunContext shared = RankGroup(communicator).agreeing(context);
        if (communicator.rank() == 0) {
            EXPECT_NO_THROW(throw_if_cancelled_in_task(shared));
        }
        EXPECT_THROW(throw_if_cancelled(shared), Interruption);
    });
}

}  // namespace
}  // namespace isogon::rank_group_test
