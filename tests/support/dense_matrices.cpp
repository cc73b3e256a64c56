#include "support/dense_matrices.hpp"

template class Eigen::BDCSVD<Eigen::MatrixXd>;
template class Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>;
template class Eigen::JacobiSVD<Eigen::MatrixXd>;
template class Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>;

namespace isogon::support {

Matrix to_matrix(const MultiVector<float>& block) {
    Matrix result(block.rows(), block.columns());
    for (Index i = 0; i < block.rows(); ++i) {
        for (Index j = 0; j < block.columns(); ++j) {
            result(i, j) = double{block.row(i)[j]};
        }
    }
    return result;
}

Matrix to_matrix(const DenseMatrix& matrix) {
    return Eigen::Map<const Matrix>(matrix.values.data(), static_cast<Eigen::Index>(matrix.rows),
                                    static_cast<Eigen::Index>(matrix.columns));
}

Matrix to_matrix(const PointsView& points) {
    Matrix result(points.count, points.dimension);
    for (Index i = 0; i < points.count; ++i) {
        for (Index j = 0; j < points.dimension; ++j) {
            result(i, j) = double{points[i][j]};
        }
    }
    return result;
}

Matrix to_matrix(const Points& points) {
    return to_matrix(points.view());
}

MultiVector<float> to_block(const Matrix& matrix) {
    MultiVector<float> block(static_cast<Index>(matrix.rows()), static_cast<Index>(matrix.cols()));
    for (Index i = 0; i < block.rows(); ++i) {
        for (Index j = 0; j < block.columns(); ++j) {
            block.row(i)[j] = static_cast<float>(matrix(i, j));
        }
    }
    return block;
}

DenseMatrix to_small(const Matrix& matrix) {
    DenseMatrix result(static_cast<std::size_t>(matrix.rows()), static_cast<std::size_t>(matrix.cols()));
    Eigen::Map<Matrix>(result.values.data(), matrix.rows(), matrix.cols()) = matrix;
    return result;
}

Points to_points(const Matrix& matrix) {
    Points points(static_cast<Index>(matrix.rows()), static_cast<Index>(matrix.cols()));
    for (Index i = 0; i < points.count(); ++i) {
        for (Index j = 0; j < points.dimension(); ++j) {
            points[i][j] = static_cast<float>(matrix(i, j));
        }
    }
    return points;
}

Matrix random_matrix(Index rows, Index columns, std::uint64_t seed) {
    Matrix result(rows, columns);
    for (Index i = 0; i < rows; ++i) {
        Random random(seed, RandomStream::Test, i);
        for (Index j = 0; j < columns; ++j) {
            result(i, j) = random.normal();
        }
    }
    return result;
}

MultiVector<float> random_block(Index rows, Index columns, std::uint64_t seed) {
    return to_block(random_matrix(rows, columns, seed));
}

Matrix random_orthonormal(Index rows, Index columns, std::uint64_t seed) {
    const Eigen::HouseholderQR<Matrix> qr(random_matrix(rows, columns, seed));
    return qr.householderQ() * Matrix::Identity(rows, columns);
}

Matrix matrix_with_spectrum(Index size, const std::vector<double>& values, std::uint64_t seed) {
    const auto count = static_cast<Index>(values.size());
    const Matrix q = random_orthonormal(size, count, seed);
    return q * Eigen::Map<const Eigen::VectorXd>(values.data(), count).asDiagonal() * q.transpose();
}

std::vector<double> by_magnitude(std::vector<double> values) {
    std::stable_sort(values.begin(), values.end(), [](double a, double b) { return std::abs(a) > std::abs(b); });
    return values;
}

Matrix truncated(const Matrix& matrix, Index rank) {
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(matrix);
    std::vector<Eigen::Index> order(static_cast<std::size_t>(matrix.rows()));
    for (std::size_t k = 0; k < order.size(); ++k) {
        order[k] = static_cast<Eigen::Index>(k);
    }
    const auto magnitude = [&](Eigen::Index k) { return std::abs(solver.eigenvalues()[k]); };
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return magnitude(a) > magnitude(b); });
    Matrix result = Matrix::Zero(matrix.rows(), matrix.rows());
    for (std::size_t k = 0; k < std::min<std::size_t>(rank, order.size()); ++k) {
        const Eigen::VectorXd q = solver.eigenvectors().col(order[k]);
        result += solver.eigenvalues()[order[k]] * q * q.transpose();
    }
    return result;
}

double orthonormality_error(const Matrix& q) {
    return q.cols() == 0 ? 0.0 : (q.transpose() * q - Matrix::Identity(q.cols(), q.cols())).cwiseAbs().maxCoeff();
}

double difference(const Matrix& a, const Matrix& b) {
    if (a.rows() != b.rows() || a.cols() != b.cols() || !a.allFinite() || !b.allFinite()) {
        return INFINITY;
    }
    return a.size() == 0 ? 0.0 : (a - b).cwiseAbs().maxCoeff();
}

void MatrixOperator::apply(const MultiVector<float>& in, MultiVector<float>& out, const RunContext& /*context*/) const {
    out = to_block(matrix_ * to_matrix(in));
    ++products_;
}

}  // namespace isogon::support
