#include "support/spectral_problems.hpp"

namespace isogon::support {

Matrix to_matrix(const MultiVector<double>& v) {
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    return Eigen::Map<const RowMajor>(v.values().data(), v.rows(), v.columns());
}

MultiVector<double> to_multi_vector(const Matrix& matrix) {
    MultiVector<double> v(static_cast<Index>(matrix.rows()), static_cast<Index>(matrix.cols()));
    for (Index i = 0; i < v.rows(); ++i) {
        for (Index j = 0; j < v.columns(); ++j) {
            v.at(i, j) = matrix(i, j);
        }
    }
    return v;
}

CsrMatrix<double> csr_matrix(const Matrix& matrix) {
    CsrMatrix<double> result{.rows = static_cast<Index>(matrix.rows()), .columns = static_cast<Index>(matrix.cols())};
    for (Index i = 0; i < result.rows; ++i) {
        for (Index j = 0; j < result.columns; ++j) {
            if (matrix(i, j) != 0.0) {
                result.indices.push_back(j);
                result.values.push_back(matrix(i, j));
            }
        }
        result.offsets.push_back(result.indices.size());
    }
    return result;
}

Matrix random_definite(Index size, double smallest, std::uint64_t seed) {
    const Matrix q = random_orthonormal(size, size, seed);
    Eigen::VectorXd values(size);
    for (Index i = 0; i < size; ++i) {
        values[i] = std::pow(smallest, size == 1 ? 0.0 : static_cast<double>(i) / (size - 1));
    }
    const Matrix product = q * values.asDiagonal() * q.transpose();
    return (product + product.transpose()) / 2.0;
}

Matrix ring_laplacian(Index size) {
    Matrix result = Matrix::Zero(size, size);
    for (Index i = 0; i < size; ++i) {
        const Index j = (i + 1) % size;
        const double weight = 1.0 + 0.3 * std::sin(0.7 * i);
        result(i, i) += weight;
        result(j, j) += weight;
        result(i, j) -= weight;
        result(j, i) -= weight;
    }
    return result;
}

void DenseOperator::apply(const MultiVector<double>& in, MultiVector<double>& out,
                          const RunContext& /*context*/) const {
    out = to_multi_vector(matrix_ * to_matrix(in));
}

}  // namespace isogon::support
