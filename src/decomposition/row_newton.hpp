#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "decomposition/relu_factors.hpp"
#include "decomposition/relu_problem.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/packed_points.hpp"

// The active entries of L, those with a residual that depends on L, and Newton steps of single rows over them.
namespace isogon {

/// The active entries (see ActiveSet) of up to 48 rows: their number in each row, and their columns, ascending, row
/// after row.
struct ActiveRows {
    std::vector<Offset> lengths;
    std::vector<Index> columns;
};

/// The active entries of rows 48 panel to 48 panel + 47. `rows` and `columns` are the packed panels of factors.left
/// and factors.right. Where S is observed in part, only observed entries are tested. 48 n r multiplications, 4 bytes
/// an entry.
[[nodiscard]] ActiveRows active_rows(const ReluSide& side, const ReluFactors& factors, const PackedRows& rows,
                                     const PackedRows& columns, Index panel);

/// A sparsity pattern by rows: the columns of row i, ascending.
struct EntryPattern {
    std::vector<Offset> offsets{0};
    std::vector<Index> columns;

    [[nodiscard]] Index rows() const { return static_cast<Index>(offsets.size() - 1); }
    [[nodiscard]] Offset entries() const { return columns.size(); }
    [[nodiscard]] std::span<const Index> row(std::size_t i) const {
        return {columns.data() + offsets[i], static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
    }
};

/// The entries of L = W H with a residual that depends on L: the support of S, and the entries off it with L > 0. On
/// this set |Z - L|^2 is a sum of squares, of S - L on the support and of 0 - L off it. All other entries contribute
/// zero, also after small changes of L. Targets are read from S, so an entry is stored as its position only, in both
/// orientations.
struct ActiveSet {
    EntryPattern forward;   ///< m rows
    EntryPattern backward;  ///< n rows

    [[nodiscard]] const EntryPattern& side(bool back) const { return back ? backward : forward; }
};

/// One pass over all entries (over the observed ones where S is observed in part). Empty if the set would exceed
/// `capacity` entries. m n r multiplications; 8 bytes an entry, 12 during construction.
[[nodiscard]] std::optional<ActiveSet> active_set(const ReluSide& side, const ReluFactors& factors, Offset capacity,
                                                  const RunContext& context);

/// Cholesky factorisation of a small r x r matrix in place: row-major, reads and writes the lower triangle. Pivots are
/// bounded below by a millionth of their diagonal entry: a singular matrix gives steps that are too short in its null
/// space, not a failure. r^3 / 3 multiplications.
template <class T>
void cholesky_in_place(T* a, std::size_t r) {
    constexpr T least_share = T{1e-6F};
    constexpr T least_pivot = T{1e-30F};
    for (std::size_t j = 0; j < r; ++j) {
        const T least = least_share * a[j * r + j];
        for (std::size_t i = j; i < r; ++i) {
            T sum = a[i * r + j];
            for (std::size_t k = 0; k < j; ++k) {
                sum -= a[i * r + k] * a[j * r + k];
            }
            a[i * r + j] = i == j ? std::sqrt(std::max(sum, std::max(least, least_pivot))) : sum / a[j * r + j];
        }
    }
}

/// x := (l l^T)^-1 x with the factor l of cholesky_in_place.
template <class T>
void cholesky_solve(const T* l, std::size_t r, T* x) {
    for (std::size_t i = 0; i < r; ++i) {
        T sum = x[i];
        for (std::size_t k = 0; k < i; ++k) {
            sum -= l[i * r + k] * x[k];
        }
        x[i] = sum / l[i * r + i];
    }
    for (std::size_t i = r; i-- > 0;) {
        x[i] /= l[i * r + i];
        for (std::size_t k = 0; k < i; ++k) {
            x[k] -= l[i * r + k] * x[i];
        }
    }
}

/// Rows after a step, and their residual: the sum of (s - w . h)^2 over the support and max(0, w . h)^2 off it.
struct RowStep {
    MultiVector<double> rows;
    double squares = 0.0;
};

/// One Newton step for every row w of factors.left separately. With the right factor fixed, the sum above is convex in
/// w and quadratic while no entry changes its sign. The step goes to the minimum of that quadratic, or a half, a
/// quarter or an eighth of it, or nowhere, whichever leaves the smallest sum. So the sum never increases. Block
/// updates divide by H H^T of all n columns; this divides by that of the active columns, which for a sparse S are few.
/// Unlike GaussNewton it stores the active entries of 48 rows a thread only.
///
/// Ranks are multiples of 8 (padded with zeros). Three products of all entries, 6 m n r operations, and r^2 for each
/// active entry; 4 bytes for each of these of 48 rows on every thread. Throws Interruption.
[[nodiscard]] RowStep row_newton_step(const ReluSide& side, const ReluFactors& factors, const RunContext& context);

}  // namespace isogon
