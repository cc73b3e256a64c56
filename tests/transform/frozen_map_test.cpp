#include "transform/frozen_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "isogon/methods/model.hpp"
#include "methods/forces.hpp"
#include "reference/point_sets.hpp"
#include "support/heaps.hpp"

namespace isogon::frozen_map_test {

namespace {

using support::heaps;

const std::vector<Index> neighbors{3, 7, 11};
const std::vector<double> weights{0.5, 0.3, 0.2};

/// sum p log(1 / q) of its definition.
double cross_entropy(const Points& map, const std::vector<double>& place) {
    double total = 0.0;
    for (Index l = 0; l < map.count(); ++l) {
        total += 1.0 / (1.0 + squared_distance(place.data(), map[l].data(), place.size()));
    }
    double sum = 0.0;
    for (std::size_t k = 0; k < neighbors.size(); ++k) {
        sum -= weights[k] *
               std::log(1.0 / (1.0 + squared_distance(place.data(), map[neighbors[k]].data(), place.size())) / total);
    }
    return sum;
}

TEST(FrozenRow, TheDivergenceFallsToWhereItsSlopeIsNearlyNothing) {
    for (const Index dimension : {1, 2, 3}) {
        const Points map = reference::random_points(40, dimension, 5);
        std::vector<double> place(dimension, 3.0);
        const double before = cross_entropy(map, place);
        const double after = settle_by_divergence({map.view(), neighbors, weights}, place);
        EXPECT_NEAR(after, cross_entropy(map, place), 1e-12);
        EXPECT_LT(after, before);
        constexpr double h = 1e-5;
        for (std::size_t c = 0; c < place.size(); ++c) {
            std::vector<double> above = place;
            std::vector<double> below = place;
            above[c] += h;
            below[c] -= h;
            EXPECT_NEAR((cross_entropy(map, above) - cross_entropy(map, below)) / (2.0 * h), 0.0, 0.002) << dimension;
        }
    }
}

TEST(FrozenRow, SamplesDrawItToItsNeighboursAndFollowTheStream) {
    Points map = reference::random_points(60, 2, 5);
    for (const Index j : neighbors) {
        map[j][0] += 8.0F;
    }
    std::vector<double> place{3.0, 0.0};
    settle_by_samples({map.view(), neighbors, weights}, {.epochs = 200}, 17, place);
    EXPECT_GT(place[0], 5.0);
    std::vector<double> again{3.0, 0.0};
    settle_by_samples({map.view(), neighbors, weights}, {.epochs = 200}, 17, again);
    EXPECT_EQ(place, again);
    std::vector<double> other{3.0, 0.0};
    settle_by_samples({map.view(), neighbors, weights}, {.epochs = 200}, 18, other);
    EXPECT_NE(place, other);
}

TEST(FrozenRow, AsksNoOtherRankAndCanBeCancelled) {
    const Points map = reference::random_points(60, 2, 5);
    std::vector<double> place{3.0, 0.0};
    RunContext context;
    int questions = 0;
    context.agree_on_stop = [&](std::optional<Termination> own) {
        ++questions;
        return own;
    };
    settle_by_samples({map.view(), neighbors, weights}, {.epochs = 20}, 17, place, context);
    EXPECT_EQ(questions, 0);
    context.agree_on_stop = nullptr;
    context.limit_seconds(0.0);
    EXPECT_THROW(settle_by_samples({map.view(), neighbors, weights}, {.epochs = 20}, 17, place, context), Interruption);
}

TEST(FrozenRow, OfExtremeMapsItIsANumber) {
    for (const float size : {0.0F, 1e-30F, 1e15F}) {
        const Points map = reference::scaled(reference::random_points(20, 2, 5), size / 10.0F);
        std::vector<double> place{double{size} / 3.0, 0.0};
        EXPECT_TRUE(std::isfinite(settle_by_divergence({map.view(), neighbors, weights}, place)));
        EXPECT_TRUE(std::isfinite(place[0]) && std::isfinite(place[1]));
        settle_by_samples({map.view(), neighbors, weights}, {.epochs = 20}, 1, place);
        EXPECT_TRUE(std::isfinite(place[0]) && std::isfinite(place[1]));
    }
}

Embedding fitted(const std::string& method, const Points& points) {
    return method == "umap" ? umap(points.view(), {.iterations = 90})
                            : tsne(points.view(), {.perplexity = 8.0, .iterations = 90});
}

Archive model_of(const std::string& method, const Points& points) {
    return make_model(method, points.view(), fitted(method, points));
}

class FrozenMaps : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Methods, FrozenMaps, testing::Values("umap", "tsne"),
                         [](const auto& test) { return test.param; });

TEST_P(FrozenMaps, FittedRowsGetTheirCoordinatesBitForBit) {
    const Points points = heaps(90);
    const Embedding result = fitted(GetParam(), points);
    const Transformer transformer(make_model(GetParam(), points.view(), result), {});
    EXPECT_TRUE(
        std::ranges::equal(transformer.transform(points.view(), {}).coordinates.values(), result.coordinates.values()));
    EXPECT_EQ(transformer.input_dimension(), 6U);
    EXPECT_EQ(transformer.output_dimension(), 2U);
    EXPECT_TRUE(transformer.has_map());
}

TEST_P(FrozenMaps, NewRowsFindTheirHeap) {
    const Points points = heaps(120);
    const Points others = heaps(40, 2);
    const Embedding result = fitted(GetParam(), points);
    const Archive model = make_model(GetParam(), points.view(), result);
    const Points placed = Transformer(model, {}).transform(others.view(), {}).coordinates;
    int same = 0;
    for (Index i = 0; i < 40; ++i) {
        const auto distance = [&](Index j) {
            return std::hypot(double{placed[i][0]} - double{result.coordinates[j][0]},
                              double{placed[i][1]} - double{result.coordinates[j][1]});
        };
        Index nearest = 0;
        for (Index j = 0; j < 120; ++j) {
            nearest = distance(j) < distance(nearest) ? j : nearest;
        }
        same += nearest % 4 == i % 4 ? 1 : 0;
    }
    EXPECT_EQ(same, 40);
}

TEST_P(FrozenMaps, EveryRowIsByItself) {
    const Points points = heaps(90);
    const Points others = reference::random_points(30, 6, 3);
    const Transformer transformer(model_of(GetParam(), points), {});
    const Points together = transformer.transform(others.view(), {.threads = 3}).coordinates;
    for (Index i = 0; i < 30; i += 3) {
        const PointsView one{others[i].data(), 1, 6};
        const Points alone = transformer.transform(one, {.threads = 1}).coordinates;
        EXPECT_TRUE(std::ranges::equal(alone[0], together[i]));
    }
    Points beside_a_far_one = others;
    std::fill(beside_a_far_one[0].begin(), beside_a_far_one[0].end(), 1e14F);
    const Points moved = transformer.transform(beside_a_far_one.view(), {}).coordinates;
    for (Index i = 1; i < 30; ++i) {
        EXPECT_TRUE(std::ranges::equal(moved[i], together[i])) << i;
    }
}

TEST(FrozenMap, FittedRowsAreFoundHoweverManyLieInTheirPlace) {
    Points points = heaps(90);
    for (Index i = 0; i < 40; ++i) {
        std::fill(points[i].begin(), points[i].end(), 0.0F);
        points[i][0] = 1.0F + static_cast<float>(i);  // one direction, forty lengths
    }
    const Embedding result = umap(points.view(), {.neighbors = 5, .metric = Metric::Cosine, .iterations = 30});
    const Archive model = make_model("umap", points.view(), result);
    const Points placed = Transformer(model, {}).transform(points.view(), {}).coordinates;
    EXPECT_TRUE(std::ranges::equal(placed.values(), result.coordinates.values()));
}

TEST_P(FrozenMaps, RowsFarAwayGetNumbers) {
    const Transformer transformer(model_of(GetParam(), heaps(60)), {});
    for (const float size : {1e-30F, 1e10F, 1e25F, std::numeric_limits<float>::max() / 4.0F}) {
        const Points far = reference::scaled(heaps(4), size / 20.0F);
        for (const float value : transformer.transform(far.view(), {}).coordinates.values()) {
            EXPECT_TRUE(std::isfinite(value)) << size;
        }
    }
}

TEST_P(FrozenMaps, CanBeCancelled) {
    const Transformer transformer(model_of(GetParam(), heaps(60)), {});
    const Transformed result = transformer.transform(heaps(20, 2).view(), reference::cancelled());
    EXPECT_EQ(result.summary.termination, Termination::Cancelled);
    EXPECT_TRUE(result.coordinates.empty());
}

}  // namespace

}  // namespace isogon::frozen_map_test
