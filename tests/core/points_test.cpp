#include "isogon/core/points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "isogon/core/error.hpp"

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
    EXPECT_TRUE(norms({}, {.threads = 2}).empty());
}

TEST(Norms, HaveTheSameBitsOnAnyNumberOfThreads) {
    Random random(4, RandomStream::Test, 0);
    Points points(2500, 7);
    std::ranges::generate(points.values(), [&] { return static_cast<float>(random.normal()); });
    const std::vector<double> lengths = norms(points.view());
    for (const int threads : {1, 2, 3}) {
        EXPECT_EQ(norms(points.view(), {.threads = threads}), lengths);
    }
}

Points numbered(Index count, Index dimension) {
    Points points(count, dimension);
    std::iota(points.values().begin(), points.values().end(), 0.0F);
    return points;
}

TEST(Rows, AViewGivesAnyRunOfRows) {
    const Points points = numbered(5, 4);
    const ViewRows rows(PointsView(points.values().data(), 5, 3, 4));  // the last number of each left out
    ASSERT_EQ(rows.count(), 5U);
    ASSERT_EQ(rows.dimension(), 3U);
    std::vector<float> values(6);
    rows.read(3, values);
    EXPECT_EQ(values, (std::vector<float>{12, 13, 14, 16, 17, 18}));
}

TEST(Rows, ChosenRowsComeInTheirOrder) {
    const Points points = numbered(6, 2);
    const std::array<Index, 3> chosen{5, 0, 3};
    const Points read = read_rows(ViewRows(points.view()), chosen);
    EXPECT_EQ(std::vector<float>(read.values().begin(), read.values().end()), (std::vector<float>{10, 11, 0, 1, 6, 7}));
}

TEST(Rows, ASinkPutsBlocksOneAfterTheOther) {
    const Points points = numbered(7, 3);
    Points kept(7, 3);
    PointsSink sink(kept);
    sink.write({points[0].data(), 2, 3});
    sink.write({points[2].data(), 5, 3});
    EXPECT_TRUE(std::ranges::equal(kept.values(), points.values()));
}

TEST(Rows, BlocksHaveAboutTheSameBytes) {
    EXPECT_EQ(rows_per_block(1000000, 1000), 8000U);
    EXPECT_EQ(rows_per_block(1000000, 1000, 1536), 7680U);
    EXPECT_EQ(rows_per_block(100, 1000, 1536), 100U);
    EXPECT_EQ(rows_per_block(1000000, 100000, 1536), 80U);  // fewer than a multiple would be too many bytes
    EXPECT_EQ(rows_per_block(1000000, 1000000000), 1U);
}

TEST(Rows, WithoutANumberTheyAreAllOneBlock) {
    EXPECT_EQ(rows_per_block(100, 0), 100U);
    EXPECT_NO_THROW(require_finite(ViewRows(Points(100, 0).view()), {}));
    class Rows final : public RowSource {  // which does not know of itself that it is finite
    public:
        [[nodiscard]] Index count() const override { return 100; }
        [[nodiscard]] Index dimension() const override { return 0; }
        void read(Index, std::span<float> values) const override { EXPECT_TRUE(values.empty()); }
    };
    EXPECT_NO_THROW(require_finite(Rows(), {}));
}

class OneBadValue : public testing::TestWithParam<float> {};

TEST_P(OneBadValue, IsNamedByRowAndColumn) {
    // So many rows that they are several blocks.
    constexpr Index count = 20000;
    constexpr Index dimension = 1000;
    class Rows final : public RowSource {
    public:
        [[nodiscard]] Index count() const override { return 20000; }
        [[nodiscard]] Index dimension() const override { return 1000; }
        void read(Index first, std::span<float> values) const override {
            std::ranges::fill(values, 0.0F);
            const std::size_t rows = values.size() / 1000;
            if (first <= 17000 && 17000 < first + rows) {
                values[(17000 - first) * std::size_t{1000} + 7] = GetParam();
            }
        }
    };
    const Rows rows;
    ASSERT_LT(rows_per_block(count, dimension), count);
    if (std::isfinite(GetParam())) {
        EXPECT_NO_THROW(require_finite(rows, {}));
        return;
    }
    try {
        require_finite(rows, {});
        FAIL() << "was taken";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("row 17000, column 7"), std::string::npos) << error.what();
    }
}

INSTANTIATE_TEST_SUITE_P(Values, OneBadValue, testing::Values(3e38F, std::nanf(""), INFINITY, -INFINITY));

TEST(Rows, FiniteRowsAreCheckedWhenTheyAreRead) {
    Points points = numbered(6, 3);
    points[4][2] = std::nanf("");
    const ViewRows rows(points.view());
    const FiniteRows finite(rows);
    EXPECT_EQ(finite.count(), 6U);
    EXPECT_EQ(finite.dimension(), 3U);
    EXPECT_EQ(finite.place(4), rows.place(4));
    std::vector<float> values(6);
    finite.read(1, values);
    EXPECT_EQ(values, (std::vector<float>{3, 4, 5, 6, 7, 8}));
    try {
        finite.read(3, values);
        FAIL() << "was taken";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("row 4, column 2"), std::string::npos) << error.what();
    }
}

TEST(Rows, CheckingCanBeStopped) {
    std::stop_source source;
    source.request_stop();
    RunContext context;
    context.stop = source.get_token();
    const Points points = numbered(5, 4);
    EXPECT_THROW(require_finite(ViewRows(points.view()), context), Interruption);
}

TEST(SquaredDistance, IsTheSumOfSquaredDifferences) {
    const std::array<double, 3> u{1.0, -2.0, 0.5};
    const std::array<double, 3> v{4.0, 2.0, 0.5};
    EXPECT_EQ(squared_distance(u.data(), v.data(), 3), 25.0);
    EXPECT_EQ(squared_distance(u.data(), u.data(), 3), 0.0);
    EXPECT_EQ(squared_distance(u.data(), v.data(), 0), 0.0);
}

TEST(SquaredDistance, TakesDifferencesOfFloatsInFloat64) {
    // In float32 the difference would be rounded to 2^25, and its square would overflow for the largest numbers.
    const std::array<float, 1> u{33554432.0F};
    const std::array<float, 1> v{-1.0F};
    EXPECT_EQ(squared_distance(u.data(), v.data(), 1), 33554433.0 * 33554433.0);
    const std::array<float, 1> most{std::numeric_limits<float>::max()};
    EXPECT_LT(squared_distance(most.data(), v.data(), 1), std::numeric_limits<double>::infinity());
}

TEST(SquaredDistance, MixesWidths) {
    const std::vector<double> u{0.1, 0.2};
    const std::vector<float> v{0.1F, 0.2F};
    const std::vector<double> wide(v.begin(), v.end());
    EXPECT_EQ(squared_distance(u.data(), v.data(), 2), squared_distance(u.data(), wide.data(), 2));
    EXPECT_EQ(squared_distance(v.data(), u.data(), 2), squared_distance(u.data(), v.data(), 2));
}

}  // namespace
}  // namespace isogon::points_test
