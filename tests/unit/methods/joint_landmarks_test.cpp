#include "methods/joint_landmarks.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"
#include "isogon/neighbors/exact_neighbors.hpp"
#include "reference/point_sets.hpp"
#include "support/matching_examples.hpp"

namespace isogon::joint_landmarks_test {
namespace {

/// Clustered points with crude coordinates for every other one.
struct Example {
    Example() {
        for (Index i = 0; i < points.count(); i += 2) {
            fit.rows.push_back(i);
        }
        fit.inputs = read_rows(ViewRows(points.view()), fit.rows);
        fit.fitted.coordinates = reference::truncated(fit.inputs, 3);
        fit.fitted.summary.message = "fitted";
    }

    Summary extend(Points& into, const RunContext& context = {}, const NeighborLists* lists = nullptr) {
        PointsSink sink(into);
        return extend_by_llx(fit, ViewRows(points.view()), sink, {}, context, lists);
    }

    Points points = support::clustered_points(150, 10, 8, 0.6, 5);
    LandmarkFit fit;
};

TEST(JointLandmarks, KeepWhatTheFitSaidAndAddToIt) {
    Example example;
    Points all(150, 3);
    const Summary summary = example.extend(all);
    EXPECT_EQ(summary.message, "fitted");
    EXPECT_EQ(summary.value("landmarks"), 75.0);
    EXPECT_EQ(summary.value("placed"), 75.0);
    EXPECT_GT(summary.value("extension_iterations"), 0.0);
    for (Index l = 0; l < 75; ++l) {
        EXPECT_TRUE(std::ranges::equal(all[2 * l], example.fit.fitted.coordinates[l]));
    }
}

TEST(JointLandmarks, AStoppedExtensionWritesNothingAndSaysSo) {
    Example example;
    Points all(150, 3);
    RunContext context;
    context.limit_seconds(0.0);
    const Summary summary = example.extend(all, context);
    EXPECT_EQ(summary.termination, Termination::TimeLimit);
    EXPECT_NE(summary.message, "fitted");
    EXPECT_TRUE(std::ranges::all_of(all.values(), [](float value) { return value == 0.0F; }));
}

TEST(JointLandmarks, TooLittleMemoryAndTooShortListsAreRefused) {
    Example example;
    Points all(150, 3);
    RunContext context;
    context.memory_limit = 1000;
    EXPECT_THROW((void)example.extend(all, context), LimitExceeded);
    context.memory_limit = 20000;  // the points fit, the rest does not
    EXPECT_THROW((void)example.extend(all, context), LimitExceeded);
    const NeighborLists lists = exact_neighbors(example.points.view(), 3, Metric::Cosine);
    EXPECT_THROW((void)example.extend(all, {}, &lists), InvalidArgument);
}

}  // namespace
}  // namespace isogon::joint_landmarks_test
