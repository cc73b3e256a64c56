#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/shortest_paths.hpp"
#include "isogon/core/csr_matrix.hpp"

// Shortest paths: one source by Dijkstra's algorithm, or eight side by side over a graph in a suitable order.
namespace isogon {

/// Lengths of shortest paths from one source to all points, infinity where there is none (Dijkstra 1959, with a binary
/// heap). O((points + entries) log points) time.
[[nodiscard]] std::vector<double> dijkstra(const CsrMatrix<double>& graph, Index source);

/// A graph with renumbered points.
struct RenumberedGraph {
    CsrMatrix<double> graph;
    std::vector<Index> old_numbers;  ///< by new number
    std::vector<Index> new_numbers;  ///< by old number
};

/// Points by their distance from an outermost one, component by component: most shortest paths then run through
/// numbers that rise, or fall, over long sections, so that one sweep over the points follows each section to its end;
/// and neighbours are near in memory. Costs two runs of Dijkstra's algorithm.
[[nodiscard]] RenumberedGraph renumber_for_paths(const CsrMatrix<double>& graph);

/// Lengths of shortest paths from up to eight sources side by side, over a graph in the order of renumber_for_paths().
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
