#pragma once
#include "isogon/forces/force_layout.hpp"
#include "isogon/methods/forces.hpp"
#include "methods/checkpoints.hpp"

namespace isogon {

/// A resumed run may have more iterations than planned, but not fewer than done, nor another first phase: no
/// uninterrupted run would equal it.
/// Throws InputError then, for a checkpoint that Checkpoints has accepted.
void require_same_course(const Archive& saved, Index points, const TsneOptions& options);

/// Runs the schedule, from a checkpoint if there is one, and writes checkpoints.
[[nodiscard]] Termination run_schedule(ForceLayout& layout, Checkpoints& checkpoints);

}  // namespace isogon
