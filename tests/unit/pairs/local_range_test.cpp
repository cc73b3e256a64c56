#include "isogon/pairs/local_range.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "isogon/pairs/pair_tiles.hpp"
#include "support/thread_communicator.hpp"

namespace isogon::local_range_test {
namespace {

RunContext of(const Communicator& communicator) {
    RunContext context;
    context.communicator = &communicator;
    return context;
}

TEST(OwnPoints, AreAllOfThemWithoutACommunicator) {
    for (const Index count : {0U, 1U, 48U, 49U, 7000U}) {
        const Range points = local_points(count, {});
        EXPECT_EQ(points.begin, 0U);
        EXPECT_EQ(points.end, count);
        EXPECT_EQ(own_blocks(count, {}).size(), pair_blocks(count).blocks);
        std::vector<int> numbers(count, 5);
        all_gather_points(count, std::as_writable_bytes(std::span(numbers)), {});
        EXPECT_EQ(numbers, std::vector<int>(count, 5));
    }
}

TEST(OwnPoints, AreWholeBlocksThatFollowEachOther) {
    for (const Index count : {0U, 1U, 49U, 7000U}) {
        for (const std::size_t ranks : {1U, 2U, 5U}) {
            std::vector<Range> parts(ranks);
            support::ThreadCommunicator::run(ranks, [&](const Communicator& communicator) {
                parts[communicator.rank()] = local_points(count, of(communicator));
            });
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
        support::ThreadCommunicator::run(3, [&](const Communicator& communicator) {
            const Range own = local_points(count, of(communicator));
            std::vector<int> mine(all.size());
            std::copy(all.begin() + static_cast<std::ptrdiff_t>(own.begin * item),
                      all.begin() + static_cast<std::ptrdiff_t>(own.end * item),
                      mine.begin() + static_cast<std::ptrdiff_t>(own.begin * item));
            all_gather_points(count, std::as_writable_bytes(std::span(mine)), of(communicator));
            EXPECT_EQ(mine, all);
            const Range own_numbers = own_blocks(count, of(communicator));
            std::vector<std::size_t> numbers(blocks.size());
            for (std::size_t b = own_numbers.begin; b < own_numbers.end; ++b) {
                numbers[b] = blocks[b];
            }
            all_gather_blocks(count, std::as_writable_bytes(std::span(numbers)), of(communicator));
            EXPECT_EQ(numbers, blocks);
        });
    }
}

TEST(OwnPoints, AreAViewOfPointsThatAreAllHere) {
    const Points all(1000, 2);
    EXPECT_FALSE(distributed(all.view(), RunContext{}).is_distributed());
    support::ThreadCommunicator::run(3, [&](const Communicator& communicator) {
        const DistributedPoints points = distributed(all.view(), of(communicator));
        const Range own = local_points(1000, of(communicator));
        EXPECT_EQ(points.count(), 1000U);
        EXPECT_EQ(points.local_range().begin, own.begin);
        EXPECT_EQ(points.local_range().end, own.end);
        EXPECT_EQ(points.local().data, all.view().data + 2 * own.begin);
        EXPECT_EQ(distributed(points, of(communicator)).local().data, points.local().data);  // once is enough
        EXPECT_EQ(distributed(points.local(), 1000, of(communicator)).local_range().end, own.end);
    });
}

}  // namespace
}  // namespace isogon::local_range_test
