#include "methods/forces/layout_edges.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <string>

#include "graph/calibrated_affinities.hpp"
#include "isogon/core/error.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"

namespace isogon::layout_edges_test {

namespace {

CsrMatrix<double> pair_of_points() {
    return {.rows = 2, .columns = 2, .offsets = {0, 1, 2}, .indices = {1, 0}, .values = {1, 1}};
}

TEST(GivenEdges, WithoutAffinitiesThereIsNothingToAsk) {
    EXPECT_NO_THROW(require_given_edges({}, 5, {{"perplexity", "7", true}}));
}

TEST(GivenEdges, AnOptionThatWouldChangeNothingIsRefused) {
    const CsrMatrix<double> weights = pair_of_points();
    EXPECT_NO_THROW(require_given_edges({.affinities = &weights}, 2, {{"perplexity", "7", false}}));
    try {
        require_given_edges({.affinities = &weights}, 2, {{"metric", "cosine", false}, {"perplexity", "7", true}});
        FAIL();
    } catch (const InvalidArgument& error) {
        EXPECT_NE(std::string(error.what()).find("perplexity = 7"), std::string::npos) << error.what();
    }
}

TEST(GivenEdges, NeighboursBesideThemAndBadOnesAreRefused) {
    const CsrMatrix<double> weights = pair_of_points();
    const NeighborLists lists{.size = 1, .indices = {1, 0}, .distances = {1, 1}};
    EXPECT_THROW(require_given_edges({.neighbors = &lists, .affinities = &weights}, 2, {}), InvalidArgument);
    EXPECT_THROW(require_given_edges({.affinities = &weights}, 3, {}), InputError);
}

TEST(NeighborAffinities, APerplexityTakesThreeTimesAsManyNeighbours) {
    for (const int neighbors : {3, 15, 90}) {
        EXPECT_EQ(neighbors_of_perplexity(neighbors / 3.0, 1000), neighbors);
    }
}

TEST(NeighborAffinities, AreThoseOfTheGraphAndSumToOne) {
    const Points points = reference::random_points(90, 4, 1);
    Summary summary;
    const CsrMatrix<float> p = neighbor_affinities(points.view(), {.neighbors = 24}, 8.0, summary, {});
    const CsrMatrix<double> truth = perplexity_affinities(reference::graph_of(points, 24), 8.0);
    ASSERT_EQ(p.indices, truth.indices);
    for (std::size_t e = 0; e < p.values.size(); ++e) {
        EXPECT_NEAR(p.values[e], truth.values[e] / 90.0, 1e-6 / 90.0);
    }
    EXPECT_NEAR(std::accumulate(p.values.begin(), p.values.end(), 0.0), 1.0, 1e-6);
    EXPECT_EQ(transpose(p).values, p.values);
    EXPECT_EQ(summary.seconds.size(), 2U);
}

TEST(NeighborAffinities, WithoutAPerplexityAllNeighboursWeighAlike) {
    const Points points = reference::random_points(4, 2, 1);
    Summary summary;
    const CsrMatrix<float> p = neighbor_affinities(points.view(), {.neighbors = 3}, std::nullopt, summary, {});
    EXPECT_EQ(p.values, std::vector<float>(12, 1.0F / 12.0F));
}

TEST(NeighborAffinities, APerplexityOfAsManyAsAllOthersIsTheLimitOfLesserOnes) {
    const Points points = reference::random_points(12, 3, 2);
    Summary summary;
    const auto weights = [&](double perplexity) {
        return neighbor_affinities(points.view(), {.neighbors = 11}, perplexity, summary, {});
    };
    const CsrMatrix<double> truth = perplexity_affinities(reference::graph_of(points, 11), 10.5);
    const CsrMatrix<float> most = weights(10.5);
    for (std::size_t e = 0; e < most.values.size(); ++e) {
        EXPECT_NEAR(most.values[e], truth.values[e] / 12.0, 1e-6 / 12.0);
    }
    const CsrMatrix<float> nearly = weights(10.9999999);
    EXPECT_EQ(weights(11.0).values, std::vector<float>(132, 1.0F / 132.0F));
    EXPECT_EQ(weights(11.5).values, weights(11.0).values);
    for (const float value : nearly.values) {
        EXPECT_NEAR(value, 1.0 / 132.0, 1e-5);
    }
}

TEST(NeighborAffinities, APerplexityMayBeAnyBelowTheNumberOfPoints) {
    EXPECT_EQ(fitting_perplexity({}, 1000), 30.0);
    EXPECT_EQ(fitting_perplexity({}, 31), 10.0);
    EXPECT_EQ(fitting_perplexity(10.0, 31), 10.0);
    EXPECT_EQ(fitting_perplexity(30.0, 31), 30.0);
    EXPECT_EQ(fitting_perplexity(30.99, 31), 30.99);
    EXPECT_EQ(fitting_perplexity(2.0, 4), 2.0);
    EXPECT_EQ(fitting_perplexity({}, 4), std::nullopt);
    const NeighborLists eight{.size = 8};
    EXPECT_EQ(fitting_perplexity({}, 1000, &eight), 8.0 / 3.0);
    EXPECT_EQ(fitting_perplexity(5.0, 1000, &eight), 5.0);
    const NeighborLists three{.size = 3};
    EXPECT_EQ(fitting_perplexity({}, 1000, &three), std::nullopt);
    EXPECT_GT(fitting_perplexity({}, 5), 1.0);
    EXPECT_THROW((void)fitting_perplexity(1.0, 100), InvalidArgument);
    try {
        (void)fitting_perplexity(31.0, 31);
        FAIL();
    } catch (const InvalidArgument& error) {
        EXPECT_NE(std::string(error.what()).find("below 31"), std::string::npos) << error.what();
    }
}

TEST(NeighborAffinities, ThreeTimesThePerplexityAreAskedForAndNoMoreThanThereAre) {
    EXPECT_EQ(neighbors_of_perplexity(30.0, 1000), 90);
    EXPECT_EQ(neighbors_of_perplexity(10.0, 31), 30);
    EXPECT_EQ(neighbors_of_perplexity(30.0, 31), 30);
    EXPECT_EQ(neighbors_of_perplexity(2.5, 31), 7);
    EXPECT_EQ(neighbors_of_perplexity(1.0, 2), 1);
}

}  // namespace

}  // namespace isogon::layout_edges_test
