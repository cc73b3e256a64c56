#pragma once
#include "isogon/extend/locally_linear_extension.hpp"
#include "isogon/methods/landmarks.hpp"

namespace isogon {

/// extend_to_all() by LLX: all points are read, the neighbours of each searched unless `lists` has them, and the
/// unknown coordinates found together. Memory stated first: all points, and what search and solution take.
[[nodiscard]] Summary extend_by_llx(const LandmarkFit& fit, const RowSource& source, RowSink& sink,
                                    const LocallyLinearOptions& options, const RunContext& context,
                                    const NeighborLists* lists);

}  // namespace isogon
