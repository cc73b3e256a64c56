#include "methods/spectral_neighbors.hpp"

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

}  // namespace
}  // namespace isogon::spectral_neighbors_test
