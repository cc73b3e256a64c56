#include "isogon/core/communicator.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/thread_communicator.hpp"

namespace isogon::communicator_test {
namespace {

TEST(Communicator, PartsFollowEachOtherAndAreAlike) {
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

TEST(Communicator, EverybodyGetsAllParts) {
    // Items of 3 numbers, the last of 2.
    constexpr std::size_t count = 5;
    constexpr std::size_t item = 3;
    std::vector<int> all(count * item - 1);
    std::iota(all.begin(), all.end(), 1);
    for (const std::size_t ranks : {1U, 2U, 4U, 7U}) {
        std::vector<std::vector<int>> found(ranks, std::vector<int>(all.size()));
        support::ThreadCommunicator::run(ranks, [&](const Communicator& communicator) {
            auto& mine = found[communicator.rank()];
            const Range part = rank_range(count, communicator.rank(), communicator.size());
            for (std::size_t i = part.begin * item; i < std::min(part.end * item, all.size()); ++i) {
                mine[i] = all[i];
            }
            all_gather_parts(communicator, count, item * sizeof(int), std::as_writable_bytes(std::span(mine)));
        });
        for (const auto& one : found) {
            EXPECT_EQ(one, all) << ranks;
        }
    }
}

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
            EXPECT_EQ(communicator.traffic().meetings, ranks);
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

TEST(Communicator, WhatOneRankHasAllGet) {
    for (std::size_t from = 0; from < 3; ++from) {
        support::ThreadCommunicator::run(3, [&](const Communicator& communicator) {
            std::vector<std::size_t> numbers(4, communicator.rank());
            broadcast(communicator, from, std::as_writable_bytes(std::span(numbers)));
            EXPECT_EQ(numbers, std::vector<std::size_t>(4, from));
        });
    }
}

TEST(Communicator, AddsWholeNumbersOverRanks) {
    constexpr std::size_t count = 40000;  // more than are added at once
    for (const std::size_t ranks : {1U, 3U}) {
        support::ThreadCommunicator::run(ranks, [&](const Communicator& communicator) {
            std::vector<std::uint64_t> numbers(count);
            for (std::size_t k = 0; k < count; ++k) {
                numbers[k] = k * (communicator.rank() + 1);
            }
            all_reduce_sum(communicator, numbers);
            for (std::size_t k = 0; k < count; ++k) {
                ASSERT_EQ(numbers[k], k * ranks * (ranks + 1) / 2);
            }
        });
    }
}

TEST(Communicator, TextsOfAnyLengthComeInTheOrderOfRanks) {
    const std::vector<std::string> texts{"one", "", "three and more"};
    for (const std::size_t ranks : {1U, 3U}) {
        std::vector<std::vector<std::string>> found(ranks);
        support::ThreadCommunicator::run(ranks, [&](const Communicator& communicator) {
            found[communicator.rank()] = all_gather_texts(communicator, texts[communicator.rank()]);
        });
        for (const auto& one : found) {
            EXPECT_EQ(one, std::vector(texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(ranks)));
        }
    }
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
    // Rank 1 fails while one of the others gathers as if nothing were wrong; all learn of it in the same meeting.
    const Ending failure{true, 3, 77};
    std::vector<std::optional<Ending>> seen(3);
    std::vector<std::optional<Ending>> seen_by_leaver;
    support::ThreadCommunicator::run(3, [&](const Communicator& communicator) {
        std::vector<int> numbers(5);
        all_gather_parts(communicator, 5, sizeof(int), std::as_writable_bytes(std::span(numbers)));
        if (communicator.rank() == 1) {
            seen_by_leaver = communicator.leave(failure);
            return;
        }
        try {
            all_gather_parts(communicator, 5, sizeof(int), std::as_writable_bytes(std::span(numbers)));
        } catch (const RankEnded& ended) {
            EXPECT_NE(std::string(ended.what()).find("rank 1 failed"), std::string::npos);
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
        EXPECT_THROW(
            all_gather_parts(communicator, numbers.size(), sizeof(int), std::as_writable_bytes(std::span(numbers))),
            std::logic_error);
        if (communicator.rank() == 0) {
            EXPECT_THROW(static_cast<void>(communicator.agree_on_stop({})), std::logic_error);
        } else {
            EXPECT_THROW(all_gather_parts(communicator, 6, sizeof(int), std::as_writable_bytes(std::span(numbers))),
                         std::logic_error);
        }
    });
}

TEST(Communicator, CountsWhatItMoved) {
    support::ThreadCommunicator::run(4, [&](const Communicator& communicator) {
        std::vector<std::uint64_t> numbers(10);  // parts of 3, 3, 2 and 2
        all_gather_parts(communicator, 10, sizeof(std::uint64_t), std::as_writable_bytes(std::span(numbers)));
        const std::uint64_t own = communicator.rank() < 2 ? 3 : 2;
        EXPECT_EQ(communicator.traffic().bytes, (10 - own + 3) * sizeof(std::uint64_t));  // 3 words of the meeting
        EXPECT_EQ(communicator.traffic().meetings, 1U);
    });
}

}  // namespace
}  // namespace isogon::communicator_test
