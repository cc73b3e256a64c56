#include "isogon/core/communicator.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "isogon/core/error.hpp"
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

/// Number k of point i is 10 i + k.
Points numbered(Index count) {
    Points points(count, 3);
    for (Index i = 0; i < count; ++i) {
        std::iota(points[i].begin(), points[i].end(), 10.0F * static_cast<float>(i));
    }
    return points;
}

bool same(const Points& a, const Points& b) {
    return a.count() == b.count() && std::equal(a.values().begin(), a.values().end(), b.values().begin());
}

/// Ranks hold 4, no and 3 of 7 points; body(points) runs on each.
template <class Body>
void on_three(const Points& all, const Body& body) {
    support::ThreadCommunicator::run(3, [&](const Communicator& communicator) {
        const std::vector<Index> begins{0, 4, 4, 7};
        Points own(begins[communicator.rank() + 1] - begins[communicator.rank()], all.dimension());
        for (Index i = 0; i < own.count(); ++i) {
            std::copy_n(all[begins[communicator.rank()] + i].begin(), all.dimension(), own[i].begin());
        }
        body(DistributedPoints(own.view(), begins, communicator));
    });
}

TEST(DistributedPoints, AreAllLocalWithoutACommunicator) {
    const Points all = numbered(7);
    const DistributedPoints points = all.view();
    EXPECT_FALSE(points.is_distributed());
    EXPECT_EQ(points.count(), 7U);
    EXPECT_EQ(points.dimension(), 3U);
    EXPECT_EQ(points.local_range().size(), 7U);
    EXPECT_EQ(points.local().data, all.view().data);
    EXPECT_TRUE(same(points.gather_range({0, 7}), all));
    EXPECT_EQ(norms_of_all(points), norms(all.view()));
    EXPECT_TRUE(DistributedPoints().empty());
}

TEST(DistributedPoints, GiveAnyOfThemToAll) {
    const Points all = numbered(7);
    for (const std::vector<Index>& list : {std::vector<Index>{}, {6, 0, 4, 3, 0}, {1, 2}, {4, 5, 6}}) {
        Points expected(static_cast<Index>(list.size()), 3);
        for (Index k = 0; k < expected.count(); ++k) {
            std::copy_n(all[list[k]].begin(), 3, expected[k].begin());
        }
        EXPECT_TRUE(same(DistributedPoints(all.view()).gather_rows(list), expected));
        on_three(all, [&](const DistributedPoints& points) { EXPECT_TRUE(same(points.gather_rows(list), expected)); });
    }
    on_three(all, [&](const DistributedPoints& points) {
        EXPECT_EQ(points.count(), 7U);
        EXPECT_TRUE(same(points.gather_range({0, 7}), all));
        EXPECT_EQ(points.gather_range({3, 5}).values()[4], 41.0F);
    });
}

TEST(DistributedPoints, GatherWhatEachHasOfItsOwn) {
    const Points all = numbered(7);
    on_three(all, [&](const DistributedPoints& points) {
        EXPECT_EQ(norms_of_all(points), norms(all.view()));
        std::vector<int> numbers(7);
        for (std::size_t i = points.local_range().begin; i < points.local_range().end; ++i) {
            numbers[i] = static_cast<int>(i) + 1;
        }
        points.all_gather(std::as_writable_bytes(std::span(numbers)));
        EXPECT_EQ(numbers, (std::vector<int>{1, 2, 3, 4, 5, 6, 7}));
    });
}

TEST(DistributedPoints, AreDividedAlikeWithOtherNumbers) {
    const Points all = numbered(7);
    on_three(all, [&](const DistributedPoints& points) {
        const Points other(points.local().count, 5);
        EXPECT_EQ(points.with(other.view()).dimension(), 5U);
        EXPECT_EQ(points.with(other.view()).local_range().begin, points.local_range().begin);
        EXPECT_EQ(points.with(other.view()).count(), 7U);
    });
}

TEST(DistributedPoints, AllRanksNameTheFirstNumberThatIsNone) {
    Points all = numbered(7);
    on_three(all, [&](const DistributedPoints& points) { EXPECT_NO_THROW(require_all_finite(points, "input")); });
    all[6][0] = std::numeric_limits<float>::infinity();
    all[5][2] = std::numeric_limits<float>::quiet_NaN();
    const auto message = [](const DistributedPoints& points) -> std::string {
        try {
            require_all_finite(points, "input");
        } catch (const InputError& error) {
            return error.what();
        }
        return "nothing was thrown";
    };
    const std::string expected = message(all.view());
    EXPECT_NE(expected.find("row 5, column 2"), std::string::npos);
    on_three(all, [&](const DistributedPoints& points) { EXPECT_EQ(message(points), expected); });
}

}  // namespace
}  // namespace isogon::communicator_test
