#pragma once
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/core/summary.hpp"
#include "isogon/graph/components.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// A graph of distances that is in one piece, or as the policy leaves it.
struct SpectralGraph {
    CsrMatrix<double> graph{};
    std::vector<Index> kept{};  ///< its points, where some were left out; else empty
};

/// Does with the components of a graph what the policy says, and counts them ("components", "left_out", "bridges").
/// Throws InputError under ComponentPolicy::Error.
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
