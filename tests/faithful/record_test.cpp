#include "faithful/record.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"
#include "isogon/faithful/faithful.hpp"
#include "reference/point_sets.hpp"

namespace isogon::record_test {
namespace {

/// The least limit that is enough.
std::uint64_t least(const Points& x, const FaithfulOptions& options, const FitExtras& extras = {}) {
    std::uint64_t limit = 1;
    for (std::uint64_t step = std::uint64_t{1} << 40; step > 0; step /= 2) {
        RunContext context;
        context.memory_limit = limit + step;
        try {
            state_faithful(x.view(), options, 5, extras, context);
        } catch (const LimitExceeded&) {
            limit += step;
        }
    }
    return limit + 1;
}

TEST(StateFaithful, StatesUnitVectorsAndCheckpoints) {
    const Points x = reference::random_points(1000, 400, 3);
    FaithfulOptions options{.dimension = 4, .neighbors = 5};
    const std::uint64_t by_distance = least(x, options);
    options.metric = Metric::Cosine;
    EXPECT_EQ(least(x, options) - by_distance, std::uint64_t{1000} * 400 * sizeof(float));
    const Points narrow = reference::random_points(20000, 4, 3);
    options = {.dimension = 4, .neighbors = 5};
    EXPECT_GT(least(narrow, options, {.checkpoint = [](const Archive&) {}}), least(narrow, options));
}

}  // namespace
}  // namespace isogon::record_test
