#include "isogon/graph/mixture_error.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/point_sets.hpp"

namespace isogon::mixture_error_test {
namespace {

/// Each point is the mean of two landmarks, the last but for its first number.
CsrMatrix<double> means() {
    return {.rows = 2, .columns = 3, .offsets = {0, 2, 4}, .indices = {0, 1, 1, 2}, .values = {0.5, 0.5, 0.5, 0.5}};
}

TEST(MixtureError, IsTheRootMeanSquareOfWhatMixturesMiss) {
    Points landmarks(3, 2);
    landmarks[1][0] = 2.0F;
    landmarks[2][1] = 4.0F;
    Points x(2, 2);
    x[0][0] = 1.0F;
    x[1][0] = 1.0F;
    x[1][1] = 2.0F;
    EXPECT_EQ(mixture_error(x.view(), landmarks.view(), means()), 0.0);
    x[1][0] = 4.0F;
    EXPECT_NEAR(mixture_error(x.view(), landmarks.view(), means()), std::sqrt(9.0 / 2.0), 1e-12);
}

TEST(MixtureError, HasTheSameBitsOnAnyNumberOfThreadsAndStopsWhenAsked) {
    const Points x = reference::random_points(1000, 5, 1);
    CsrMatrix<double> z{.rows = 1000, .columns = 10};
    for (Index i = 0; i < 1000; ++i) {
        z.indices.insert(z.indices.end(), {i % 9, i % 9 + 1});
        z.values.insert(z.values.end(), {0.25, 0.75});
        z.offsets.push_back(z.indices.size());
    }
    const PointsView landmarks{x.view().data, 10, 5};
    const double one = mixture_error(x.view(), landmarks, z, reference::on_threads(1));
    EXPECT_GT(one, 0.0);
    EXPECT_EQ(mixture_error(x.view(), landmarks, z, reference::on_threads(3)), one);
    std::stop_source stop;
    stop.request_stop();
    RunContext context = reference::on_threads(2);
    context.stop = stop.get_token();
    EXPECT_THROW((void)mixture_error(x.view(), landmarks, z, context), Interruption);
}

}  // namespace
}  // namespace isogon::mixture_error_test
