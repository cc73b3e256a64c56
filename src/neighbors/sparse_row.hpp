#pragma once
#include <span>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

// Rows of a sparse matrix as points.
namespace isogon {

/// The entries of one row, by ascending column; all other numbers of the row are 0.
struct SparseRow {
    std::span<const Index> columns;
    std::span<const double> values;
};

[[nodiscard]] inline SparseRow sparse_row(const CsrMatrix<double>& matrix, Index i) {
    return {matrix.row_indices(i), matrix.row_values(i)};
}

/// As for rows of points (neighbors/metric_rows.hpp): whether a row of `columns` numbers may have nearest points.
[[nodiscard]] bool has_direction(const SparseRow& row, Index columns, Metric metric);

/// As for rows of points: one distance, in float64. O(entries of both).
[[nodiscard]] double distance_between(const SparseRow& x, const SparseRow& y, Index columns, Metric metric);

/// As for rows of points: throws InputError for entries other than 1 where the metric is of zeros and ones.
void require_rows_for(Metric metric, const CsrMatrix<double>& points, const char* source);

/// Throws InputError, which names the first row and column at fault, unless float32 holds all numbers: sums of squares
/// then have room in float64.
void require_float32(const CsrMatrix<double>& points, const char* source);

/// The sum of the numbers, and the length of the row about a mean of all its numbers.
[[nodiscard]] double sum_of(const SparseRow& row);
[[nodiscard]] double length_about(double mean, const SparseRow& row, Index columns);

}  // namespace isogon
