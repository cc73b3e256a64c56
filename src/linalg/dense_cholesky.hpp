#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/multi_vector.hpp"
#include "linalg/packed_points.hpp"

// Cholesky factors of dense matrices. In float32, in tiles: matrices of some hundred rows, one for each task, and of
// some thousand rows on all threads. In float64: matrices of some thousand rows on all threads, and small systems one
// after the other. docs/decisions/dense-cholesky.md says who uses which.
namespace isogon {

/// The lower triangle of a symmetric matrix in tiles of 48 x 48, so that Gram matrices and their factors are computed
/// by multiply_panels. Row panel p holds the rows 48 p .. 48 p + 47 as a panel of vectors: entry (48 p + r, c) lies at
/// row_panel(p)[c * 48 + r], for all c below 48 (p + 1). In diagonal tiles the upper half has no meaning.
template <class T>
class TrianglePanels {
public:
    /// A matrix of `size` rows, zero at the start, padded to whole panels.
    explicit TrianglePanels(Index size) : size_(size), panels_(panels_of(size)), values_(offset(panels_)) {}

    [[nodiscard]] Index size() const { return size_; }
    [[nodiscard]] Index panels() const { return panels_; }
    [[nodiscard]] T* row_panel(Index p) { return values_.data() + offset(p); }
    [[nodiscard]] const T* row_panel(Index p) const { return values_.data() + offset(p); }
    /// Rows 48 p .. 48 p + 47 of the columns 48 q .. 48 q + 47, q <= p.
    [[nodiscard]] T* tile(Index p, Index q) { return row_panel(p) + q * panel_tile_size; }
    [[nodiscard]] const T* tile(Index p, Index q) const { return row_panel(p) + q * panel_tile_size; }
    /// Entry (i, j) with j <= i.
    [[nodiscard]] T& at(Index i, Index j) {
        return row_panel(static_cast<Index>(i / panel_width))[std::size_t{j} * panel_width + i % panel_width];
    }
    [[nodiscard]] T at(Index i, Index j) const { return const_cast<TrianglePanels*>(this)->at(i, j); }
    [[nodiscard]] static std::uint64_t bytes(Index size) {
        const Index panels = panels_of(size);
        return MultiVector<T>::bytes(static_cast<Index>(offset(panels) / panel_tile_size), panel_tile_size);
    }

private:
    static Index panels_of(Index size) {
        return static_cast<Index>(block_count(std::max<Index>(size, 1), panel_width));
    }
    static std::size_t offset(Index p) { return std::size_t{p} * (p + 1) / 2 * panel_tile_size; }

    Index size_;
    Index panels_;
    AlignedArray<T> values_;
};

using PanelMatrix = TrianglePanels<float>;

/// factor := the lower triangular L with L L^T = A, of the same size as A. False if a pivot is not positive in
/// float32: A is not positive definite, or nearly not; the factor is then incomplete. Padding rows past the size must
/// be those of a positive definite matrix too (the identity, for example). m^3 / 3 operations, most of them in
/// multiply_panels.
[[nodiscard]] bool factor_cholesky(const PanelMatrix& a, PanelMatrix& factor);

/// x := (L L^T)^-1 x, for the first `size` components; x has padding up to whole panels, which is zero before and
/// after. Float32 with m^2 operations each way.
void solve_cholesky(const PanelMatrix& factor, std::span<float> x);

/// The Cholesky factor of a positive definite matrix of some thousand rows, in the memory of the matrix:
/// factor_cholesky() for matrices larger than the cache, on all threads. Float32: the precision of a preconditioner,
/// not of a final solution. n^3 / 3 operations, most of them in the panel product, 2 n^2 bytes.
class DenseFactor {
public:
    /// The factor, and the right-hand sides of a solution.
    [[nodiscard]] static std::uint64_t bytes(Index size);
    /// Consumes the matrix, of which the lower triangle is read; empty if a pivot is not positive in float32. Padding
    /// rows are replaced by those of the identity. Throws Interruption.
    [[nodiscard]] static std::optional<DenseFactor> make(PanelMatrix&& matrix, const RunContext& context);

    /// x := A^-1 x for every column; the error is float32 rounding times the condition number. 2 n^2 operations a
    /// column.
    void solve(MultiVector<double>& x, const RunContext& context) const;

private:
    explicit DenseFactor(PanelMatrix&& factor) : factor_(std::move(factor)) {}

    PanelMatrix factor_;  ///< L, with the inverses of its diagonal tiles in their places
};

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
