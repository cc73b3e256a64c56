#pragma once
#include <span>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/dense_matrix.hpp"
#include "linalg/multi_vector.hpp"

namespace isogon {

/// Subtracts its mean from every column.
void remove_means(MultiVector<double>& x);

/// The means of a sparse matrix's columns.
[[nodiscard]] std::vector<double> column_means(const CsrMatrix<double>& z);

/// Z with a column of ones as its last.
[[nodiscard]] CsrMatrix<double> with_ones(const CsrMatrix<double>& z);

/// Z^T J K J Z from [Z 1]^T K [Z 1] and the means m of Z's columns: exactly symmetric, all entries stored.
[[nodiscard]] CsrMatrix<double> centred_reduction(const DenseMatrix& sums, const std::vector<double>& means);

/// All entries stored.
[[nodiscard]] CsrMatrix<double> to_sparse(const DenseMatrix& matrix);

/// out += row Z, for one row of n numbers.
void mix_row(std::span<const double> row, const CsrMatrix<double>& z, std::span<double> out);

/// out += sum over the points i in [first, first + count) of Z's entry (i, l) times row i - first of `mixed`, for
/// Z^T = `turned`.
void add_mixed_rows(const CsrMatrix<double>& turned, Index l, Index first, Index count,
                    const std::vector<double>& mixed, std::span<double> out);

/// Z^T X.
[[nodiscard]] MultiVector<double> transposed_product(const CsrMatrix<double>& z, const MultiVector<double>& x,
                                                     const RunContext& context);

/// M M^T for the rows of M.
[[nodiscard]] DenseMatrix cross_product_of_rows(const MultiVector<double>& m, const RunContext& context);

}  // namespace isogon
