#include "methods/spectral_graph.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"
#include "reference/graphs.hpp"

namespace isogon::spectral_graph_test {
namespace {

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
}  // namespace isogon::spectral_graph_test
