#include "pairs/matching_problem.hpp"

#include <gtest/gtest.h>

#include <string>

#include "isogon/core/error.hpp"
#include "pairs/isolated_points.hpp"
#include "reference/point_sets.hpp"
#include "support/matching_examples.hpp"
#include "support/messages.hpp"

namespace isogon::matching_problem_test {
namespace {

using reference::on_threads;
using support::clustered_points;
using support::Matrix;
using support::says;
using support::to_matrix;

/// A hundred points in narrow cones, three that lie apart, and two zero vectors.
Points with_isolated_points() {
    Matrix x = Matrix::Zero(105, 8);
    x.topLeftCorner(100, 5) = to_matrix(clustered_points(100, 5, 4, 0.1, 1));
    x.row(100) << 0.3, 0.3, 0.3, 0.3, 0.3, 1.0, 0.0, 0.0;
    x.row(101) << -0.3, 0.3, 0.3, 0.3, 0.3, 0.0, 1.0, 0.0;
    x.row(102) << 0.3, -0.3, 0.3, 0.3, 0.3, 0.0, 0.0, 1.0;
    return support::to_points(x);
}

TEST(MatchingProblem, IsTheInputsAndTheirSimilaritiesWhereNothingIsIsolated) {
    const Points x = clustered_points(200, 6, 3, 0.3, 2);
    Summary summary;
    const MatchingProblem problem = prepare_matching(x.view(), 0.6, true, on_threads(2), summary);
    EXPECT_EQ(problem.points.local().data, x.view().data);
    EXPECT_EQ(problem.inputs, 200U);
    EXPECT_TRUE(problem.extended.empty());
    EXPECT_EQ(problem.similarities.upper.values, thresholded_similarities(x.view(), 0.6, on_threads(1)).upper.values);
    EXPECT_EQ(summary.value("isolated", -1.0), 0.0);
    EXPECT_EQ(summary.value("zero_vectors", -1.0), 0.0);
    EXPECT_EQ(summary.value("virtual_inputs", -1.0), 0.0);
    EXPECT_EQ(summary.value("support_pairs", -1.0), static_cast<double>(problem.similarities.upper.entries()));
    EXPECT_NEAR(summary.value("sparsity"), 1.0 - summary.value("support_pairs") / (0.5 * 200 * 199), 1e-12);
    EXPECT_TRUE(summary.warnings.empty());
}

TEST(MatchingProblem, BridgesIsolatedPointsAndCountsThem) {
    const Points x = with_isolated_points();
    Summary summary;
    const MatchingProblem problem = prepare_matching(x.view(), 0.9, true, on_threads(2), summary);
    EXPECT_EQ(summary.value("isolated"), 3.0);
    EXPECT_EQ(summary.value("zero_vectors"), 2.0);
    EXPECT_GT(summary.value("virtual_inputs"), 0.0);
    EXPECT_EQ(problem.inputs, 105U);
    EXPECT_EQ(problem.points.count(), 105U + summary.value("virtual_inputs"));
    EXPECT_EQ(problem.points.local().data, problem.extended.view().data);
    EXPECT_EQ(problem.similarities.size(), problem.points.count());
    const std::vector<Index> degrees = support_degrees(problem.similarities.upper);
    for (const Index i : {100, 101, 102}) {
        EXPECT_GT(degrees[i], 0U);
    }
    const Matrix whole = to_matrix(thresholded_similarities(problem.points, 0.9, on_threads(1)));
    EXPECT_EQ(to_matrix(problem.similarities), whole);
}

TEST(MatchingProblem, LeavesIsolatedPointsUnchangedOnRequest) {
    const Points x = with_isolated_points();
    Summary summary;
    const MatchingProblem problem = prepare_matching(x.view(), 0.9, false, on_threads(2), summary);
    EXPECT_EQ(problem.points.local().data, x.view().data);
    EXPECT_EQ(summary.value("isolated"), 3.0);
    EXPECT_EQ(summary.value("virtual_inputs", -1.0), 0.0);
}

TEST(MatchingProblem, WarnsOfManyIsolatedPointsAndOfUnreachableOnes) {
    Matrix x = Matrix::Zero(20, 12);
    x.topLeftCorner(12, 4) = to_matrix(clustered_points(12, 4, 2, 0.05, 3));
    for (Eigen::Index k = 0; k < 8; ++k) {
        x(12 + k, 4 + k) = 1.0;
    }
    Summary summary;
    static_cast<void>(prepare_matching(support::to_points(x).view(), 0.9, true, {}, summary));
    ASSERT_EQ(summary.warnings.size(), 2U);
    EXPECT_TRUE(says(summary.warnings[0], "8 of 20"));
    EXPECT_TRUE(says(summary.warnings[1], "8 points lie 90 degrees"));
}

TEST(MatchingProblem, RefusesInputsThatAreMostlyIsolated) {
    const Points x = clustered_points(60, 10, 60, 0.1, 4);
    const std::size_t isolated = isolated_points(thresholded_similarities(x.view(), 0.99, {})).size();
    ASSERT_GT(2 * isolated, 60U);
    Summary summary;
    const std::string text = support::message_of<InvalidArgument>(
        [&] { static_cast<void>(prepare_matching(x.view(), 0.99, true, {}, summary)); });
    EXPECT_EQ(text.find("threshold = "), 0U) << text;
    EXPECT_TRUE(says(text, std::to_string(isolated) + " of 60 points"));
    EXPECT_TRUE(says(text, "leaves 1% of all pairs above"));
}

TEST(MatchingProblem, RefusesPointsAtRightAnglesWithAnErrorToo) {
    const Points x = support::to_points(Matrix::Identity(6, 6));
    Summary summary;
    EXPECT_THROW(static_cast<void>(prepare_matching(x.view(), 0.5, true, {}, summary)), Error);
}

TEST(MatchingProblem, StatesAtLeastTheBytesThatSimilaritiesTake) {
    const Points x = clustered_points(500, 6, 3, 0.3, 5);
    const Similarities s = thresholded_similarities(x.view(), 0.6, {});
    const double density = static_cast<double>(s.upper.entries()) / (0.5 * 500 * 499);
    const std::uint64_t entries = s.upper.entries();
    EXPECT_GE(similarities_bytes(500, 6, density), entries * 20);
    EXPECT_GT(similarities_bytes(500, 6, 0.5), similarities_bytes(500, 6, 0.1));
    EXPECT_GT(similarities_bytes(1000, 6, 0.1), similarities_bytes(500, 6, 0.1));
    EXPECT_GE(similarities_bytes(4000000, 100, 1.0), 160000000000000ULL);
}

}  // namespace
}  // namespace isogon::matching_problem_test
