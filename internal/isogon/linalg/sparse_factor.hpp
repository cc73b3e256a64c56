#pragma once
#include <cstdint>
#include <memory>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/multi_vector.hpp"

namespace isogon {

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
