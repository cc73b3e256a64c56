#include "methods/spectral/spectral_neighbors.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"
#include "isogon/neighbors/exact_neighbors.hpp"
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
    return apply_policy(pieces.points.view(), Metric::Euclidean, pieces.graph, policy, summary, {});
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

TEST(SpectralGraph, LandmarksMustAllBeKept) {
    EXPECT_THROW(require_all_kept(ComponentPolicy::Largest, true), InvalidArgument);
    EXPECT_NO_THROW(require_all_kept(ComponentPolicy::Largest, false));
    EXPECT_NO_THROW(require_all_kept(ComponentPolicy::Bridge, true));
}

}  // namespace

}  // namespace isogon::spectral_neighbors_test
