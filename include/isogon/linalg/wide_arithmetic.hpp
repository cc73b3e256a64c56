#pragma once
#include <span>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "isogon/linalg/dense_matrix.hpp"
#include "isogon/linalg/wide_vectors.hpp"

namespace isogon {

/// U^T V for blocks of as many rows. O(n u v) time; the same bits for any number of threads.
[[nodiscard]] DenseMatrix cross_product(const WideVectors& u, const WideVectors& v, const RunContext& context);

/// V C: as many columns as C. O(n v c) time.
[[nodiscard]] WideVectors combination(const WideVectors& v, const DenseMatrix& c, const RunContext& context);

/// out -= V C.
void subtract_combination(const WideVectors& v, const DenseMatrix& c, WideVectors& out, const RunContext& context);

/// The columns that `chosen` lists, in that order.
[[nodiscard]] WideVectors chosen_columns(const WideVectors& v, std::span<const Index> chosen);

/// Blocks side by side; those without columns may have any number of rows.
[[nodiscard]] WideVectors side_by_side(std::span<const WideVectors* const> blocks);

/// The Euclidean length of every column.
[[nodiscard]] std::vector<double> column_lengths(const WideVectors& v, const RunContext& context);

}  // namespace isogon
