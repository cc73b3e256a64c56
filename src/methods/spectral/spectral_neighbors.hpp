#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph/components.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

class SharedSteps;
class SpectralRanks;

/// The neighbours that a method requests.
struct NeighborsWanted {
    int neighbors = 12;
    Metric metric = Metric::Euclidean;
    std::uint64_t seed = 0;
    const NeighborLists* given = nullptr;  ///< the user's own, of all points, or of those of this rank
    double unit = 1.0;                     ///< unit of the points, in that of the lists' distances
    SharedSteps* shared = nullptr;         ///< results of other fits of the same points; null: none
    const SpectralRanks* ranks = nullptr;  ///< ranks that divide the points; null: all are this process's own
    bool unequal = false;                  ///< whether given lists may be of unequal lengths
};

/// Throws InvalidArgument unless 1 <= neighbors < points, and the lists given, if any, are of as many points, or as
/// many as a rank owns of them.
void require_neighbors(const NeighborsWanted& wanted, Index points);

/// The nearest of every point, or of every own one, among the others, with distances: the user's, or found (by all
/// pairs where that is cheap, as find_neighbors decides). Seconds go to "neighbors", the recall of an approximate
/// search to the measures. Throws InvalidArgument for given lists that are shorter, or some of which are where they may
/// not be unequal.
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

/// The measure of bridges between components: the points; a table of distances in place of them; or nothing for a graph
/// alone.
struct BridgedBy {
    PointsView points{};
    Metric metric = Metric::Euclidean;
    PointsView table{};
    double unit = 1.0;  ///< unit of the graph's lengths, in that of the table
};

/// A policy, and whether it is what "auto" came to.
struct ChosenPolicy {
    ComponentPolicy policy = ComponentPolicy::Error;
    bool automatic = false;
};

/// The policy for several components: as asked for, or `usual`; over ranks, which can do nothing, an error.
[[nodiscard]] ChosenPolicy chosen_policy(const std::optional<ComponentPolicy>& given, ComponentPolicy usual,
                                         const SpectralRanks* ranks = nullptr);

/// Applies the policy to the components of a graph, and counts them ("components", "left_out", "bridges"). Warns of
/// bridges that nobody asked for. Throws InputError for several components under ComponentPolicy::Error, and where
/// a graph alone is given, which does not say how to join them or where to put what is left out.
[[nodiscard]] SpectralGraph apply_policy(const BridgedBy& bridged, CsrMatrix<double> graph, ChosenPolicy chosen,
                                         Summary& summary, const RunContext& context);

/// Landmarks are chosen from all points: with them none may be left out. Throws InvalidArgument.
void require_all_kept(ComponentPolicy policy, bool landmarks);

/// The choices of --components, for option tables.
using ComponentChoices = std::vector<std::pair<std::string, std::optional<ComponentPolicy>>>;
[[nodiscard]] ComponentChoices component_choices(bool separate, bool bridge);

inline constexpr const char* components_help =
    "of a graph in several parts: error refuses; largest embeds the largest and mixes the others' points from it; "
    "bridge joins parts by their shortest edges; separate takes it as it is; auto: bridge, with a warning";
inline constexpr const char* unbridged_components_help =
    "of a graph in several parts: error refuses; largest embeds the largest and mixes the others' points from it; "
    "separate takes it as it is; auto: largest, with a warning, but separate with landmarks";

}  // namespace isogon
