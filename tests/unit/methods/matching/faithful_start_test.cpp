#include "methods/matching/faithful_start.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "isogon/linalg/truncated_svd.hpp"
#include "isogon/pairs/matching_problem.hpp"
#include "reference/point_sets.hpp"
#include "support/matching_examples.hpp"

namespace isogon::faithful_start_test {
namespace {

double length_of(const MultiVector<float>& y, Index i) {
    double square = 0.0;
    for (Index k = 0; k < y.columns(); ++k) {
        square += double{y.row(i)[k]} * double{y.row(i)[k]};
    }
    return std::sqrt(square);
}

TEST(OnSpheres, KeepsDirectionsAndSetsLengths) {
    Points coordinates(2, 2);
    coordinates[0][0] = 3.0F;
    coordinates[0][1] = 4.0F;
    coordinates[1][1] = -0.5F;
    const MultiVector<float> y = on_spheres(coordinates.view(), {10.0F, 1.0F}, 0);
    EXPECT_FLOAT_EQ(y.row(0)[0], 6.0F);
    EXPECT_FLOAT_EQ(y.row(0)[1], 8.0F);
    EXPECT_FLOAT_EQ(y.row(1)[0], 0.0F);
    EXPECT_FLOAT_EQ(y.row(1)[1], -1.0F);
}

TEST(OnSpheres, DrawsADirectionWhereThereIsNone) {
    const Points nowhere(3, 4);
    const std::vector<float> lengths{2.0F, 2.0F, 0.0F};
    const MultiVector<float> y = on_spheres(nowhere.view(), lengths, 1);
    EXPECT_NEAR(length_of(y, 0), 2.0, 1e-6);
    EXPECT_NEAR(length_of(y, 1), 2.0, 1e-6);
    EXPECT_EQ(length_of(y, 2), 0.0);
    EXPECT_NE(y.row(0)[0], y.row(1)[0]);
    EXPECT_NE(y.row(0)[0], on_spheres(nowhere.view(), lengths, 2).row(0)[0]);
}

TEST(TsmStart, IsOfTheDimensionAndCanBeCancelled) {
    const Points x = support::clustered_points(150, 20, 8, 0.7, 5);
    const FaithfulOptions options{.dimension = 3};
    RunContext context = reference::on_threads(1);
    Summary summary;
    const MatchingProblem problem = prepare_matching(x.view(), 0.7, false, context, summary);
    const Points projections = project(x.view(), truncated_svd(x.view(), 3, context), context);
    const Points start = tsm_start(problem.similarities, projections, options, context);
    EXPECT_EQ(start.count(), 150U);
    EXPECT_EQ(start.dimension(), 3U);
    std::stop_source stop;
    stop.request_stop();
    context.stop = stop.get_token();
    EXPECT_THROW((void)tsm_start(problem.similarities, projections, options, context), Interruption);
}

}  // namespace
}  // namespace isogon::faithful_start_test
