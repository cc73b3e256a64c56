#include "verlet/near_panels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "pairs/spatial_order.hpp"
#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::near_panels_test {
namespace {

using reference::on_threads;

/// Panels on a line, one unit apart, the last of a few points.
MultiVector<float> on_a_line(Index panels) {
    MultiVector<float> y((panels - 1) * 48 + 5, 3);
    for (Index i = 0; i < y.rows(); ++i) {
        y.row(i)[0] = static_cast<float>(i / 48);
        y.row(i)[1] = i % 2 == 0 ? 3.0F : -3.0F;
    }
    return y;
}

TEST(NearPanels, AreThoseWhoseCentresAreNearest) {
    const NearPanels panels(on_a_line(20), 0.1, on_threads(2));
    ASSERT_EQ(panels.count(), 20U);
    EXPECT_EQ(panels.share(), 0.1);
    for (Index a = 0; a < 20; ++a) {
        for (Index b = 0; b < 20; ++b) {
            const Index apart = a < b ? b - a : a - b;
            const Index reach =
                a == 0 || b == 0 || a == 19 || b == 19 ? 2 : 1;  // two others, of which ends have one side
            EXPECT_EQ(panels.are_near(a, b), apart <= reach) << a << ", " << b;
            EXPECT_EQ(panels.are_near(a, b), panels.are_near(b, a));
        }
    }
}

TEST(NearPanels, AreAboutTheShareThatIsAskedFor) {
    constexpr Index count = 2000;
    const MultiVector<float> y = support::random_block(count * 48, 2, 1);
    const NearPanels panels(y, 0.05, on_threads(2));
    double near = 0.0;
    for (Index a = 0; a < count; a += 7) {
        for (Index b = 0; b < count; ++b) {
            ASSERT_EQ(panels.are_near(a, b), panels.are_near(b, a)) << a << ", " << b;
            ASSERT_EQ(panels.are_near(a, b), (panels.near_of(a)[b / 64] >> b % 64 & 1) != 0) << a << ", " << b;
            near += panels.are_near(a, b) ? 1.0 : 0.0;
        }
    }
    const double share = near / (count * (count / 7 + 1.0));
    EXPECT_GT(share, 0.05);  // the nearest of one are not always those of the other
    EXPECT_LT(share, 0.11);
}

TEST(NearPanels, HaveMostNearPairsOfPointsInAnOrderOfPlaces) {
    const MultiVector<float> made = support::random_block(4800, 5, 2);
    const std::vector<Index> order = spatial_order(made.view(), {});
    const auto share_of_near = [&](const std::vector<Index>& of_places) {
        MultiVector<float> y(made.rows(), made.columns());
        for (Index i = 0; i < y.rows(); ++i) {
            std::copy_n(made.row(of_places[i]), y.columns(), y.row(i));
        }
        const NearPanels panels(y, 0.1, on_threads(2));
        double near = 0.0;
        double found = 0.0;
        for (Index i = 0; i < y.rows(); i += 16) {
            for (Index j = 0; j < y.rows(); ++j) {
                double square = 0.0;
                for (Index k = 0; k < y.columns(); ++k) {
                    square += std::pow(double{y.row(i)[k]} - y.row(j)[k], 2);
                }
                if (i != j && square < 0.5) {
                    near += 1.0;
                    found += panels.are_near(i / 48, j / 48) ? 1.0 : 0.0;
                }
            }
        }
        EXPECT_GT(near, 1000.0);
        return found / near;
    };
    EXPECT_GT(share_of_near(order), 0.6);
    std::vector<Index> as_made(made.rows());
    std::iota(as_made.begin(), as_made.end(), Index{0});
    EXPECT_LT(share_of_near(as_made), 0.3);
}

TEST(NearPanels, AreToldForManyAtOnceAsForEach) {
    const NearPanels panels(support::random_block(48 * 200, 2, 4), 0.2, on_threads(2));
    for (Index panel = 0; panel < 200; panel += 9) {
        for (Index first = panel; first < 200; ++first) {
            const Index count = std::min<Index>(200 - first, 1 + (first * 5 + panel) % 64);
            std::uint64_t expected = 0;
            for (Index b = 0; b < count; ++b) {
                expected |= std::uint64_t{panels.are_near(first + b, panel)} << b;
            }
            ASSERT_EQ(panels.near_of(panel, first, count), expected) << panel << ", " << first << ", " << count;
        }
    }
}

TEST(NearPanels, EndWhereTheContextDoes) {
    const RunContext stopped = reference::cancelled(2);
    EXPECT_THROW(NearPanels(on_a_line(20), 0.1, stopped), Interruption);
}

TEST(NearPanels, AreAllWhereNothingTellsThemApart) {
    const NearPanels panels(MultiVector<float>(200, 4), 0.01, on_threads(1));
    EXPECT_TRUE(panels.are_near(0, 4));
    EXPECT_TRUE(NearPanels(MultiVector<float>(1, 1), 0.5, on_threads(1)).are_near(0, 0));
}

}  // namespace
}  // namespace isogon::near_panels_test
