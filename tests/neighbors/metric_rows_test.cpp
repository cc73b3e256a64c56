#include "neighbors/metric_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "isogon/core/error.hpp"
#include "reference/neighbors.hpp"
#include "reference/point_sets.hpp"
#include "support/messages.hpp"

namespace isogon::metric_rows_test {
namespace {

using support::says;

TEST(CentredRows, HaveTheMeanZeroAndALargestNumberOfAboutOne) {
    for (const float factor : {1e-40F, 1e-30F, 1.0F, 1e30F}) {
        const Points x = reference::scaled(reference::random_points(300, 9, 1, 2.0), factor);
        const Points rows = centred_rows(x.view(), {});
        for (Index i = 0; i < 300; ++i) {
            const auto row = rows[i];
            EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 0.0, 1e-6);
            const float largest = std::max(std::ranges::max(row), -std::ranges::min(row));
            EXPECT_GE(largest, 0.5F);
            EXPECT_LE(largest, 1.0F);
        }
    }
}

TEST(CentredRows, OfTheEndsOfFloat32AreFiniteAndThoseOfEqualNumbersZero) {
    constexpr float most = std::numeric_limits<float>::max();
    Points x(3, 2);
    x[0][0] = most;
    x[0][1] = -most;
    x[1][0] = x[1][1] = 0.1F;
    const Points rows = centred_rows(x.view(), {});
    EXPECT_EQ(rows[0][0], -rows[0][1]);
    EXPECT_TRUE(std::isfinite(rows[0][0]));
    EXPECT_EQ(rows[1][0], 0.0F);
    EXPECT_EQ(rows[2][1], 0.0F);
    EXPECT_THROW((void)centred_rows(x.view(), {.memory_limit = 8}), LimitExceeded);
}

TEST(RowsFor, OnlyBinaryMetricsLookAtTheNumbers) {
    Points x = reference::whole_points(6, 3, 1, 2);
    for (const Metric metric : {Metric::Hamming, Metric::Jaccard}) {
        EXPECT_NO_THROW(require_rows_for(metric, x.view(), "input"));
    }
    x[4][1] = 2.0F;
    EXPECT_NO_THROW(require_rows_for(Metric::Manhattan, x.view(), "input"));
    const std::string message =
        support::message_of<InputError>([&] { require_rows_for(Metric::Hamming, x.view(), "queries"); });
    EXPECT_TRUE(says(message, "queries, row 4, column 1: 2"));
}

TEST(DistanceBetween, IsTheDefinition) {
    const Points any = reference::random_points(30, 6, 1);
    const Points bits = reference::whole_points(30, 6, 1, 2);
    for (const std::string& text : metric_names()) {
        const Metric metric = find_metric(text);
        const Points& x = metric == Metric::Hamming || metric == Metric::Jaccard ? bits : any;
        for (Index i = 1; i < 30; ++i) {
            EXPECT_NEAR(distance_between(x[0], x[i], metric), reference::distance(x.view(), 0, x.view(), i, metric),
                        1e-6)
                << text;
        }
    }
    const std::vector<float> none(4);
    EXPECT_EQ(distance_between(none, none, Metric::Jaccard), 0.0);
    EXPECT_EQ(distance_between(none, none, Metric::Correlation), 1.0);
    EXPECT_THROW((void)distance_between(none, none, Metric::Precomputed), InvalidArgument);
}

}  // namespace
}  // namespace isogon::metric_rows_test
