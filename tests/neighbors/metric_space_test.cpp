#include "neighbors/metric_space.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "pairs/pair_tiles.hpp"
#include "pairs/tile_kernel.hpp"
#include "reference/neighbors.hpp"
#include "reference/point_sets.hpp"

namespace isogon::metric_space_test {
namespace {

using reference::on_threads;

class Space : public testing::TestWithParam<Metric> {};

INSTANTIATE_TEST_SUITE_P(Metrics, Space, testing::Values(Metric::Cosine, Metric::InnerProduct, Metric::Euclidean));

/// The unit of the distances of a query.
double unit_of(const MetricSpace& space, Index query) {
    return double{space.in_unit_of_input(query, 1.0F)};
}

TEST_P(Space, KeysAreTheDistancesUpToTheRoundingThatIsAllowedFor) {
    for (const double shift : {0.0, 3.0, 1000.0}) {
        const Points queries = reference::random_points(60, 9, 1, shift);
        const Points points = reference::random_points(100, 9, 2, shift);
        const MetricSpace space({queries.view(), points.view(), GetParam()});
        for_each_cross_tile(
            space.pack_queries(on_threads(1)), space.pack_points(on_threads(1)), on_threads(1), [&](PairTile& tile) {
                for (Index i = 0; i < tile.rows; ++i) {
                    for (Index j = 0; j < tile.columns; ++j) {
                        const Index q = tile.first_row + i;
                        const Index p = tile.first_column + j;
                        const float key = tile.values[i * tile_width + j];
                        const double least = space.least_distance(q, key) * unit_of(space, q);
                        const double truth = reference::distance(queries.view(), q, points.view(), p, GetParam());
                        const double scale = GetParam() == Metric::Cosine ? 1.0 : 9.0 * (shift + 1.0) * (shift + 1.0);
                        ASSERT_LE(least, truth + 1e-12 * scale);
                        ASSERT_GE(least, truth - 1e-4 * (std::abs(truth) + scale));
                    }
                }
            });
    }
}

TEST_P(Space, NoPairAsNearHasALesserKeyThanTheLeast) {
    const Points points = reference::whole_points(100, 4, 3, 5);
    const MetricSpace space({points.view(), points.view(), GetParam()});
    std::size_t below = 0;
    for_each_cross_tile(
        space.pack_queries(on_threads(1)), space.pack_points(on_threads(1)), on_threads(1), [&](PairTile& tile) {
            for (Index i = 0; i < tile.rows; ++i) {
                for (Index j = 0; j < tile.columns; ++j) {
                    const Index q = tile.first_row + i;
                    const double key = tile.values[i * tile_width + j];
                    const float distance = space.comparable_distance(q, tile.first_column + j);
                    ASSERT_LE(space.least_key(q, distance), key);
                    below += key < space.least_key(q, distance - std::abs(distance) * 0.1F - 1e-3F) ? 1U : 0U;
                }
            }
        });
    EXPECT_GT(below, 4000U);
}

TEST_P(Space, SomeQueriesArePackedAsAllAre) {
    const Points queries = reference::random_points(60, 9, 1);
    const Points points = reference::random_points(100, 9, 2);
    const MetricSpace space({queries.view(), points.view(), GetParam()});
    const PackedPoints all = space.pack_queries(on_threads(1));
    const PackedPoints some = space.pack_queries(std::vector<Index>{59, 3}, on_threads(1));
    for (Index k = 0; k < all.depth(); ++k) {
        EXPECT_EQ(some.at(0, k), all.at(59, k));
        EXPECT_EQ(some.at(1, k), all.at(3, k));
    }
}

TEST_P(Space, DistancesAreTheSameBothWaysAndThoseOfTheDefinition) {
    const Points x = reference::random_points(30, 17, 3);
    const MetricSpace space({x.view(), x.view(), GetParam()});
    for (Index i = 0; i < 30; ++i) {
        for (Index j = 0; j < 30; ++j) {
            EXPECT_EQ(space.distance(i, j), space.distance(j, i));
            EXPECT_NEAR(double{space.distance(i, j)}, reference::distance(x.view(), i, x.view(), j, GetParam()), 3e-5);
        }
    }
}

TEST(SpaceOfInnerProducts, TellsProductsApartThatFloatDoesNotHold) {
    const Points x = reference::random_points(30, 17, 3);
    const MetricSpace space({x.view(), x.view(), Metric::InnerProduct});
    for (const float factor : {0x1p-100F, 0x1p100F}) {
        const Points y = reference::scaled(x, factor);
        const MetricSpace other({y.view(), y.view(), Metric::InnerProduct});
        for (Index i = 0; i < 30; ++i) {
            for (Index j = 0; j < 30; ++j) {
                EXPECT_EQ(other.comparable_distance(i, j), space.comparable_distance(i, j));
                EXPECT_TRUE(std::isfinite(other.distance(i, j)));
            }
        }
    }
}

TEST(SpaceOfCosines, SmallAnglesKeepTheirDigits) {
    // cos(angle) is 1 in float32 for angles below 2e-4; the distance still tells them apart.
    Points x(2, 2);
    x[0][0] = 1.0F;
    x[1][0] = 1.0F;
    for (const double angle : {1e-3, 1e-4, 1e-5}) {
        x[1][1] = static_cast<float>(angle);
        const MetricSpace space({x.view(), x.view(), Metric::Cosine});
        EXPECT_NEAR(double{space.distance(0, 1)} / (0.5 * angle * angle), 1.0, 1e-2);
    }
}

TEST(SpaceOfCosines, AZeroVectorIsAtRightAnglesToAll) {
    const Points x = reference::awkward_points(13, 3, 4);
    const MetricSpace space({x.view(), x.view(), Metric::Cosine});
    EXPECT_EQ(space.distance(6, 1), 1.0F);
    EXPECT_EQ(space.distance(6, 12), 1.0F);
}

TEST(MetricSpaceOf, MetricsThatAreNoFunctionOfProductsIsRefused) {
    const Points x = reference::random_points(9, 3, 1);
    for (const Metric metric : {Metric::Manhattan, Metric::Correlation, Metric::Hamming, Metric::Precomputed}) {
        EXPECT_THROW((void)MetricSpace({x.view(), x.view(), metric}), InvalidArgument);
    }
}

}  // namespace
}  // namespace isogon::metric_space_test
