#include "support/sparse_matrices.hpp"

namespace isogon::support {

CsrMatrix<float> to_sparse(const Matrix& dense) {
    CsrMatrix<float> matrix{.rows = static_cast<Index>(dense.rows()), .columns = static_cast<Index>(dense.cols())};
    for (Index i = 0; i < matrix.rows; ++i) {
        for (Index j = 0; j < matrix.columns; ++j) {
            if (dense(i, j) != 0.0) {
                matrix.indices.push_back(j);
                matrix.values.push_back(static_cast<float>(dense(i, j)));
            }
        }
        matrix.offsets.push_back(matrix.indices.size());
    }
    return matrix;
}

Matrix random_sparse(Index rows, Index columns, double share, std::uint64_t seed) {
    Matrix dense = random_matrix(rows, columns, seed);
    Random random(seed + 1, RandomStream::Test, 0);
    for (Index i = 0; i < rows; ++i) {
        for (Index j = 0; j < columns; ++j) {
            dense(i, j) *= random.uniform() < share ? 1.0 : 0.0;
        }
    }
    return dense;
}

}  // namespace isogon::support
