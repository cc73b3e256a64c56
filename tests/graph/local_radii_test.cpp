#include "graph/local_radii.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "graph/calibrated_affinities.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"

namespace isogon::local_radii_test {
namespace {

/// Of two lists that name each other a pair counts once, as each other pair does.
TEST(LocalRadii, AreThoseOfTheEdges) {
    const NeighborLists lists = reference::euclidean_lists(reference::random_points(50, 3, 1), 5);
    const CsrMatrix<double> graph = fuzzy_affinities(lists);
    const std::vector<double> radii = log_local_radii(lists, graph);
    const Points points = reference::random_points(50, 3, 1);
    for (Index i = 0; i < 50; ++i) {
        double squares = 0.0;
        double weights = 0.0;
        for (std::size_t k = 0; k < graph.row_indices(i).size(); ++k) {
            const double weight = graph.row_values(i)[k];
            squares += weight * squared_distance(points[i].data(), points[graph.row_indices(i)[k]].data(), 3);
            weights += weight;
        }
        EXPECT_NEAR(radii[i], std::log(1e-8 + squares / weights), 1e-5) << i;
    }
}

}  // namespace
}  // namespace isogon::local_radii_test
