#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/graph/shortest_paths.hpp"

namespace isogon {

/// Lengths of shortest paths from up to eight sources side by side, over a graph in the order of path_order.hpp.
class PathSearch {
public:
    /// If points are visited more often than this on average, eight runs of Dijkstra's algorithm are faster, and the
    /// search switches to them.
    static constexpr std::uint64_t most_looks = 64;

    /// The graph must outlive the search.
    explicit PathSearch(const CsrMatrix<double>& graph, std::uint64_t looks = most_looks);

    /// Entry (i, s) at i * sources_in_path_block + s: from sources[s] to i; infinity for s beyond the sources. Valid
    /// until the next call.
    [[nodiscard]] std::span<const double> run(std::span<const Index> sources);

    [[nodiscard]] static std::uint64_t bytes(Index points);

private:
    /// The eight lengths of a point: a line of cache.
    struct alignas(64) Line {
        std::array<double, sources_in_path_block> lengths{};
    };

    const CsrMatrix<double>& graph_;
    std::uint64_t looks_;
    std::vector<Line> lines_;
    std::vector<unsigned char> waiting_;  ///< 1 if a neighbour has come nearer since the last visit
};

}  // namespace isogon
