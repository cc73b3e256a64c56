#pragma once
#include <cstddef>
#include <cstdint>

#include "isogon/core/run_context.hpp"

namespace isogon {

/// The lower triangle of a symmetric matrix, row by row: entry (i, j), j <= i, at values[i * stride + j]. What lies
/// above the diagonal is neither read nor written. Read by columns it is the upper triangle that LAPACK calls U.
struct LowerTriangle {
    double* values = nullptr;
    std::size_t size = 0;
    std::size_t stride = 0;
};

/// A := L with L L^T = A, for matrices of some thousand rows: n^3 / 3 operations, most of them in the product of
/// panels, on all threads, with the same bits for any number of them. False if a pivot is not above 0; A is as it was
/// then. Takes dense_cholesky_bytes() / 2. Throws Interruption: A is as it was then, too.
[[nodiscard]] bool factor_cholesky(LowerTriangle a, const RunContext& context);

/// L := (L L^T)^-1 by 2 n^3 / 3 operations; its diagonal must not hold a 0. Takes dense_cholesky_bytes(). Throws
/// Interruption; L is spoiled then.
void invert_from_cholesky(LowerTriangle l, const RunContext& context);

[[nodiscard]] std::uint64_t dense_cholesky_bytes(std::uint64_t size);

}  // namespace isogon
