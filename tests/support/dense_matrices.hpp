#pragma once
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/random.hpp"
#include "isogon/core/points.hpp"
#include "linalg/dense_matrix.hpp"
#include "linalg/multi_vector.hpp"
#include "linalg/multi_vector_arithmetic.hpp"

// Compiled once, in dense_matrices.cpp: these take a compiler the longest.
extern template class Eigen::BDCSVD<Eigen::MatrixXd>;
extern template class Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>;
extern template class Eigen::JacobiSVD<Eigen::MatrixXd>;
extern template class Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>;

/// Dense float64 matrices for tests: what a block, a small matrix or points hold, and slow references on them. The
/// bodies are compiled once for all tests: what they take from Eigen costs the compiler seconds each time.
namespace isogon::support {

using Matrix = Eigen::MatrixXd;

Matrix to_matrix(const MultiVector<float>& block);

Matrix to_matrix(const DenseMatrix& matrix);

Matrix to_matrix(const PointsView& points);

Matrix to_matrix(const Points& points);

MultiVector<float> to_block(const Matrix& matrix);

DenseMatrix to_small(const Matrix& matrix);

Points to_points(const Matrix& matrix);

/// Independent normal entries, the same for the same seed.
Matrix random_matrix(Index rows, Index columns, std::uint64_t seed);

MultiVector<float> random_block(Index rows, Index columns, std::uint64_t seed);

/// Orthonormal columns that span a random subspace.
Matrix random_orthonormal(Index rows, Index columns, std::uint64_t seed);

/// A random symmetric matrix with exactly these eigenvalues, zeros besides.
Matrix matrix_with_spectrum(Index size, const std::vector<double>& values, std::uint64_t seed);

std::vector<double> by_magnitude(std::vector<double> values);

/// Best approximation of rank r of a symmetric matrix: the r eigenpairs of largest magnitude.
Matrix truncated(const Matrix& matrix, Index rank);

/// Largest magnitude of Q^T Q - I.
double orthonormality_error(const Matrix& q);

/// Largest difference of two matrices of the same shape; infinite if the shapes differ or something is not a number.
double difference(const Matrix& a, const Matrix& b);

/// A dense symmetric matrix as an operator, applied in float64; counts its products.
class MatrixOperator : public LinearOperator<float> {
public:
    explicit MatrixOperator(Matrix matrix) : matrix_(std::move(matrix)) {}
    [[nodiscard]] Index size() const override { return static_cast<Index>(matrix_.rows()); }
    void apply(const MultiVector<float>& in, MultiVector<float>& out, const RunContext& context) const override;
    [[nodiscard]] int products() const { return products_; }
    [[nodiscard]] const Matrix& matrix() const { return matrix_; }

private:
    Matrix matrix_;
    mutable int products_ = 0;
};

}  // namespace isogon::support
