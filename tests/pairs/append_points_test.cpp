// append_points must give the bits that thresholded_similarities gives for all points at once, for any cut.
#include <gtest/gtest.h>

#include "core/random.hpp"
#include "pairs/similarities.hpp"

namespace isogon::append_points_test {
namespace {

Points random_points(Index count, Index dimension, std::uint64_t seed) {
    Points points(count, dimension);
    for (Index i = 0; i < count; ++i) {
        Random random(seed, RandomStream::Test, i);
        for (float& value : points[i]) {
            value = static_cast<float>(random.normal() + 0.5);
        }
    }
    return points;
}

class AppendPoints : public ::testing::TestWithParam<std::pair<Index, Index>> {};

TEST_P(AppendPoints, EqualsAllAtOnce) {
    const auto [count, known] = GetParam();
    constexpr double threshold = 0.3;
    const RunContext context;
    const Points all = random_points(count, 7, count + known);
    const Similarities whole = thresholded_similarities(all.view(), threshold, context);
    Similarities grown = thresholded_similarities(PointsView(all.values().data(), known, 7), threshold, context);
    append_points(all.view(), grown, context);

    EXPECT_NO_THROW(validate(grown.upper));
    ASSERT_EQ(grown.upper.offsets, whole.upper.offsets);
    ASSERT_EQ(grown.upper.indices, whole.upper.indices);
    EXPECT_EQ(grown.upper.values, whole.upper.values);
    EXPECT_EQ(grown.diagonal, whole.diagonal);
    EXPECT_EQ(grown.squared_norm, whole.squared_norm);
    EXPECT_EQ(grown.unthresholded_sum, whole.unthresholded_sum);
}

INSTANTIATE_TEST_SUITE_P(Cuts, AppendPoints,
                         ::testing::Values(std::pair<Index, Index>{3, 1}, std::pair<Index, Index>{50, 49},
                                           std::pair<Index, Index>{97, 48}, std::pair<Index, Index>{300, 211},
                                           std::pair<Index, Index>{300, 300}));

}  // namespace
}  // namespace isogon::append_points_test
