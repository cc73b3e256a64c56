#include "distributed/communicator.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "distributed/rank_group.hpp"
#include "support/messages.hpp"
#include "support/thread_communicator.hpp"

namespace isogon::communicator_test {
namespace {

using support::says;

TEST(Communicator, WhatIsPassedOnComesRoundTheRing) {
    for (const std::size_t ranks : {1U, 2U, 5U}) {
        support::ThreadCommunicator::run(ranks, [&](const Communicator& communicator) {
            std::vector<int> travelling{static_cast<int>(communicator.rank()), 7};
            std::vector<int> received(2);
            for (std::size_t step = 1; step <= ranks; ++step) {
                communicator.ring_shift(std::as_bytes(std::span(travelling)),
                                        std::as_writable_bytes(std::span(received)));
                travelling.swap(received);
                EXPECT_EQ(travelling, (std::vector<int>{
                                          static_cast<int>((communicator.rank() + ranks - step % ranks) % ranks), 7}));
            }
            EXPECT_EQ(communicator.traffic().collective_calls, ranks);
            EXPECT_EQ(communicator.traffic().bytes, ranks == 1 ? 0 : ranks * (2 * sizeof(int) + 8 * (ranks - 1)));
        });
    }
}

TEST(Communicator, RanksThatPassOnOtherThingsAreTold) {
    support::ThreadCommunicator::run(3, [&](const Communicator& communicator) {
        const std::vector<std::byte> own(communicator.rank() == 1 ? 4 : 5);
        std::vector<std::byte> received(own.size());
        EXPECT_THROW(communicator.ring_shift(own, received), std::logic_error);
        if (communicator.rank() == 2) {
            static_cast<void>(communicator.leave({.failed = true}));
        } else {
            EXPECT_THROW(communicator.ring_shift(own, received), RankEnded);
        }
    });
}

TEST(Communicator, AgreesOnAnEndThatOneRankWants) {
    using Votes = std::vector<std::optional<Termination>>;
    const auto agreed = [](const Votes& votes) {
        Votes found(votes.size());
        support::ThreadCommunicator::run(votes.size(), [&](const Communicator& communicator) {
            found[communicator.rank()] = communicator.agree_on_stop(votes[communicator.rank()]);
        });
        return found;
    };
    const auto limit = Termination::TimeLimit;
    const auto cancelled = Termination::Cancelled;
    EXPECT_EQ(agreed({{}, {}, {}}), Votes(3));
    EXPECT_EQ(agreed({{}, limit, {}}), Votes(3, limit));
    EXPECT_EQ(agreed({limit, {}, cancelled}), Votes(3, cancelled));
    EXPECT_EQ(agreed({cancelled}), Votes(1, cancelled));
}

TEST(Communicator, ARankThatLeavesHoldsNobodyUp) {
    // Rank 1 fails while one of the others gathers as if nothing were wrong; all learn of it in the same collective
    // call.
    const Ending failure{true, 3, 77};
    std::vector<std::optional<Ending>> seen(3);
    std::vector<std::optional<Ending>> seen_by_leaver;
    support::ThreadCommunicator::run(3, [&](const Communicator& communicator) {
        std::vector<int> numbers(5);
        RankGroup(communicator).all_gather_parts(5, sizeof(int), std::as_writable_bytes(std::span(numbers)));
        if (communicator.rank() == 1) {
            seen_by_leaver = communicator.leave(failure);
            return;
        }
        try {
            RankGroup(communicator).all_gather_parts(5, sizeof(int), std::as_writable_bytes(std::span(numbers)));
        } catch (const RankEnded& ended) {
            EXPECT_TRUE(says(ended.what(), "rank 1 failed"));
            seen[communicator.rank()] = ended.ending();
        }
    });
    EXPECT_EQ(seen, (std::vector<std::optional<Ending>>{failure, {}, failure}));
    EXPECT_EQ(seen_by_leaver, (std::vector<std::optional<Ending>>{{}, failure, {}}));
}

TEST(Communicator, AllThatLeaveLearnHowTheOthersDid) {
    support::ThreadCommunicator::run(4, [&](const Communicator& communicator) {
        const auto code = static_cast<std::uint8_t>(250 + communicator.rank());
        const auto endings = communicator.leave({communicator.rank() == 2, code, 0xFFFFFFFFU});
        for (std::size_t r = 0; r < 4; ++r) {
            EXPECT_EQ(endings[r], (Ending{r == 2, static_cast<std::uint8_t>(250 + r), 0xFFFFFFFFU}));
        }
    });
}

TEST(Communicator, RanksOutOfStepAreToldRatherThanLeftWaiting) {
    support::ThreadCommunicator::run(2, [&](const Communicator& communicator) {
        std::vector<int> numbers(communicator.rank() == 0 ? 5 : 6);
        EXPECT_THROW(RankGroup(communicator)
                         .all_gather_parts(numbers.size(), sizeof(int), std::as_writable_bytes(std::span(numbers))),
                     std::logic_error);
        if (communicator.rank() == 0) {
            EXPECT_THROW(static_cast<void>(communicator.agree_on_stop({})), std::logic_error);
        } else {
            EXPECT_THROW(
                RankGroup(communicator).all_gather_parts(6, sizeof(int), std::as_writable_bytes(std::span(numbers))),
                std::logic_error);
        }
    });
}

TEST(Communicator, CountsWhatItMoved) {
    support::ThreadCommunicator::run(4, [&](const Communicator& communicator) {
        std::vector<std::uint64_t> numbers(10);  // parts of 3, 3, 2 and 2
        RankGroup(communicator).all_gather_parts(10, sizeof(std::uint64_t), std::as_writable_bytes(std::span(numbers)));
        const std::uint64_t own = communicator.rank() < 2 ? 3 : 2;
        EXPECT_EQ(communicator.traffic().bytes,
                  (10 - own + 3) * sizeof(std::uint64_t));  // 3 words of the collective call
        EXPECT_EQ(communicator.traffic().collective_calls, 1U);
    });
}

}  // namespace
}  // namespace isogon::communicator_test
