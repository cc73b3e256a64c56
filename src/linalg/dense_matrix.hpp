#pragma once
#include <cstddef>
#include <vector>

#include "isogon/core/run_context.hpp"

// Small dense matrices: the projected problems of the solvers, and their eigenpairs.
namespace isogon {

/// A small dense matrix of float64, column-major: for the projected problems of a few hundred rows, never for data.
struct DenseMatrix {
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::vector<double> values;

    DenseMatrix() = default;
    DenseMatrix(std::size_t m, std::size_t n) : rows(m), columns(n), values(m * n) {}

    double& operator()(std::size_t i, std::size_t j) { return values[j * rows + i]; }
    double operator()(std::size_t i, std::size_t j) const { return values[j * rows + i]; }
};

/// A B, for small matrices: sums over the columns of A in their order.
[[nodiscard]] inline DenseMatrix product(const DenseMatrix& a, const DenseMatrix& b) {
    DenseMatrix result(a.rows, b.columns);
    for (std::size_t j = 0; j < b.columns; ++j) {
        for (std::size_t k = 0; k < a.columns; ++k) {
            for (std::size_t i = 0; i < a.rows; ++i) {
                result(i, j) += a(i, k) * b(k, j);
            }
        }
    }
    return result;
}

[[nodiscard]] inline DenseMatrix identity_matrix(std::size_t size) {
    DenseMatrix result(size, size);
    for (std::size_t k = 0; k < size; ++k) {
        result(k, k) = 1.0;
    }
    return result;
}

/// Replaces a square matrix by the mean of it and its transpose, which removes asymmetry by rounding.
inline void symmetrise(DenseMatrix& matrix) {
    for (std::size_t j = 0; j < matrix.columns; ++j) {
        for (std::size_t i = 0; i < j; ++i) {
            matrix(i, j) = matrix(j, i) = (matrix(i, j) + matrix(j, i)) / 2.0;
        }
    }
}

/// Which end of a spectrum comes first.
enum class SpectrumOrder { LargestMagnitude, Largest, Smallest };

struct SmallEigen {
    std::vector<double> values;  ///< in the requested order
    DenseMatrix vectors;         ///< orthonormal columns, one a value

    /// Drops all pairs but the first `count`.
    void keep(std::size_t count) {
        values.resize(count);
        vectors.columns = count;
        vectors.values.resize(vectors.rows * count);
    }
};

/// All eigenpairs of a small symmetric matrix (its lower triangle is read); the sign of each vector is fixed by making
/// its component of largest magnitude positive. O(m^3).
[[nodiscard]] SmallEigen symmetric_eigen(const DenseMatrix& matrix, SpectrumOrder order);

struct OrthogonalFactor {
    DenseMatrix matrix;
    double sum = 0.0;  ///< sum of the singular values
};

/// U V^T of a square matrix U S V^T: the orthogonal R with the largest trace of R^T A, that is the least |X R - Y| for
/// A = X^T Y (Schoenemann, "A generalized solution of the orthogonal Procrustes problem", Psychometrika 1966). O(m^3).
[[nodiscard]] OrthogonalFactor orthogonal_factor(const DenseMatrix& matrix);

/// The `rank` largest eigenpairs of a dense symmetric matrix of up to some thousand rows (both halves are read):
/// Householder tridiagonalisation, bisection, inverse iteration. Errors are rounding relative to the largest
/// eigenvalue. The component of largest magnitude of each vector is positive. Unlike symmetric_eigen it runs on all
/// threads and can be interrupted: throws Interruption. 4/3 m^3 + 2 m^2 rank + 10 m rank^2 operations, a copy of the
/// matrix. The same bits for any number of threads. Throws InvalidArgument if rank is above the size.
/// Source: Golub and Van Loan, Matrix Computations, 4th edition, 8.3.1, 8.4.1 and 8.2.2; blocks of reflections as in
/// LAPACK's latrd.
[[nodiscard]] SmallEigen largest_eigenpairs(const DenseMatrix& matrix, std::size_t rank, const RunContext& context);

}  // namespace isogon
