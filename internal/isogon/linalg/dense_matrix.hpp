#pragma once
#include <cstddef>
#include <vector>

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

}  // namespace isogon
