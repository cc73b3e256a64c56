#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/multi_vector.hpp"

// Sparse matrices: sums, products with each other and with blocks of vectors, congruences, Cholesky factors.
namespace isogon {

/// A B, row by row (Gustavson, "Two fast algorithms for sparse matrices", ACM TOMS 1978). The pattern is structural:
/// an entry may be zero by cancellation. O(sum over entries (i, k) of A of the entries in row k of B) time; the same
/// bits for any number of threads. Throws InvalidArgument unless A has as many columns as B has rows; Interruption.
[[nodiscard]] CsrMatrix<double> product(const CsrMatrix<double>& a, const CsrMatrix<double>& b,
                                        const RunContext& context);

/// Replaces a square matrix by the mean of it and its transpose, which removes asymmetry by rounding. The pattern must
/// be symmetric.
void symmetrise(CsrMatrix<double>& matrix);

/// I - W for a W without diagonal entries, such as reconstruction weights. Throws InvalidArgument unless W is square.
/// O(entries).
[[nodiscard]] CsrMatrix<double> identity_minus(const CsrMatrix<double>& weights);

/// A + shift B, or A + shift I where `b` is null. O(entries).
[[nodiscard]] CsrMatrix<double> shifted(const CsrMatrix<double>& a, const CsrMatrix<double>* b, double shift);

/// One entry of a sparse matrix. In the order of rows, then of columns.
template <class Value>
struct MatrixEntry {
    Index row = 0;
    Index column = 0;
    Value value{};

    [[nodiscard]] std::pair<Index, Index> place() const { return {row, column}; }
    [[nodiscard]] bool operator<(const MatrixEntry& other) const { return place() < other.place(); }
};

/// The matrix with more entries, which are sorted, and none of which it has. O(entries).
template <class Value>
[[nodiscard]] CsrMatrix<Value> with_entries(const CsrMatrix<Value>& matrix,
                                            const std::vector<MatrixEntry<Value>>& more) {
    CsrMatrix<Value> result{.rows = matrix.rows, .columns = matrix.columns};
    result.indices.reserve(matrix.entries() + more.size());
    result.values.reserve(matrix.entries() + more.size());
    const auto add = [&](Index column, Value value) {
        result.indices.push_back(column);
        result.values.push_back(value);
    };
    auto next = more.begin();
    for (Index i = 0; i < matrix.rows; ++i) {
        const auto columns = matrix.row_indices(i);
        for (std::size_t k = 0; k <= columns.size(); ++k) {
            const Index column = k < columns.size() ? columns[k] : matrix.columns;
            for (; next != more.end() && next->row == i && next->column < column; ++next) {
                add(next->column, next->value);
            }
            if (k < columns.size()) {
                add(column, matrix.row_values(i)[k]);
            }
        }
        result.offsets.push_back(result.indices.size());
    }
    return result;
}

/// Z^T A Z for a symmetric A: the reduction of a problem of all points to landmarks of which they are mixtures
/// (Vladymyrov and Carreira-Perpinan 2013, eq. 8). Exactly symmetric. If nearly all pairs of columns of Z have a
/// common row, rows of A Z and the result are stored densely, and only one half of A is multiplied: O(entries of A
/// times entries of a row of Z / 2 + entries of Z times columns), the latter vectorised; memory 8 columns^2 bytes of
/// sums, at most 256 MiB, and up to 12 columns^2 of the result. Otherwise two sparse products. The same bits for any
/// number of threads. Throws InvalidArgument unless A is square with as many rows as Z; Interruption.
[[nodiscard]] CsrMatrix<double> congruence(const CsrMatrix<double>& a, const CsrMatrix<double>& z,
                                           const RunContext& context);

/// The same for a diagonal A, given by its diagonal; empty: the identity. O(entries of Z times entries of a row of it
/// / 2) if stored densely.
[[nodiscard]] CsrMatrix<double> congruence(const std::vector<double>& diagonal, const CsrMatrix<double>& z,
                                           const RunContext& context);

/// Whether congruence() stores its result densely.
[[nodiscard]] bool congruence_is_dense(const CsrMatrix<double>& a, const CsrMatrix<double>& z);

/// out := A in for a sparse A: each row of `out` is a sum of rows of `in`, in float32, in the order of A's columns.
/// `in` has as many rows as A has columns, `out` as many rows as A and the columns of `in`. O(entries columns).
void multiply(const CsrMatrix<float>& a, const MultiVector<float>& in, MultiVector<float>& out,
              const RunContext& context);
/// The same in float64.
void multiply(const CsrMatrix<double>& a, const MultiVector<double>& in, MultiVector<double>& out,
              const RunContext& context);

/// Rows of a dense matrix from number `first` on, `stride` numbers each.
template <class T>
struct DenseRows {
    const T* values = nullptr;
    std::size_t stride = 0;
    Index first = 0;

    [[nodiscard]] const T* row(Index i) const { return values + (i - first) * stride; }
    /// The same from column c on.
    [[nodiscard]] DenseRows from(std::size_t c) const { return {values + c, stride, first}; }
};

/// out[c] += sum over k of weights[k] in.row(rows[k])[c] for all c below the stride, a multiple of 8: a weighted sum of
/// some rows, added to another row. Sums go in the order of k, in registers, so that a row that takes many is read and
/// written once.
void add_rows(std::span<const Index> rows, std::span<const double> weights, const DenseRows<double>& in, double* out);

/// The Cholesky factor of a sparse symmetric positive definite matrix, in float64: P A P^T = L L^T with rows in an
/// order that fills little (approximate minimum degree; Amestoy, Davis and Duff 1996). How much it fills is known
/// before a number is computed: graphs of points on a sheet fill some n log n, those of points in many dimensions n^2
/// / 2.
class SparseFactor {
public:
    /// Analyses the pattern of the lower triangle and stores a copy of it; at most O(entries of L) time. Throws
    /// InvalidArgument unless the matrix is square.
    explicit SparseFactor(const CsrMatrix<double>& matrix);
    ~SparseFactor();
    SparseFactor(SparseFactor&&) noexcept;
    SparseFactor& operator=(SparseFactor&&) noexcept;
    SparseFactor(const SparseFactor&) = delete;
    SparseFactor& operator=(const SparseFactor&) = delete;

    /// Bytes of the constructor's analysis: some copies of the pattern. The order, and so the fill, is known only
    /// after it.
    [[nodiscard]] static std::uint64_t order_bytes(const CsrMatrix<double>& matrix);

    /// Multiplications of the elimination: the squares of the lengths of L's columns, summed. On one thread.
    [[nodiscard]] double operations() const;
    /// Bytes of compute(): the entries of L, and a copy of the matrix.
    [[nodiscard]] std::uint64_t bytes() const;

    /// The numerical factorisation, on one thread. False if a pivot is not positive; the object is then unusable. The
    /// caller states the memory. Throws Interruption; reports phase "sparse factor".
    [[nodiscard]] bool compute(const RunContext& context = {});

    /// x := A^-1 x for every column, in parallel; a column has the same bits alone and among others. Two operations an
    /// entry of L and column. After compute() only.
    void solve(MultiVector<double>& x, const RunContext& context) const;

private:
    struct Kept;
    std::unique_ptr<Kept> kept_;
};

}  // namespace isogon
