#pragma once
#include <span>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "isogon/linalg/block_vectors.hpp"
#include "isogon/linalg/dense_matrix.hpp"

namespace isogon {

/// Blocks as elements of one vector space. Shapes must agree. Sums in float64 over blocks of rows in order: the same
/// bits for any number of threads. O(n k) each.

/// sum_ik a_ik b_ik
[[nodiscard]] double dot(const BlockVectors& a, const BlockVectors& b, const RunContext& context);

/// b += factor a
void add_scaled(double factor, const BlockVectors& a, BlockVectors& b, const RunContext& context);

/// a *= factor
void scale(double factor, BlockVectors& a, const RunContext& context);

/// The same for each column separately, with its own factor.

/// sum_i a_ik b_ik for every column k
[[nodiscard]] std::vector<double> column_dots(const BlockVectors& a, const BlockVectors& b, const RunContext& context);

/// b_ik += factor_k a_ik
void add_scaled_columns(std::span<const double> factors, const BlockVectors& a, BlockVectors& b,
                        const RunContext& context);

/// b_ik = a_ik + factor_k b_ik
void scale_columns_and_add(std::span<const double> factors, const BlockVectors& a, BlockVectors& b,
                           const RunContext& context);

/// A^T B of two blocks with the same rows: float32 products, summed in float64 over blocks of 512 rows.
/// O(n a b) time.
[[nodiscard]] DenseMatrix gram(const BlockVectors& a, const BlockVectors& b, const RunContext& context);

/// A C: n x a times a x c, the small factor rounded to float32.
[[nodiscard]] BlockVectors multiply(const BlockVectors& a, const DenseMatrix& c, const RunContext& context);

/// A C + B D.
[[nodiscard]] BlockVectors multiply_add(const BlockVectors& a, const DenseMatrix& c, const BlockVectors& b,
                                        const DenseMatrix& d, const RunContext& context);

/// An orthonormal basis of the columns of W, and the factor with W = basis * factor (up to dropped directions).
struct Orthonormal {
    BlockVectors basis;
    DenseMatrix factor;
};

/// Orthonormalises by the eigenvectors of W^T W (in float64), twice, and more often if W is badly conditioned, so that
/// the basis is orthonormal to float32 rounding. Directions of W shorter than `smallest` times its longest are
/// dropped. Those below about 3e-4 of the longest may be dropped too, as float32 products do not distinguish them from
/// noise. The basis has at least one column unless W is zero. O(n w^2) time.
[[nodiscard]] Orthonormal orthonormalize(const BlockVectors& w, const RunContext& context, double smallest = 1e-6);

/// W - Q (Q^T W), done twice; `coefficients` receives Q^T W.
void remove_components(const BlockVectors& q, BlockVectors& w, DenseMatrix& coefficients, const RunContext& context);

}  // namespace isogon
