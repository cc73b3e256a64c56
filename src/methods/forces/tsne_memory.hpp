#pragma once
#include <cstdint>

#include "isogon/core/run_context.hpp"
#include "isogon/methods/forces.hpp"

namespace isogon {

/// States what neighbours, P, start and layout take; `options` with automatic values resolved.
void state_tsne(const PointsView& x, const TsneOptions& options, int neighbors, const FitExtras& extras,
                const RunContext& context);

/// Bytes of a graph of affinities.
[[nodiscard]] std::uint64_t affinities_bytes(std::uint64_t entries, Index points);

/// Bytes of a layout beside P: outputs, steps, gains and forces, and the fixed part of the repulsion's memory.
[[nodiscard]] std::uint64_t layout_bytes(Index points, const TsneOptions& options, const FitExtras& extras);

}  // namespace isogon
