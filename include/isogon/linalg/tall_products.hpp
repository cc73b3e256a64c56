#pragma once
#include <functional>
#include <span>

#include "isogon/core/divided_points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/block_vectors.hpp"
#include "isogon/linalg/dense_matrix.hpp"

namespace isogon {

/// A^T B of two blocks with the same rows: float32 products, summed in float64 over blocks of 512 rows.
/// O(n a b) time.
[[nodiscard]] DenseMatrix gram(const BlockVectors& a, const BlockVectors& b, const RunContext& context);

/// A C: n x a times a x c, the small factor rounded to float32.
[[nodiscard]] BlockVectors multiply(const BlockVectors& a, const DenseMatrix& c, const RunContext& context);

/// A C + B D.
[[nodiscard]] BlockVectors multiply_add(const BlockVectors& a, const DenseMatrix& c, const BlockVectors& b,
                                        const DenseMatrix& d, const RunContext& context);

/// Writes row `row` of a data matrix into as many numbers as it has columns. Called from many threads, and for a row
/// more than once.
using RowLoader = std::function<void(Index row, std::span<float> into)>;

/// X^T X (D x D) of rows that are made when they are asked for: 2,048 of them are held at a time. The same bits as that
/// of the rows as points.
[[nodiscard]] DenseMatrix gram_of_rows(Index count, Index dimension, const RowLoader& load, const RunContext& context);

/// X^T X (D x D), uncentred or about `center` (empty: none), without a copy of X. O(n D^2 / 2) time, O(D^2) memory.
[[nodiscard]] DenseMatrix gram_of_points(const PointsView& x, std::span<const double> center,
                                         const RunContext& context);

/// The same, uncentred and to the same bits, of points that ranks divide: all of them pass by every rank, some at a
/// time, and each makes some of the tiles of the product, which all get. Ranks meet.
[[nodiscard]] DenseMatrix gram_of_points(const DividedPoints& x, const RunContext& context);

}  // namespace isogon
