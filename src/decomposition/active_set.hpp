#pragma once
#include <cstdint>
#include <optional>

#include "decomposition/relu_problem.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/decomposition/relu_factors.hpp"

namespace isogon {

/// The entries of L = W H that count at the present W and H, with what they should be: S on its support, 0 where L is
/// above 0 off it. There |Z - L|^2 is a sum of squares; elsewhere it is zero, and stays so for small changes.
struct ActiveSet {
    WideSparseMatrix targets;     ///< m x n
    WideSparseMatrix transposed;  ///< n x m

    [[nodiscard]] const WideSparseMatrix& side(bool back) const { return back ? transposed : targets; }
};

/// One pass over all entries (over the observed ones, where not all are). Empty if it would hold more than `capacity`
/// entries. m n r multiplications; 24 bytes an entry, 40 while it is made.
[[nodiscard]] std::optional<ActiveSet> active_set(const ReluSide& side, const ReluFactors& factors, Offset capacity,
                                                  const RunContext& context);

}  // namespace isogon
