#pragma once
#include "decomposition/relu_problem.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/decomposition/decompose.hpp"

namespace isogon {

/// The sizes that determine the memory of a run.
struct DecompositionSize {
    Index rows = 0;
    Index columns = 0;
    Offset entries = 0;  ///< of S
    Offset known = 0;    ///< of the pattern of observed entries

    [[nodiscard]] double all() const { return static_cast<double>(rows) * static_cast<double>(columns); }
};

[[nodiscard]] DecompositionSize size_of(const ReluProblem& problem);

/// Whether m x n arrays are stored. ReluHistory::Auto stores them where at least an eighth of the entries of S is
/// above zero.
[[nodiscard]] bool is_recursive(const DecompositionSize& size, ReluHistory history);

/// The largest active set that Gauss-Newton may hold.
[[nodiscard]] Offset active_capacity(const DecompositionSize& size);

/// States the memory of a run to the context; `starts`: the run computes its own start. Throws LimitExceeded.
void state_memory(const DecompositionSize& size, const DecomposeOptions& options, bool starts,
                  const RunContext& context);

}  // namespace isogon
