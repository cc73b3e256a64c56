#include "graph/path_search.hpp"

#include <gtest/gtest.h>

#include "reference/graphs.hpp"

namespace isogon::path_search_test {
namespace {

// In sweeps, and where these are given up at once: the same bits, from one search after the other.
TEST(PathSearch, FindsWhatTryingEveryEdgeFindsBothWays) {
    for (const CsrMatrix<double>& graph : reference::awkward_graphs()) {
        for (const std::uint64_t looks : {std::uint64_t{0}, PathSearch::most_looks}) {
            PathSearch search(graph, looks);
            for (Index first = 0; first < graph.rows; first += 1 + graph.rows / 5) {
                std::vector<Index> sources{first, graph.rows - 1, 0, first};
                const auto lengths = search.run(sources);
                for (std::size_t s = 0; s < sources_in_path_block; ++s) {
                    const std::vector<double> expected =
                        s < sources.size() ? reference::path_lengths(graph, sources[s])
                                           : std::vector<double>(graph.rows, std::numeric_limits<double>::infinity());
                    for (Index i = 0; i < graph.rows; ++i) {
                        ASSERT_EQ(lengths[i * sources_in_path_block + s], expected[i]);
                    }
                }
            }
        }
    }
    EXPECT_GE(PathSearch::bytes(10), 650);
}

}  // namespace
}  // namespace isogon::path_search_test
