#pragma once
#include <algorithm>

#include "isogon/faithful/faithful.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// States what faithful takes at its peak.
void state_faithful(const DistributedPoints& x, const FaithfulOptions& options, Index k, const FitExtras& extras,
                    const RunContext& context);

/// Measures what the coordinates keep of these neighbours, where there is time to look: shares to the summary, those of
/// each point, or of a sample (KeptNeighbors::most_rows), to the result. It knows no neighbours but these: one that an
/// index missed is not counted as lost.
void certify(const NeighborLists& lists, Metric metric, const DistributedPoints& x, const RunContext& context,
             Embedding& result);

}  // namespace isogon
