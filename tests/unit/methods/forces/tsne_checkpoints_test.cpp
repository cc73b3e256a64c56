#include "methods/forces/tsne_checkpoints.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"
#include "support/heaps.hpp"

namespace isogon::tsne_checkpoints_test {
namespace {

using support::heaps;

bool same_bits(const Embedding& a, const Embedding& b) {
    return std::ranges::equal(a.coordinates.values(), b.coordinates.values());
}

TEST(TsneCheckpoints, GoesOnFromACheckpointToTheSameBits) {
    const Points points = heaps(80);
    const TsneOptions options{.iterations = 45};
    std::vector<Archive> taken;
    FitExtras watching;
    watching.checkpoint_seconds = 0.0;
    watching.checkpoint = [&](const Archive& archive) { taken.push_back(archive); };
    const Embedding whole = tsne(points.view(), options, {}, watching);
    ASSERT_EQ(taken.size(), 5U);
    for (const Archive& checkpoint : taken) {
        FitExtras extras;
        extras.resume = &checkpoint;
        EXPECT_TRUE(same_bits(whole, tsne(points.view(), options, {}, extras)));
    }
    FitExtras extras;
    extras.resume = taken.data();
    EXPECT_THROW((void)tsne(points.view(), {.iterations = 45, .exaggeration = 2.0}, {}, extras), InputError);
    EXPECT_THROW((void)tsne(heaps(81).view(), options, {}, extras), InputError);
}

TEST(TsneCheckpoints, ACheckpointIsOfOneCourse) {
    const Points points = heaps(60);
    std::vector<Archive> taken;
    FitExtras watching;
    watching.checkpoint_seconds = 0.0;
    watching.checkpoint = [&](const Archive& archive) { taken.push_back(archive); };
    (void)tsne(points.view(), {.iterations = 760}, {}, watching);
    FitExtras extras;
    extras.resume = &taken.back();
    EXPECT_EQ(tsne(points.view(), {.iterations = 770}, {}, extras).summary.value("iterations"), 770.0);
    EXPECT_THROW((void)tsne(points.view(), {.iterations = 750}, {}, extras), InputError);  // has made more
    extras.resume = taken.data();
    EXPECT_THROW((void)tsne(points.view(), {.iterations = 300}, {}, extras), InputError);  // exaggerates less long
}

}  // namespace
}  // namespace isogon::tsne_checkpoints_test
