#include "methods/given_edges.hpp"

#include <gtest/gtest.h>

#include <string>

#include "isogon/core/error.hpp"

namespace isogon::given_edges_test {
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

}  // namespace
}  // namespace isogon::given_edges_test
