#include "isogon/distributed/distributed_points.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "isogon/core/error.hpp"
#include "support/messages.hpp"
#include "support/thread_communicator.hpp"

namespace isogon::distributed_points_test {
namespace {

using support::says;

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
    EXPECT_TRUE(says(expected, "row 5, column 2"));
    on_three(all, [&](const DistributedPoints& points) { EXPECT_EQ(message(points), expected); });
}

}  // namespace
}  // namespace isogon::distributed_points_test
