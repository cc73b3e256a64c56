#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "isogon/linalg/multi_vector.hpp"

// Positive definite matrices in float64: one large matrix on all threads, or many small systems, one for each thread
// at a time. For float32 see panel_cholesky.hpp.
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

/// Positive definite systems of some ten to some hundred unknowns, one after the other, in float64 and in memory that
/// is allocated once. Factored by columns, in groups of four, so that it stays in the first-level cache; for larger
/// systems a blocked factorisation is better. The same bits whatever has been solved before.
class PositiveSystem {
public:
    explicit PositiveSystem(std::size_t size);

    [[nodiscard]] std::size_t size() const { return size_; }
    /// Column j of A: entry (i, j) at [i], for j <= i < size. What lies above the diagonal has no meaning.
    [[nodiscard]] double* column(std::size_t j) { return columns_.data() + j * stride_; }

    /// x with A x = (1, ..., 1). A is overwritten. `least_pivot`, above 0: a known lower bound of the pivots of A;
    /// pivots that rounding brings below it are raised to it, so that x is always finite.
    [[nodiscard]] std::span<double> solve_ones(double least_pivot);

    [[nodiscard]] static std::uint64_t bytes(std::size_t size) { return size * (size + 10) * sizeof(double); }

private:
    std::size_t size_;
    std::size_t stride_;  ///< the unknowns and the right-hand side below them, filled up to whole vectors
    AlignedArray<double> columns_;
    std::vector<double> solution_;
};

}  // namespace isogon
