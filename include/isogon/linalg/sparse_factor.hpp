#pragma once
#include <cstdint>
#include <memory>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/wide_vectors.hpp"

namespace isogon {

/// The Cholesky factor of a sparse symmetric positive definite matrix, in float64: P A P^T = L L^T with rows in an
/// order that fills little (approximate minimum degree; Amestoy, Davis and Duff 1996). How much it fills is known
/// before a number is computed: graphs of points on a sheet fill some n log n, those of points in many dimensions n^2
/// / 2.
class SparseFactor {
public:
    /// Looks at the lower triangle's pattern, and keeps a copy of it; O(entries of L) time at most. Throws
    /// InvalidArgument unless the matrix is square.
    explicit SparseFactor(const CsrMatrix<double>& matrix);
    ~SparseFactor();
    SparseFactor(SparseFactor&&) noexcept;
    SparseFactor& operator=(SparseFactor&&) noexcept;
    SparseFactor(const SparseFactor&) = delete;
    SparseFactor& operator=(const SparseFactor&) = delete;

    /// What the constructor takes to find an order: some copies of the pattern. Which order, and so how much it fills,
    /// is known only then.
    [[nodiscard]] static std::uint64_t order_bytes(const CsrMatrix<double>& matrix);

    /// Multiplications of the elimination: the squares of the lengths of L's columns, summed. On one thread.
    [[nodiscard]] double operations() const;
    /// What compute() will take: the entries of L, and the matrix once more.
    [[nodiscard]] std::uint64_t bytes() const;

    /// The elimination, on one thread. False where a pivot is not positive; the object then is of no more use. Memory
    /// is the caller's to state. Throws Interruption; reports phase "sparse factor".
    [[nodiscard]] bool compute(const RunContext& context = {});

    /// x := A^-1 x for every column, in parallel; a column has the same bits alone and among others. Two operations an
    /// entry of L and column. After compute() only.
    void solve(WideVectors& x, const RunContext& context) const;

private:
    struct Kept;
    std::unique_ptr<Kept> kept_;
};

}  // namespace isogon
