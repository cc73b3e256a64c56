#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/dense_matrix.hpp"
#include "linalg/multi_vector.hpp"
#include "linalg/row_kernel.hpp"

// Multivectors as elements of one vector space: operators on them, their arithmetic, products with small matrices and
// orthonormal bases. Shapes must agree. Sums go over blocks of rows in order: the same bits for any number of threads.
// Where an operation exists in both precisions, the order of its sums differs between them
// (src/linalg/multi_vector_arithmetic.cpp says how).
namespace isogon {

/// A symmetric n x n operator, given by its products with blocks of vectors in one precision. The matrix may be dense,
/// sparse, low-rank, a product that is never formed, or distributed. This is all that a solver sees of a matrix.
template <class T>
class LinearOperator {
public:
    LinearOperator() = default;
    LinearOperator(const LinearOperator&) = delete;
    LinearOperator& operator=(const LinearOperator&) = delete;
    virtual ~LinearOperator() = default;

    /// n.
    [[nodiscard]] virtual Index size() const = 0;
    /// out = A in, n x k each, for any k; `out` has the shape of `in` and arbitrary contents before the call. The same
    /// bits for any number of threads.
    virtual void apply(const MultiVector<T>& in, MultiVector<T>& out, const RunContext& context) const = 0;
};

/// An operator given by a function that makes its products.
template <class T>
class FunctionOperator final : public LinearOperator<T> {
public:
    using Apply = std::function<void(const MultiVector<T>& in, MultiVector<T>& out, const RunContext& context)>;

    FunctionOperator(Index size, Apply apply) : size_(size), apply_(std::move(apply)) {}
    [[nodiscard]] Index size() const override { return size_; }
    void apply(const MultiVector<T>& in, MultiVector<T>& out, const RunContext& context) const override {
        apply_(in, out, context);
    }

private:
    Index size_;
    Apply apply_;
};

/// Rows in a block of dot(). Large enough to amortise the start of a task: 16,000 numbers of 16 columns.
inline constexpr std::size_t dot_rows_in_block = 1024;

/// sum_ik a_ik b_ik, in float64, block of rows by block. O(n k), as all up to gram().
[[nodiscard]] double dot(const MultiVector<float>& a, const MultiVector<float>& b, const RunContext& context);

/// a in this shape, in the memory that it has if that is its shape already: its numbers are any then, zeros else.
void set_shape(MultiVector<float>& a, Index rows, Index columns);

/// a := zeros in this shape, in the same memory.
void set_zero(MultiVector<float>& a, Index rows, Index columns);

/// b := factor a, in the memory of b as by set_shape(), on the context's threads: MultiVector's own copy is made by
/// one.
void assign(double factor, const MultiVector<float>& a, MultiVector<float>& b, const RunContext& context);

/// Calls visit(rows of a) for all of them, in parallel. Their numbers begin with `first`.
void for_each_row_block(MultiVector<float>& a, Index first, const RunContext& context,
                        const std::function<void(const RowBlock&)>& visit);

/// b += factor a
void axpy(double factor, const MultiVector<float>& a, MultiVector<float>& b, const RunContext& context);

/// a *= factor
void scale(double factor, MultiVector<float>& a, const RunContext& context);

// The same for each column separately, with its own factor.

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

/// A small matrix as a block of vectors, and the reverse.
[[nodiscard]] MultiVector<double> to_multi_vector(const DenseMatrix& matrix);
template <class T>
[[nodiscard]] DenseMatrix to_dense(const MultiVector<T>& block) {
    DenseMatrix matrix(block.rows(), block.columns());
    for (std::size_t j = 0; j < matrix.columns; ++j) {
        for (std::size_t i = 0; i < matrix.rows; ++i) {
            matrix(i, j) = double{block.at(i, j)};
        }
    }
    return matrix;
}

/// The first `columns` columns.
[[nodiscard]] MultiVector<float> leading_columns(const MultiVector<float>& v, Index columns, const RunContext& context);
[[nodiscard]] MultiVector<double> leading_columns(const MultiVector<double>& v, Index columns);

/// Normally distributed numbers. Row i depends on the seed and on first + i alone.
[[nodiscard]] MultiVector<double> random_normal(Index rows, Index columns, std::uint64_t seed, RandomStream stream,
                                                std::uint64_t first = 0);

/// Subtracts its mean from every column.
void remove_means(MultiVector<double>& x);

/// Makes the component of largest magnitude of every column positive: eigenvectors are otherwise free in sign. Columns
/// of `along` (may be null) change their signs with those of x.
void fix_signs(MultiVector<double>& x, MultiVector<double>* along = nullptr);

/// An orthonormal basis of the columns of W, and the factor with W = basis * factor (up to dropped directions).
struct Orthonormal {
    MultiVector<float> basis;
    DenseMatrix factor;
};

/// Orthonormalises by the eigenvectors of W^T W (in float64), twice, and more often if W is badly conditioned, so that
/// the basis is orthonormal to float32 rounding. Directions of W shorter than `smallest` times its longest are
/// dropped. Those below about 3e-4 of the longest may be dropped too, as float32 products do not distinguish them from
/// noise. The basis has at least one column unless W is zero. O(n w^2) time.
[[nodiscard]] Orthonormal orthonormalize(const MultiVector<float>& w, const RunContext& context,
                                         double smallest = 1e-6);

/// W - Q (Q^T W), done twice; `coefficients` receives Q^T W.
void remove_components(const MultiVector<float>& q, MultiVector<float>& w, DenseMatrix& coefficients,
                       const RunContext& context);

}  // namespace isogon
