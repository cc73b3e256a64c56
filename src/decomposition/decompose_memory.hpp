#pragma once
#include "decomposition/relu_problem.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/decomposition/decompose.hpp"

namespace isogon {

/// What the memory of a run depends on.
struct DecompositionSize {
    Index rows = 0;
    Index columns = 0;
    Offset entries = 0;  ///< of S
    Offset known = 0;    ///< of what says which are known

    [[nodiscard]] double all() const { return static_cast<double>(rows) * static_cast<double>(columns); }
};

[[nodiscard]] DecompositionSize size_of(const ReluProblem& problem);

/// Whether m x n arrays are held: as `history` says, which by itself does so where at least an eighth of S is above
/// zero.
[[nodiscard]] bool is_recursive(const DecompositionSize& size, ReluHistory history);

/// The entries that count that newton may hold at a time.
[[nodiscard]] Offset active_capacity(const DecompositionSize& size);

/// States what a run takes; `starts` if it makes its own start. Throws LimitExceeded.
void state_memory(const DecompositionSize& size, const DecomposeOptions& options, bool starts,
                  const RunContext& context);

}  // namespace isogon
