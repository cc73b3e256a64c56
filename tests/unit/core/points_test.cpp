#include "isogon/core/points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "isogon/core/error.hpp"
#include "isogon/core/random.hpp"

namespace isogon::points_test {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

std::string refusal(const PointsView& points) {
    try {
        require_finite(points, "letters.npy");
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(Points, StartAtZeroAndHoldTheirShape) {
    const Points points(3, 2);
    EXPECT_EQ(points.count(), 3U);
    EXPECT_EQ(points.dimension(), 2U);
    for (const float value : points.values()) {
        EXPECT_EQ(value, 0.0F);
    }
    EXPECT_EQ(points.values().size(), 6U);
}

TEST(Points, RowsAreContiguousAndSharedWithTheView) {
    Points points(3, 2);
    points[1][0] = 5.0F;
    points[2][1] = 7.0F;
    EXPECT_EQ(points.values()[2], 5.0F);
    EXPECT_EQ(points.view()[1][0], 5.0F);
    EXPECT_EQ(points.view()[2][1], 7.0F);
    EXPECT_EQ(points.view().data, points.values().data());
}

TEST(Points, NothingIsEmptyAndSomethingIsNot) {
    EXPECT_TRUE(Points{}.empty());
    EXPECT_TRUE(PointsView{}.empty());
    EXPECT_TRUE(Points(0, 4).view().empty());
    EXPECT_TRUE(Points(4, 0).view().empty());
    EXPECT_FALSE(Points(1, 1).view().empty());
}

TEST(PointsView, AStrideSkipsWhatLiesBetweenPoints) {
    const std::vector<float> memory{1, 2, 99, 3, 4, 99};
    const PointsView points(memory.data(), 2, 2, 3);
    EXPECT_EQ(points[0][1], 2.0F);
    EXPECT_EQ(points[1][0], 3.0F);
    EXPECT_EQ(points[1].size(), 2U);
}

TEST(RequireFinite, TakesFiniteNumbersAndNoNumbersAtAll) {
    const std::vector<float> memory{1, -0.0F, std::numeric_limits<float>::max(),
                                    std::numeric_limits<float>::denorm_min()};
    EXPECT_EQ(refusal({memory.data(), 2, 2}), "");
    EXPECT_EQ(refusal({}), "");
}

TEST(RequireFinite, NamesTheFirstBadRowAndColumn) {
    const std::vector<float> memory{1, 2, 3, 4, 5, nan, infinity, nan, 9};
    const std::string message = refusal({memory.data(), 3, 3});
    for (const char* part : {"letters.npy", "row 1", "column 2", "NaN"}) {
        EXPECT_NE(message.find(part), std::string::npos) << part << " is not in: " << message;
    }
}

TEST(RequireFinite, TellsInfinityFromNaN) {
    const std::vector<float> memory{-infinity, nan};
    EXPECT_NE(refusal({memory.data(), 2, 1}).find("infinite"), std::string::npos);
}

TEST(RequireFinite, DoesNotLookBetweenPoints) {
    const std::vector<float> memory{1, nan, 2, nan};
    EXPECT_EQ(refusal({memory.data(), 2, 1, 2}), "");
}

TEST(Norms, AreEuclideanLengths) {
    const std::vector<float> memory{3, 4, 0, 0, -5, 12};
    EXPECT_EQ(norms({memory.data(), 3, 2}), (std::vector<double>{5.0, 0.0, 13.0}));
}

TEST(Norms, NeitherOverflowNorVanishWhereFloatSquaresWould) {
    const std::vector<float> memory{3e30F, 4e30F, 3e-30F, 4e-30F};
    const auto lengths = norms({memory.data(), 2, 2});
    EXPECT_NEAR(lengths[0] / 5e30, 1.0, 1e-6);
    EXPECT_NEAR(lengths[1] / 5e-30, 1.0, 1e-6);
}

TEST(Norms, AreTheSameForAPointAloneOrAmongOthers) {
    Random random(3, RandomStream::Test, 0);
    std::vector<float> memory(21 * 10);
    std::generate(memory.begin(), memory.end(), [&] { return static_cast<float>(random.normal()); });
    const std::vector<double> lengths = norms({memory.data(), 21, 9, 10});
    for (Index i = 0; i < 21; ++i) {
        EXPECT_EQ(norms({memory.data() + 10 * std::size_t{i}, 1, 9}).front(), lengths[i]);
    }
}

TEST(Norms, OfNoPointsAreNone) {
    EXPECT_TRUE(norms({}).empty());
}

}  // namespace
}  // namespace isogon::points_test
