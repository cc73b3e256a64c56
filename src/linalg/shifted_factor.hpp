#pragma once
#include <memory>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/linalg/eigenproblem.hpp"
#include "linalg/block_iteration.hpp"

namespace isogon {

/// (A + shift B)^-1 by a factor, for the smallest end of a problem, and the kind of factor.
struct ShiftedFactor {
    std::unique_ptr<const Preconditioner> solver{};  ///< null if there is no factor
    EigenMethod method = EigenMethod::Krylov;
};

/// A sparse factor in float64; null if the elimination would take more than `most_operations`, or more than half of
/// the memory limit.
[[nodiscard]] ShiftedFactor sparse_factor(const CsrMatrix<double>& shifted, double most_operations,
                                          const RunContext& context);

/// A dense factor in float32, for matrices whose sparse factor would have nearly n^2 / 2 entries. Null above the
/// memory limit, above 40,000 rows (where a factor takes longer than it saves), or if the matrix is not positive
/// definite in float32.
[[nodiscard]] ShiftedFactor dense_factor(const CsrMatrix<double>& shifted, const RunContext& context);

}  // namespace isogon
