#include "transform/locally_linear_extension.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "isogon/core/error.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "reference/point_sets.hpp"
#include "support/matching_examples.hpp"

namespace isogon::joint_extension_test {

namespace {

using reference::on_threads;
using support::to_matrix;

/// Clustered points, of which the first 40 are new and the others fitted, with crude coordinates.
struct Example {
    Points all = support::clustered_points(160, 12, 8, 0.6, 5);
    PointsView rows{all.view()[0].data(), 40, 12};
    PointsView inputs{all.view()[40].data(), 120, 12};
    Points coordinates = reference::truncated(support::to_points(to_matrix(inputs)), 4);

    [[nodiscard]] Extended extend(const LocallyLinearOptions& options = {}, const RunContext& context = {}) const {
        return extend_jointly(rows, {inputs, coordinates.view()}, options, context);
    }
};

TEST(JointExtension, IsTheExtensionFromTheFittedPoints) {
    const Example example;
    const Extended result = example.extend();
    std::vector<Index> landmarks(120);
    std::iota(landmarks.begin(), landmarks.end(), Index{40});
    const auto expected = extend_locally_linearly(example.all.view(), {landmarks, example.coordinates.view()},
                                                  exact_neighbors(example.all.view(), 16, Metric::Cosine));
    ASSERT_EQ(result.coordinates.count(), 40);
    EXPECT_EQ(to_matrix(result.coordinates), to_matrix(expected.outputs).topRows(40));
    EXPECT_EQ(result.summary.value("landmarks"), 120.0);
    EXPECT_EQ(result.summary.value("unknown"), 40.0);
    EXPECT_EQ(result.summary.seconds.front().first, "neighbors");
}

TEST(JointExtension, UsesGivenLists) {
    const Example example;
    const NeighborLists lists = exact_neighbors(example.all.view(), 20, Metric::Euclidean);
    const Extended result = extend_jointly(example.rows, {example.inputs, example.coordinates.view()}, {}, {}, &lists);
    std::vector<Index> landmarks(120);
    std::iota(landmarks.begin(), landmarks.end(), Index{40});
    const auto expected =
        extend_locally_linearly(example.all.view(), {landmarks, example.coordinates.view()}, lists).outputs;
    EXPECT_EQ(to_matrix(result.coordinates), to_matrix(expected).topRows(40));
    EXPECT_NE(to_matrix(result.coordinates), to_matrix(example.extend().coordinates));
}

TEST(JointExtension, DoesNotDependOnThreads) {
    const Example example;
    EXPECT_EQ(to_matrix(example.extend({}, on_threads(1)).coordinates),
              to_matrix(example.extend({}, on_threads(3)).coordinates));
}

TEST(JointExtension, CanBeCancelledAndRefusesWhatCannotBe) {
    Example example;
    const Extended none = example.extend({}, reference::cancelled());
    EXPECT_TRUE(none.coordinates.empty());
    EXPECT_EQ(none.summary.termination, Termination::Cancelled);
    RunContext little;
    little.memory_limit = 1000;
    EXPECT_THROW((void)example.extend({}, little), LimitExceeded);
    EXPECT_THROW((void)example.extend({.ridge = -1.0}), InvalidArgument);
    example.all[3][2] = NAN;
    EXPECT_THROW((void)example.extend(), InputError);
    example.rows.count = 0;
    EXPECT_TRUE(example.extend().coordinates.empty());
}

}  // namespace

}  // namespace isogon::joint_extension_test
