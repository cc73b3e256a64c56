#include "io/growing_points.hpp"

#include <limits>

#include "unit/io/files.hpp"

namespace isogon::growing_points_test {
namespace {

using namespace test;

TEST(GrowingPoints, KeepsWhatItWasGiven) {
    const TemporaryFolder folder;
    const ByteStream stream(folder.file("x", "x"));
    GrowingPoints points(stream);
    std::vector<float> expected;
    for (int i = 0; i < 1000; ++i) {
        for (float& value : points.extend(3)) {
            value = static_cast<float>(expected.size());
            expected.push_back(value);
        }
    }
    const Dataset data = std::move(points).finish(3);
    EXPECT_EQ(data.points.count, 1000U);
    EXPECT_EQ(flat(data.points), expected);
    EXPECT_FALSE(data.mapped);
}

TEST(GrowingPoints, TakesAPlainFilesWordButNotAPackedOnes) {
    const TemporaryFolder folder;
    const ByteStream plain(folder.file("x", "x"));
    const ByteStream zipped(folder.file("y", gzip("x")));
    GrowingPoints sure(plain, 100000);
    GrowingPoints wary(zipped, 100000);
    EXPECT_GE(sure.values().capacity(), 100000U);
    EXPECT_LT(wary.values().capacity(), 2000U);
}

TEST(GrowingPoints, MoreRowsThanAnIndexCountsAreRefused) {
    const TemporaryFolder folder;
    const ByteStream stream(folder.file("x", "x"));
    EXPECT_NO_THROW(require_countable(stream, std::numeric_limits<Index>::max()));
    expect_input_error([&] { require_countable(stream, std::uint64_t{std::numeric_limits<Index>::max()} + 1); },
                       {"x", "4294967296 points"});
}

}  // namespace
}  // namespace isogon::growing_points_test
