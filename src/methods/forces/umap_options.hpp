#pragma once
#include <vector>

#include "isogon/core/summary.hpp"
#include "isogon/methods/forces.hpp"
#include "methods/forces/layout_edges.hpp"

namespace isogon {

/// The options with neighbours and epochs resolved for so many points; with a warning where there are fewer neighbours
/// than asked for, unless edges are given. Throws InvalidArgument for values out of bounds.
[[nodiscard]] UmapOptions completed(UmapOptions options, Index points, bool edges_given, Summary& summary);

/// The options that have no effect if edges are given.
[[nodiscard]] std::vector<EdgeOption> edge_options(const UmapOptions& options);

}  // namespace isogon
