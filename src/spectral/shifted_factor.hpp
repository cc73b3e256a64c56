#pragma once
#include <memory>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/spectral/eigenproblem.hpp"
#include "spectral/block_iteration.hpp"

namespace isogon {

/// (A + shift B)^-1 by a factor, for a problem's smallest end, and which kind of factor it is.
struct ShiftedFactor {
    std::unique_ptr<const Preconditioner> solver{};  ///< null where no factor is to be had
    EigenMethod method = EigenMethod::Krylov;
};

/// Sparse in float64 where its elimination takes no more than that many operations; null if it would take more, or
/// more than half of the memory limit.
[[nodiscard]] ShiftedFactor sparse_factor(const CsrMatrix<double>& shifted, double most_operations,
                                          const RunContext& context);

/// Dense in float32: the more of n^2 / 2 numbers that a sparse one would fill anyhow. Null where that is over the
/// memory limit, or over what a factor is worth (40,000 rows), or where float32 finds the matrix not positive definite.
[[nodiscard]] ShiftedFactor dense_factor(const CsrMatrix<double>& shifted, const RunContext& context);

/// A + shift B, or A + shift I where there is no B.
[[nodiscard]] CsrMatrix<double> shifted(const CsrMatrix<double>& a, const CsrMatrix<double>* b, double shift);

}  // namespace isogon
