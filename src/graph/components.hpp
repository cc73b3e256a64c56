#pragma once
#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/points.hpp"

namespace isogon {

/// Disjoint sets with union and find (path halving). A set is represented by its least member, so that the order of
/// joining does not matter.
class DisjointSets {
public:
    explicit DisjointSets(Index count) : parents_(count) { std::iota(parents_.begin(), parents_.end(), Index{0}); }

    Index find(Index i) {
        while (parents_[i] != i) {
            parents_[i] = parents_[parents_[i]];
            i = parents_[i];
        }
        return i;
    }

    /// False if they were one set already.
    bool join(Index i, Index j) {
        const Index a = find(i);
        const Index b = find(j);
        parents_[std::max(a, b)] = std::min(a, b);
        return a != b;
    }

private:
    std::vector<Index> parents_;
};

/// The connected components of a graph: the largest first, those of equal size by their least point.
struct Components {
    std::vector<Index> labels{};  ///< for every point, the place of its component in `sizes`
    std::vector<Index> sizes{};   ///< descending

    [[nodiscard]] Index count() const { return static_cast<Index>(sizes.size()); }
};

/// The components of `points` points from the sets of those that edges join. Independent of the order of joining.
[[nodiscard]] Components components_of(DisjointSets sets, Index points);

/// The components of a symmetric graph, in which an edge is an entry, whatever its value. O(points + entries).
[[nodiscard]] Components connected_components(const CsrMatrix<double>& graph);

/// The treatment of a graph with several components, whose relative positions no spectral method determines:
///   Error     throws InputError: most often the graph has too few neighbours
///   Largest   keeps the largest component only; the points of the others get no output
///   Bridge    connects the components by the shortest edges between them (graph/symmetric_graph.hpp)
///   Separate  embeds each component by itself; their relative positions then have no meaning
enum class ComponentPolicy { Error, Largest, Bridge, Separate };

/// "error", "largest", "bridge", "separate"
[[nodiscard]] std::string_view name(ComponentPolicy policy);
/// All names, in the order of the enumerators.
[[nodiscard]] const std::vector<std::string>& component_policy_names();

/// Throws InputError, which names the number of components, the largest sizes and the remedies, unless there is one (or
/// none, without points). `source` is the name of the data in the message; `policies` lists the policies that the
/// caller offers besides Error.
void require_connected(const Components& components, const std::string& source,
                       const std::string& policies = "largest, bridge or separate");

/// One component by itself.
struct ComponentGraph {
    std::vector<Index> kept{};  ///< the points of the component, ascending: old numbers by new ones
    CsrMatrix<double> graph{};  ///< their edges, by new numbers
};

/// Component `label` of a graph, 0 for the largest. Throws InvalidArgument if there are not so many. O(entries).
[[nodiscard]] ComponentGraph component_graph(const CsrMatrix<double>& graph, const Components& components, Index label);

/// The rows of a square matrix that no chain of nonzero entries, followed in either direction, joins to one of
/// `sources`: ascending. An entry (i, j) joins i and j. O(rows + entries) time in practice, 4 bytes a row.
[[nodiscard]] std::vector<Index> unreached_rows(const CsrMatrix<float>& matrix, std::span<const Index> sources);
[[nodiscard]] std::vector<Index> unreached_rows(const CsrMatrix<double>& matrix, std::span<const Index> sources);

}  // namespace isogon
