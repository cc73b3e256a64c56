#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/registry/registry.hpp"
#include "reference/point_sets.hpp"
#include "support/matching_examples.hpp"
#include "support/quick_fits.hpp"

namespace isogon::awkward_inputs_test {
namespace {

using reference::on_threads;

bool is_finite(const Points& points) {
    return std::all_of(points.values().begin(), points.values().end(),
                       [](float value) { return std::isfinite(value); });
}

class EveryMethod : public testing::TestWithParam<std::string> {
protected:
    /// Runs the method in a way that takes little time; false if it refused the points with an error of its own.
    [[nodiscard]] static bool embed(const Points& x, Index dimension, Embedding& result) {
        const OptionValues options = support::quick_options(GetParam(), x.count(), dimension);
        const Points points = GetParam() == "nmf" ? reference::magnitudes(x) : x;
        try {
            result = find_method(GetParam()).embed(points.view(), options, on_threads(1));
            return true;
        } catch (const Error& error) {
            EXPECT_STRNE(error.what(), "");
            return false;
        }
    }

    static void expect_usable_or_refused(const Points& x, Index dimension) {
        Embedding result;
        if (embed(x, dimension, result)) {
            EXPECT_EQ(result.coordinates.count(), x.count());
            EXPECT_EQ(result.coordinates.dimension(), dimension);
            EXPECT_TRUE(is_finite(result.coordinates));
            EXPECT_TRUE(result.summary.usable());
            for (const auto& [what, value] : result.summary.measures) {
                EXPECT_TRUE(std::isfinite(value)) << what;
            }
        }
    }
};

INSTANTIATE_TEST_SUITE_P(Registry, EveryMethod, testing::ValuesIn(support::method_names()),
                         [](const auto& test) { return support::test_name(test.param); });

TEST_P(EveryMethod, GivesFiniteCoordinatesOrAnErrorForAwkwardPoints) {
    // A semidefinite program takes as long as ten of other methods' maps.
    const Index step = GetParam() == "sde" || GetParam() == "lsde" ? 4 : 1;
    for (Index count = 2; count <= 40; count += step) {
        for (const Index dimension : {Index{1}, Index{2}, std::min<Index>(count - 1, 7)}) {
            SCOPED_TRACE(std::to_string(count) + " points to " + std::to_string(dimension));
            expect_usable_or_refused(reference::awkward_points(count, 7, count), dimension);
            expect_usable_or_refused(reference::whole_points(count, 7, 1, count), dimension);
        }
    }
}

TEST_P(EveryMethod, RefusesPointsThatAreAllEqual) {
    Embedding result;
    EXPECT_FALSE(embed(reference::equal_points(9, 4), 2, result));
    EXPECT_FALSE(embed(Points(9, 4), 2, result));
}

TEST_P(EveryMethod, TakesMoreDimensionsThanThePointsHave) {
    const support::Matrix flat =
        support::to_matrix(support::clustered_points(60, 2, 5, 0.4, 1)) * support::random_matrix(2, 12, 2);
    for (const Index dimension : {1, 2, 3, 5, 12}) {
        SCOPED_TRACE(dimension);
        expect_usable_or_refused(support::to_points(flat), dimension);
    }
}

}  // namespace
}  // namespace isogon::awkward_inputs_test
