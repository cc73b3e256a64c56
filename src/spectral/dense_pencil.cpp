#include "spectral/dense_pencil.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>

namespace isogon {

namespace {

using Matrix = Eigen::MatrixXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Matrix to_dense(const CsrMatrix<double>& matrix) {
    Matrix result = Matrix::Zero(matrix.rows, matrix.columns);
    for (Index i = 0; i < matrix.rows; ++i) {
        for (std::size_t k = 0; k < matrix.row_indices(i).size(); ++k) {
            result(i, matrix.row_indices(i)[k]) = matrix.row_values(i)[k];
        }
    }
    return result;
}

/// Whether what is divided by the pivots keeps some digits.
bool well_conditioned(const Eigen::LLT<Matrix>& factor) {
    constexpr double least = 1e-6;  // of a pivot's root, as compared with the largest
    const Eigen::VectorXd pivots = factor.matrixLLT().diagonal();
    return factor.info() == Eigen::Success && pivots.minCoeff() > least * pivots.maxCoeff();
}

/// C, with eigenvalues beyond all of its own for the columns of `out`, which become eigenvectors.
void move_out(const Matrix& out, Matrix& c) {
    if (out.cols() == 0) {
        return;
    }
    const Matrix q = out.householderQr().householderQ() * Matrix::Identity(out.rows(), out.cols());
    const double bound = c.cwiseAbs().rowwise().sum().maxCoeff();
    const Matrix image = c * q;
    const Matrix among = q.transpose() * image;
    c -= q * image.transpose() + image * q.transpose();
    c += q * (among + (bound > 0.0 ? 3.0 * bound : 1.0) * Matrix::Identity(q.cols(), q.cols())) * q.transpose();
}

WideVectors to_wide(const Matrix& matrix) {
    WideVectors result(static_cast<Index>(matrix.rows()), static_cast<Index>(matrix.cols()));
    Eigen::Map<RowMajor>(result.values.data(), matrix.rows(), matrix.cols()) = matrix;
    return result;
}

}  // namespace

std::optional<PencilSolution> solve_pencil(const CsrMatrix<double>& a, const CsrMatrix<double>& b,
                                           const WideVectors& deflation, Index count) {
    const Eigen::LLT<Matrix> factor(to_dense(b));
    if (!well_conditioned(factor)) {
        return std::nullopt;
    }
    Matrix c = to_dense(a);
    factor.matrixL().solveInPlace(c);
    c.transposeInPlace();
    factor.matrixL().solveInPlace(c);
    c = 0.5 * (c + c.transpose()).eval();
    const Eigen::Map<const RowMajor> known(deflation.values.data(), deflation.columns == 0 ? 0 : c.rows(),
                                           deflation.columns);
    move_out(deflation.columns == 0 ? Matrix(c.rows(), 0) : Matrix(factor.matrixU() * known), c);
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(c);
    const Eigen::VectorXd& values = solver.eigenvalues();
    Matrix vectors = solver.eigenvectors().leftCols(count);
    factor.matrixU().solveInPlace(vectors);
    const Eigen::Index own = values.size() - static_cast<Eigen::Index>(deflation.columns);
    return PencilSolution{to_wide(vectors),
                          {values.data(), values.data() + count},
                          own > 0 ? std::max(std::abs(values[0]), std::abs(values[own - 1])) : 0.0};
}

}  // namespace isogon
