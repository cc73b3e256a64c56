#include "methods/spectral/spectral_neighbors.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "isogon/core/error.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "reference/graphs.hpp"

namespace isogon::spectral_neighbors_test {

namespace {

TEST(SpectralNeighbors, AreTheUsersWhereThereAreAny) {
    const Points points = reference::random_points(50, 3, 1);
    NeighborLists given = reference::euclidean_lists(points, 6);
    std::swap(given.indices[0], given.indices[1]);
    Summary summary;
    const NeighborLists lists = neighbors_of(points.view(), {.neighbors = 4, .given = &given}, summary, {});
    EXPECT_EQ(lists.size, 4U);
    EXPECT_EQ(lists[0][0], given[0][0]);
    EXPECT_EQ(lists.distances_of(3)[2], given.distances_of(3)[2]);
}

TEST(SpectralNeighbors, ComputeDistancesThatAreMissing) {
    const Points points = reference::awkward_points(60, 4, 2);
    for (const Metric metric : {Metric::Euclidean, Metric::Cosine}) {
        const NeighborLists expected = exact_neighbors(points.view(), 5, metric);
        NeighborLists given = expected;
        given.distances.clear();
        Summary summary;
        const NeighborLists lists =
            neighbors_of(points.view(), {.neighbors = 5, .metric = metric, .given = &given}, summary, {});
        for (std::size_t k = 0; k < lists.distances.size(); ++k) {
            EXPECT_NEAR(lists.distances[k], expected.distances[k], 1e-5);
        }
    }
}

TEST(SpectralNeighbors, AmongFewLandmarksAreAllOthers) {
    const Points points = reference::random_points(5, 3, 3);
    Summary summary;
    EXPECT_EQ(neighbors_among(points.view(), {.neighbors = 12}, summary, {}).size, 4U);
}

TEST(SpectralNeighbors, NumbersMustFit) {
    EXPECT_THROW(require_neighbors({.neighbors = 0}, 10), InvalidArgument);
    EXPECT_THROW(require_neighbors({.neighbors = 10}, 10), InvalidArgument);
    const NeighborLists nine{.size = 1, .indices = std::vector<Index>(9, 0)};
    EXPECT_THROW(require_neighbors({.neighbors = 1, .given = &nine}, 10), InvalidArgument);
}

/// Two triangles and a point, on a line.
struct Pieces {
    Points points{7, 1};
    CsrMatrix<double> graph =
        reference::graph_of(7, {{0, 1, 1.0}, {1, 2, 1.0}, {0, 2, 2.0}, {3, 4, 1.0}, {4, 5, 1.0}, {3, 5, 2.0}});
    Pieces() {
        const float places[] = {0, 1, 2, 10, 11, 12, 30};
        for (Index i = 0; i < 7; ++i) {
            points[i][0] = places[i];
        }
    }
};

SpectralGraph apply(ComponentPolicy policy, Summary& summary) {
    const Pieces pieces;
    return apply_policy({.points = pieces.points.view()}, pieces.graph, {policy}, summary, {});
}

TEST(SpectralGraph, DoesWhatThePolicySays) {
    Summary summary;
    EXPECT_THROW((void)apply(ComponentPolicy::Error, summary), InputError);
    EXPECT_EQ(apply(ComponentPolicy::Separate, summary).graph.entries(), 12U);
    EXPECT_EQ(apply(ComponentPolicy::Largest, summary).kept, (std::vector<Index>{0, 1, 2}));
    const SpectralGraph bridged = apply(ComponentPolicy::Bridge, summary);
    EXPECT_EQ(bridged.graph.entries(), 16U);
    EXPECT_TRUE(bridged.kept.empty());
    EXPECT_EQ(summary.value("components"), 3.0);
    EXPECT_EQ(summary.value("left_out"), 4.0);
    EXPECT_EQ(summary.value("bridges"), 2.0);
}

TEST(SpectralGraph, ATableOrAGraphAloneDoWhatTheyCan) {
    const Pieces pieces;
    Points table(7, 7);
    for (Index i = 0; i < 7; ++i) {
        for (Index j = 0; j < 7; ++j) {
            table[i][j] = 4.0F * std::abs(pieces.points[i][0] - pieces.points[j][0]);
        }
    }
    const PointsView none(nullptr, 7, 0);
    Summary summary;
    const ChosenPolicy bridge{ComponentPolicy::Bridge};
    const SpectralGraph by_table =
        apply_policy({.points = none, .table = table.view(), .unit = 4.0}, pieces.graph, bridge, summary, {});
    EXPECT_EQ(by_table.graph.values, apply(ComponentPolicy::Bridge, summary).graph.values);
    EXPECT_THROW((void)apply_policy({.points = none}, pieces.graph, bridge, summary, {}), InvalidArgument);
    EXPECT_THROW((void)apply_policy({.points = none}, pieces.graph, {ComponentPolicy::Bridge, true}, summary, {}),
                 InputError);
    EXPECT_THROW((void)apply_policy({.points = none, .table = table.view()}, pieces.graph, {ComponentPolicy::Largest},
                                    summary, {}),
                 InvalidArgument);
    EXPECT_EQ(apply_policy({.points = none}, pieces.graph, {ComponentPolicy::Separate}, summary, {}).graph.entries(),
              12U);
    EXPECT_TRUE(summary.warnings.empty());
}

TEST(SpectralGraph, WarnsOfBridgesThatNobodyAskedFor) {
    const Pieces pieces;
    Summary summary;
    const ChosenPolicy chosen = chosen_policy({}, ComponentPolicy::Bridge);
    EXPECT_EQ(apply_policy({.points = pieces.points.view()}, pieces.graph, chosen, summary, {}).graph.entries(), 16U);
    ASSERT_EQ(summary.warnings.size(), 1U);
    EXPECT_NE(summary.warnings[0].find("3 components"), std::string::npos);
    EXPECT_EQ(chosen_policy(ComponentPolicy::Error, ComponentPolicy::Bridge).policy, ComponentPolicy::Error);
    EXPECT_FALSE(chosen_policy(ComponentPolicy::Bridge, ComponentPolicy::Bridge).automatic);
}

TEST(SpectralNeighbors, OfUnequalLengthsAreTakenWhereTheyMayBe) {
    const Points points = reference::random_points(50, 3, 1);
    NeighborLists given = reference::euclidean_lists(points, 6);
    for (Index k = 3; k < 6; ++k) {
        given.indices[7 * 6 + k] = 7;
    }
    Summary summary;
    const auto found = [&](int neighbors, bool unequal) {
        return neighbors_of(points.view(), {.neighbors = neighbors, .given = &given, .unequal = unequal}, summary, {});
    };
    EXPECT_EQ(found(6, true).size, 6U);
    EXPECT_EQ(found(3, false).size, 3U);
    try {
        (void)found(4, false);
        FAIL();
    } catch (const InvalidArgument& error) {
        EXPECT_NE(std::string(error.what()).find("at most 3, which is what the list of row 7 holds"), std::string::npos)
            << error.what();
    }
    given.distances.clear();
    const NeighborLists measured = found(6, true);
    EXPECT_EQ(measured.distances_of(7)[5], measured.distances_of(7)[2]);
    EXPECT_EQ(measured[7][5], 7U);
}

TEST(SpectralGraph, LandmarksMustAllBeKept) {
    EXPECT_THROW(require_all_kept(ComponentPolicy::Largest, true), InvalidArgument);
    EXPECT_NO_THROW(require_all_kept(ComponentPolicy::Largest, false));
    EXPECT_NO_THROW(require_all_kept(ComponentPolicy::Bridge, true));
}

}  // namespace

}  // namespace isogon::spectral_neighbors_test
