#include "methods/spectral_graph.hpp"

#include <string>
#include <utility>

#include "isogon/core/error.hpp"
#include "isogon/graph/bridges.hpp"

namespace isogon {

SpectralGraph apply_policy(const PointsView& points, Metric metric, CsrMatrix<double> graph, ComponentPolicy policy,
                           Summary& summary, const RunContext& context) {
    const Components components = connected_components(graph);
    summary.count("components", components.count());
    if (components.count() <= 1 || policy == ComponentPolicy::Separate) {
        return {std::move(graph), {}};
    }
    if (policy == ComponentPolicy::Error) {
        require_connected(components, "input");
    }
    if (policy == ComponentPolicy::Bridge) {
        summary.count("bridges", components.count() - 1);
        return {bridge_components(points, metric, std::move(graph), context), {}};
    }
    ComponentGraph largest = component_graph(graph, components, 0);
    const Index left_out = points.count - static_cast<Index>(largest.kept.size());
    summary.count("left_out", left_out);
    summary.warn(std::to_string(left_out) +
                 " points are not in the largest component of the neighbour graph; they are "
                 "mixtures of their nearest points in it, not part of the fit");
    return {std::move(largest.graph), std::move(largest.kept)};
}

void require_all_kept(ComponentPolicy policy, bool landmarks) {
    if (landmarks && policy == ComponentPolicy::Largest) {
        throw InvalidArgument("components", "largest",
                              "leaves out points that may be landmarks; with --landmarks use bridge or separate");
    }
}

std::vector<std::pair<std::string, ComponentPolicy>> component_choices(bool separate, bool bridge) {
    std::vector<std::pair<std::string, ComponentPolicy>> choices{{"error", ComponentPolicy::Error},
                                                                 {"largest", ComponentPolicy::Largest}};
    if (bridge) {
        choices.emplace_back("bridge", ComponentPolicy::Bridge);
    }
    if (separate) {
        choices.emplace_back("separate", ComponentPolicy::Separate);
    }
    return choices;
}

}  // namespace isogon
