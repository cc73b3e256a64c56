#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/core/summary.hpp"
#include "isogon/graph/components.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

class SharedSteps;
class SpectralRanks;

/// The neighbours that a method requests.
struct NeighborsWanted {
    int neighbors = 12;
    Metric metric = Metric::Euclidean;
    std::uint64_t seed = 0;
    const NeighborLists* given = nullptr;              ///< the user's own, of all points, or of those of this rank
    double unit = 1.0;                                 ///< of the points, in that of the lists' distances
    SharedSteps* shared = nullptr;                     ///< results of other fits of the same points; null: none
    std::function<void(const NeighborLists&)> keep{};  ///< receives what is found, in the unit of the points as given
    const SpectralRanks* ranks = nullptr;  ///< which divide the points among them; null: all are this process's own
};

/// Throws InvalidArgument unless 1 <= neighbors < points, and the lists given, if any, are of as many points, or as
/// many as a rank owns of them.
void require_neighbors(const NeighborsWanted& wanted, Index points);

/// The nearest of every point, or of every own one, among the others, with distances: the user's, or found (by all
/// pairs where that is cheap, as find_neighbors decides). Seconds go to "neighbors", the recall of an approximate
/// search to the measures.
[[nodiscard]] NeighborLists neighbors_of(const PointsView& points, const NeighborsWanted& wanted, Summary& summary,
                                         const RunContext& context);

/// The same among a subset of the points, for which lists of all points are of no use: at most all others.
[[nodiscard]] NeighborLists neighbors_among(const PointsView& landmarks, NeighborsWanted wanted, Summary& summary,
                                            const RunContext& context);

/// A graph of distances, connected or as the policy leaves it.
struct SpectralGraph {
    CsrMatrix<double> graph{};
    std::vector<Index> kept{};  ///< its points, where some were left out; else empty
};

/// Applies the policy to the components of a graph, and counts them ("components", "left_out", "bridges"). Throws
/// InputError under ComponentPolicy::Error.
[[nodiscard]] SpectralGraph apply_policy(const PointsView& points, Metric metric, CsrMatrix<double> graph,
                                         ComponentPolicy policy, Summary& summary, const RunContext& context);

/// Landmarks are chosen from all points: with them none may be left out. Throws InvalidArgument.
void require_all_kept(ComponentPolicy policy, bool landmarks);

/// The choices of --components, for option tables.
[[nodiscard]] std::vector<std::pair<std::string, ComponentPolicy>> component_choices(bool separate, bool bridge);

inline constexpr const char* components_help =
    "of a graph in several parts: error refuses; largest embeds the largest and mixes the others' points from it; "
    "bridge joins parts by their shortest edges; separate takes it as it is";

}  // namespace isogon
