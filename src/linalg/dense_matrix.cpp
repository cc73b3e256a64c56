#include "isogon/linalg/dense_matrix.hpp"

namespace isogon {

DenseMatrix product(const DenseMatrix& a, const DenseMatrix& b) {
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
