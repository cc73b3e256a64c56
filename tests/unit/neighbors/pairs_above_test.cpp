#include "isogon/neighbors/pairs_above.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "isogon/core/error.hpp"
#include "reference/neighbors.hpp"
#include "reference/point_sets.hpp"

namespace isogon::pairs_above_test {
namespace {

using reference::on_threads;

void expect_pairs(const Points& x, double cosine) {
    const CsrMatrix<float> upper = pairs_above(x.view(), cosine, on_threads(2));
    validate(upper);
    for (Index i = 0; i < x.count(); ++i) {
        std::size_t at = 0;
        const auto columns = upper.row_indices(i);
        for (Index j = i + 1; j < x.count(); ++j) {
            const double truth = 1.0 - reference::distance(x.view(), i, x.view(), j, Metric::Cosine);
            const bool listed = at < columns.size() && columns[at] == j;
            if (std::abs(truth - cosine) > 1e-6) {
                ASSERT_EQ(listed, truth > cosine) << i << ", " << j;
            }
            if (listed) {
                EXPECT_NEAR(double{upper.row_values(i)[at]}, truth, 2e-6);
                ++at;
            }
        }
        ASSERT_EQ(at, columns.size());
    }
}

TEST(PairsAbove, AreThoseOfTheDefinition) {
    for (const double cosine : {0.05, 0.5, 0.99}) {
        expect_pairs(reference::random_points(150, 4, 1), cosine);
        expect_pairs(reference::awkward_points(100, 3, 2), cosine);
        expect_pairs(reference::whole_points(90, 3, 2, 3), cosine);
    }
}

TEST(PairsAbove, OfFewOrZeroPointsAreNone) {
    EXPECT_EQ(pairs_above(Points().view(), 0.5).entries(), 0U);
    EXPECT_EQ(pairs_above(reference::random_points(1, 3, 4).view(), 0.5).entries(), 0U);
    EXPECT_EQ(pairs_above(Points(60, 3).view(), 0.5).entries(), 0U);
}

TEST(PairsAbove, AreTheSameBitsOnAnyNumberOfThreads) {
    const Points x = reference::random_points(1600, 5, 5);
    const CsrMatrix<float> one = pairs_above(x.view(), 0.8, on_threads(1));
    for (const int threads : {2, 3}) {
        const CsrMatrix<float> more = pairs_above(x.view(), 0.8, on_threads(threads));
        EXPECT_EQ(one.indices, more.indices);
        EXPECT_EQ(one.values, more.values);
    }
}

TEST(PairsAbove, BadCosinesAndTooLittleMemoryAreRefused) {
    const Points x = reference::equal_points(2000, 3);
    for (const double cosine : {0.0, 1.0, -0.5, std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_THROW((void)pairs_above(x.view(), cosine), InvalidArgument);
    }
    RunContext context;
    context.memory_limit = 1000000;  // the points fit, their two million pairs do not
    EXPECT_THROW((void)pairs_above(x.view(), 0.5, context), LimitExceeded);
}

}  // namespace
}  // namespace isogon::pairs_above_test
