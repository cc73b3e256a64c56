#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "linalg/multi_vector.hpp"
#include "semidefinite/unfolding.hpp"

namespace isogon {

/// The force of a constraint and its derivative by t.
struct Pull {
    double force = 0.0;
    double slope = 1.0;
};

/// The force of a distance that may shrink but not grow. With multiplier y, penalty sigma and excess g = |r_i - r_j|^2
/// - d, the augmented Lagrangian's derivative by g is max(0, t) at t = y + sigma g. Its corner, at which Newton's
/// method fails to converge, is smoothed as by a logarithmic barrier for what is missing, -g: (t + sqrt(t^2 +
/// rounding)) / 2, which times what is missing is rounding / (4 sigma).
[[nodiscard]] Pull pull_at(double t, double rounding);

/// Kept distances as a graph, the input of the low-rank solver. Nodes are points, or groups of points at distance 0
/// with their number as mass; squared distances are scaled by a power of 4 that brings their mean to 1..4.
struct DistanceGraph {
    Index nodes = 0;
    std::vector<Index> node_of{};  ///< node of each point
    std::vector<double> masses{};  ///< points of each node
    DistanceConstraints kept{};    ///< between nodes, in the unit: the edges
    double unit = 1.0;
    /// Edges at each node, by ascending other end: those of node v at [offsets[v], offsets[v + 1]).
    std::vector<Offset> offsets{};
    std::vector<Index> edges{};
    std::vector<Index> others{};

    [[nodiscard]] std::size_t edge_count() const { return kept.size(); }
    /// A squared distance for the scaling of penalties, bounded from below: tiny ones would make the system too stiff
    /// for float64.
    [[nodiscard]] double scale(std::size_t edge) const { return std::max(kept.squared[edge], least); }

    static constexpr double least = 1e-2;
};

/// Throws InvalidArgument for constraints that violate the conditions of DistanceConstraints or do not connect all
/// points. Of several distances between two groups of duplicates the smallest is kept. O(m log m).
[[nodiscard]] DistanceGraph distance_graph(Index n, const DistanceConstraints& constraints);

/// out := L(w) in, L(w) = sum_a w_a (e_i - e_j)(e_i - e_j)^T: gathered node by node, so the same bits for any number of
/// threads.
void laplacian_product(const DistanceGraph& graph, const std::vector<double>& weights, const MultiVector<double>& in,
                       MultiVector<double>& out, const RunContext& context);

/// Subtracts the mean weighted by masses.
void centre(const DistanceGraph& graph, MultiVector<double>& vectors);

}  // namespace isogon
