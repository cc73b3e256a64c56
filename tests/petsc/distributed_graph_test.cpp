#include "distributed_graph.hpp"

#include <gtest/gtest.h>

#include "graph/affinities.hpp"
#include "graph/symmetric_graph.hpp"
#include "isogon/core/error.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "ranks.hpp"
#include "reference/point_sets.hpp"

namespace isogon::distributed_graph_test {
namespace {

using ranks::group;
using ranks::own_lists;

NeighborLists lists_of(const Points& points, Index k) {
    return exact_neighbors(points.view(), k, Metric::Euclidean);
}

void expect_same(const CsrMatrix<double>& a, const CsrMatrix<double>& b) {
    EXPECT_EQ(a.offsets, b.offsets);
    EXPECT_EQ(a.indices, b.indices);
    EXPECT_EQ(a.values, b.values);
}

TEST(DistributedGraph, HasTheRowsOfTheWholeOne) {
    for (const Index n : {3, 120}) {
        const Points points = reference::awkward_points(n, 4, 1);
        const NeighborLists lists = lists_of(points, std::min<Index>(n - 1, 6));
        const DistributedMatrix graph = distributed_graph(own_lists(lists), n, group());
        expect_same(whole(graph, group()), symmetric_graph(lists));
    }
}

TEST(DistributedGraph, IsWeighedAsTheWholeOne) {
    const Points points = reference::random_points(150, 4, 2);
    const NeighborLists lists = lists_of(points, 7);
    const CsrMatrix<double> graph = symmetric_graph(lists);
    const auto weighed = [&](AffinityKind kind, std::optional<double>& sigma) {
        return whole(distributed_affinities(distributed_graph(own_lists(lists), 150, group()), kind, sigma, 7, group()),
                     group());
    };
    std::optional<double> sigma;
    expect_same(weighed(AffinityKind::Gaussian, sigma), gaussian_affinities(graph, default_sigma(graph, 7)));
    EXPECT_EQ(*sigma, default_sigma(graph, 7));
    sigma = 0.9;
    expect_same(weighed(AffinityKind::Gaussian, sigma), gaussian_affinities(graph, 0.9));
    expect_same(weighed(AffinityKind::SelfTuning, sigma), self_tuning_affinities(graph, 7));
    expect_same(weighed(AffinityKind::Connectivity, sigma), connectivity(graph));
    EXPECT_THROW((void)weighed(AffinityKind::Perplexity, sigma), InvalidArgument);
    sigma = 1e-4;
    EXPECT_THROW((void)weighed(AffinityKind::Gaussian, sigma), Error);
}

TEST(DistributedGraph, KnowsWhatIsNotJoined) {
    // Two chains, 0 ... 6 and 7 ... 9, and an entry of zero between them.
    CsrMatrix<double> chain{.rows = 10, .columns = 10};
    for (Index i = 0; i < 10; ++i) {
        if (i != 6 && i != 9) {
            chain.indices.push_back(i + 1);
            chain.values.push_back(1.0);
        } else if (i == 6) {
            chain.indices.push_back(7);
            chain.values.push_back(0.0);
        }
        chain.offsets.push_back(chain.indices.size());
    }
    const DistributedMatrix divided = own_rows(chain, group());
    EXPECT_EQ(unreached_rows(divided, std::vector<Index>{3}, group()), (std::vector<Index>{7, 8, 9}));
    EXPECT_EQ(unreached_rows(divided, std::vector<Index>{3, 8}, group()), std::vector<Index>());
    EXPECT_NO_THROW(require_connected(divided, group()));
    for (std::size_t k = 6; k < chain.indices.size(); ++k) {
        chain.indices[k] = chain.indices[k] == 7 ? 5 : chain.indices[k];
    }
    EXPECT_THROW(require_connected(own_rows(chain, group()), group()), InputError);
}

TEST(DistributedGraph, ReadsOwnPointsAndTheirNeighbours) {
    const Points points = reference::random_points(40, 3, 5);
    const NeighborLists lists = lists_of(points, 4);
    const Range own = group().own_part(40);
    const PointsOfLists known = points_of_lists(ViewRows(points.view()), own_lists(lists), own);
    EXPECT_EQ(known.own.count(), own.size());
    for (std::size_t i = 0; i < own.size(); ++i) {
        for (Index k = 0; k < 4; ++k) {
            const Index place = known.lists[static_cast<Index>(i)][k];
            const Index number = lists[static_cast<Index>(own.begin + i)][k];
            EXPECT_EQ(known.numbers[place], number);
            EXPECT_TRUE(std::ranges::equal(known.points[place], points[number]));
        }
    }
}

TEST(DistributedGraph, RefusesBadListsOnAllRanks) {
    const Points points = reference::random_points(30, 3, 5);
    NeighborLists lists = lists_of(points, 4);
    lists.indices[29 * 4] = 30;  // in the lists of the last rank
    EXPECT_THROW((void)distributed_graph(own_lists(lists), 30, group()), Error);
    EXPECT_THROW((void)distributed_graph({}, 30, group()), InvalidArgument);
}

}  // namespace
}  // namespace isogon::distributed_graph_test
