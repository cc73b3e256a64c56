#include "isogon/core/divided_points.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "isogon/core/error.hpp"
#include "support/thread_team.hpp"

namespace isogon::divided_points_test {
namespace {

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
    support::ThreadTeam::run(3, [&](const Team& team) {
        const std::vector<Index> begins{0, 4, 4, 7};
        Points own(begins[team.rank() + 1] - begins[team.rank()], all.dimension());
        for (Index i = 0; i < own.count(); ++i) {
            std::copy_n(all[begins[team.rank()] + i].begin(), all.dimension(), own[i].begin());
        }
        body(DividedPoints(own.view(), begins, team));
    });
}

TEST(DividedPoints, AreAllHereWithoutATeam) {
    const Points all = numbered(7);
    const DividedPoints points = all.view();
    EXPECT_FALSE(points.divided());
    EXPECT_EQ(points.count(), 7U);
    EXPECT_EQ(points.dimension(), 3U);
    EXPECT_EQ(points.own().size(), 7U);
    EXPECT_EQ(points.here().data, all.view().data);
    EXPECT_TRUE(same(points.some({0, 7}), all));
    EXPECT_EQ(norms_of_all(points), norms(all.view()));
    EXPECT_TRUE(DividedPoints().empty());
}

TEST(DividedPoints, GiveAnyOfThemToAll) {
    const Points all = numbered(7);
    for (const std::vector<Index>& list : {std::vector<Index>{}, {6, 0, 4, 3, 0}, {1, 2}, {4, 5, 6}}) {
        Points expected(static_cast<Index>(list.size()), 3);
        for (Index k = 0; k < expected.count(); ++k) {
            std::copy_n(all[list[k]].begin(), 3, expected[k].begin());
        }
        EXPECT_TRUE(same(DividedPoints(all.view()).chosen(list), expected));
        on_three(all, [&](const DividedPoints& points) { EXPECT_TRUE(same(points.chosen(list), expected)); });
    }
    on_three(all, [&](const DividedPoints& points) {
        EXPECT_EQ(points.count(), 7U);
        EXPECT_TRUE(same(points.some({0, 7}), all));
        EXPECT_EQ(points.some({3, 5}).values()[4], 41.0F);
    });
}

TEST(DividedPoints, GatherWhatEachHasOfItsOwn) {
    const Points all = numbered(7);
    on_three(all, [&](const DividedPoints& points) {
        EXPECT_EQ(norms_of_all(points), norms(all.view()));
        std::vector<int> numbers(7);
        for (std::size_t i = points.own().begin; i < points.own().end; ++i) {
            numbers[i] = static_cast<int>(i) + 1;
        }
        points.gather(std::as_writable_bytes(std::span(numbers)));
        EXPECT_EQ(numbers, (std::vector<int>{1, 2, 3, 4, 5, 6, 7}));
    });
}

TEST(DividedPoints, AreDividedAlikeWithOtherNumbers) {
    const Points all = numbered(7);
    on_three(all, [&](const DividedPoints& points) {
        const Points other(points.here().count, 5);
        EXPECT_EQ(points.with(other.view()).dimension(), 5U);
        EXPECT_EQ(points.with(other.view()).own().begin, points.own().begin);
        EXPECT_EQ(points.with(other.view()).count(), 7U);
    });
}

TEST(DividedPoints, AllRanksNameTheFirstNumberThatIsNone) {
    Points all = numbered(7);
    on_three(all, [&](const DividedPoints& points) { EXPECT_NO_THROW(require_all_finite(points, "input")); });
    all[6][0] = std::numeric_limits<float>::infinity();
    all[5][2] = std::numeric_limits<float>::quiet_NaN();
    const auto message = [](const DividedPoints& points) -> std::string {
        try {
            require_all_finite(points, "input");
        } catch (const InputError& error) {
            return error.what();
        }
        return "nothing was thrown";
    };
    const std::string expected = message(all.view());
    EXPECT_NE(expected.find("row 5, column 2"), std::string::npos);
    on_three(all, [&](const DividedPoints& points) { EXPECT_EQ(message(points), expected); });
}

}  // namespace
}  // namespace isogon::divided_points_test
