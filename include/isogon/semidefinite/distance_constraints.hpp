#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/core/types.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// Which distances an unfolding keeps.
enum class KeptPairs {
    Neighbors,        ///< of points of which one lists the other
    SharedNeighbors,  ///< and of points that one point lists: angles between its neighbours are kept too
};

/// Distances that an unfolding keeps: pairs (i, j), i < j, ascending, each once, and |x_i - x_j|^2.
struct DistanceConstraints {
    std::vector<std::pair<Index, Index>> pairs{};
    std::vector<double> squared{};  ///< beside the pairs, in float64

    [[nodiscard]] std::size_t size() const { return pairs.size(); }
    [[nodiscard]] static std::uint64_t bytes(std::uint64_t count) { return count * 16; }
};

/// The pairs with eta_ij = 1, or with [eta^T eta]_ij > 0 besides (Weinberger, Packer and Saul, "Nonlinear
/// dimensionality reduction by semidefinite programming and kernel matrix factorization", AISTATS 2005, eq. 2), eta
/// being the lists of neighbours. At most n k, or n k (k + 1) / 2 pairs; O(that times D) time. The same bits for any
/// number of threads. Throws InvalidArgument unless the lists belong to the points; LimitExceeded, Interruption.
[[nodiscard]] DistanceConstraints distance_constraints(const PointsView& points, const NeighborLists& lists,
                                                       KeptPairs kept, const RunContext& context = {});

/// A price for distances that are missed (DistanceRule::Slack) at which a flat set of points holds together: h^2 / 4, h
/// being the longest way between two points in pairs that are kept, as a search from an outermost point finds it. What
/// pulls at a pair grows with the square of how many hang on it: a chain of h links holds for h^2 / 8, and of a sheet
/// every strip is a chain. Above that distances are stiffer, and the solver has fewer digits left; below, points let
/// go. Points that hang on few others, as two clusters joined by a thread, may need more. At least 1. O(points +
/// constraints).
[[nodiscard]] double slack_penalty(Index points, const DistanceConstraints& constraints);

}  // namespace isogon
