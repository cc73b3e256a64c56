#pragma once
#include <Eigen/Dense>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/error.hpp"
#include "linalg/multi_vector_arithmetic.hpp"
#include "support/dense_matrices.hpp"

/// Matrices for tests of eigenproblems, dense, and operators over them.
namespace isogon::support {

Matrix to_matrix(const MultiVector<double>& v);

MultiVector<double> to_multi_vector(const Matrix& matrix);

class DenseOperator : public LinearOperator<double> {
public:
    explicit DenseOperator(Matrix matrix) : matrix_(std::move(matrix)) {}
    [[nodiscard]] const Matrix& matrix() const { return matrix_; }
    [[nodiscard]] Index size() const override { return static_cast<Index>(matrix_.rows()); }
    void apply(const MultiVector<double>& in, MultiVector<double>& out, const RunContext& context) const override;

private:
    Matrix matrix_;
};

CsrMatrix<double> csr_matrix(const Matrix& matrix);

/// Positive definite, with eigenvalues from 1 down to `smallest`, closer and closer.
Matrix random_definite(Index size, double smallest, std::uint64_t seed);

/// Every point joined to the next, the last to the first, with somewhat different weights: simple eigenvalues.
Matrix ring_laplacian(Index size);

}  // namespace isogon::support
