#pragma once
// Steps of a t-SNE run besides its equations: automatic options chosen, memory stated, checkpoints kept.
#include <cstdint>

#include "forces/force_layout.hpp"
#include "isogon/core/run_context.hpp"
#include "methods/checkpoints.hpp"
#include "methods/forces.hpp"

namespace isogon {

/// The options with perplexity and repulsion resolved for so many points, and the neighbours given, if any. Throws
/// InvalidArgument for values out of bounds, a perplexity that the points do not have, and a scheme of repulsion that
/// there is not in this dimension.
[[nodiscard]] TsneOptions completed(TsneOptions options, Index points, const NeighborLists* lists = nullptr);

/// States what neighbours, P, start and layout take; `options` with automatic values resolved.
void state_tsne(const PointsView& x, const TsneOptions& options, int neighbors, const FitExtras& extras,
                const RunContext& context);

/// Bytes of a graph of affinities.
[[nodiscard]] std::uint64_t affinities_bytes(std::uint64_t entries, Index points);

/// Bytes of a layout beside P: outputs, steps, gains and forces, and the fixed part of the repulsion's memory.
[[nodiscard]] std::uint64_t layout_bytes(Index points, const TsneOptions& options, const FitExtras& extras);

/// A resumed run may have more iterations than planned, but not fewer than done, nor another first phase: no
/// uninterrupted run would equal it.
/// Throws InputError then, for a checkpoint that Checkpoints has accepted.
void require_same_course(const Archive& saved, Index points, const TsneOptions& options);

/// Runs the schedule, from a checkpoint if there is one, and writes checkpoints.
[[nodiscard]] Termination run_schedule(ForceLayout& layout, Checkpoints& checkpoints);

}  // namespace isogon
