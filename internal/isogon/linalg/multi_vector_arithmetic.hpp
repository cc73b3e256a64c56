#pragma once
#include <span>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "isogon/linalg/dense_matrix.hpp"
#include "isogon/linalg/multi_vector.hpp"

namespace isogon {

/// Multivectors as elements of one vector space, and products with small matrices. Shapes must agree. Sums go over
/// blocks of rows in order: the same bits for any number of threads. Where an operation exists in both precisions, the
/// order of its sums differs between them (src/linalg/multi_vector_arithmetic.cpp says how).

/// sum_ik a_ik b_ik, in float64. O(n k), as all up to gram().
[[nodiscard]] double dot(const MultiVector<float>& a, const MultiVector<float>& b, const RunContext& context);

/// b += factor a
void axpy(double factor, const MultiVector<float>& a, MultiVector<float>& b, const RunContext& context);

/// a *= factor
void scale(double factor, MultiVector<float>& a, const RunContext& context);

/// The same for each column separately, with its own factor.

/// sum_i a_ik b_ik for every column k, in float64.
[[nodiscard]] std::vector<double> column_dots(const MultiVector<float>& a, const MultiVector<float>& b,
                                              const RunContext& context);

/// The Euclidean norm of every column.
[[nodiscard]] std::vector<double> column_norms(const MultiVector<double>& v, const RunContext& context);

/// b_ik += factor_k a_ik
void axpy(std::span<const double> factors, const MultiVector<float>& a, MultiVector<float>& b,
          const RunContext& context);

/// b_ik = a_ik + factor_k b_ik
void aypx(std::span<const double> factors, const MultiVector<float>& a, MultiVector<float>& b,
          const RunContext& context);

/// A^T B of two blocks with the same rows. float32: products in float32, summed in float64 over blocks of 512 rows.
/// O(n a b) time.
[[nodiscard]] DenseMatrix gram(const MultiVector<float>& a, const MultiVector<float>& b, const RunContext& context);
[[nodiscard]] DenseMatrix gram(const MultiVector<double>& a, const MultiVector<double>& b, const RunContext& context);

/// A C: n x a times a x c; float32: the small factor rounded to it. O(n a c) time.
[[nodiscard]] MultiVector<float> multiply(const MultiVector<float>& a, const DenseMatrix& c, const RunContext& context);
[[nodiscard]] MultiVector<double> multiply(const MultiVector<double>& a, const DenseMatrix& c,
                                           const RunContext& context);

/// A C + B D.
[[nodiscard]] MultiVector<float> multiply_add(const MultiVector<float>& a, const DenseMatrix& c,
                                              const MultiVector<float>& b, const DenseMatrix& d,
                                              const RunContext& context);

/// out -= A C.
void subtract_product(const MultiVector<double>& a, const DenseMatrix& c, MultiVector<double>& out,
                      const RunContext& context);

}  // namespace isogon
