#include "semidefinite/dsdp_host.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "linalg/dense_cholesky.hpp"
#include "linalg/dense_matrix.hpp"

namespace isogon {

namespace {

using Vector = Eigen::Map<Eigen::VectorXd>;
using KnownVector = Eigen::Map<const Eigen::VectorXd>;
using KnownMatrix = Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

void require(bool as_dsdp_asks) {
    if (!as_dsdp_asks) {
        throw std::logic_error("DSDP asks for a routine in a way that is not there");
    }
}

std::size_t count_of(const int* n) {
    return static_cast<std::size_t>(std::max(*n, 0));
}

/// Counts n m operations; n without m.
void count_operations(const int* n, const int* m = nullptr) {
    DsdpHost::current().count_operations(count_of(n) * (m == nullptr ? 1 : count_of(m)));
}

RunContext context_for_cube(const int* n) {
    const double size = *n;
    return DsdpHost::current().context_for(size * size * size);
}

KnownMatrix matrix_of(const double* a, const int* n, const int* stride) {
    return {a, *n, *n, Eigen::OuterStride<>(*stride)};
}

/// Upper by columns is lower by rows.
LowerTriangle triangle_of(double* a, const int* n, const int* stride) {
    return {a, count_of(n), count_of(stride)};
}

/// All eigenvalues of an upper triangle, ascending, and their vectors side by side.
void eigen_of(const double* a, const int* n, const int* stride, double* values, double* vectors,
              const int* vectors_stride) {
    const std::size_t size = count_of(n);
    DenseMatrix full(size, size);
    for (std::size_t j = 0; j < size; ++j) {
        for (std::size_t i = 0; i <= j; ++i) {
            full(i, j) = full(j, i) = a[j * count_of(stride) + i];
        }
    }
    const SmallEigen eigen = symmetric_eigen(full, SpectrumOrder::Smallest);
    std::copy(eigen.values.begin(), eigen.values.end(), values);
    for (std::size_t j = 0; j < size; ++j) {
        std::copy_n(&eigen.vectors.values[j * size], size, vectors + j * count_of(vectors_stride));
    }
}

/// Ascending; false if the iteration did not converge. Eigen's test whether an entry beside the diagonal is negligible
/// holds for matrices near 1 only (entry^2 / epsilon^2 against the diagonal's sum, Eigen 3.4), and it scales a matrix
/// in compute() but not here: unscaled, entries of some hundred never pass the test. A power of two changes no digit.
bool tridiagonal_eigenvalues(const int* n, double* diagonal, double* beside) {
    Vector d(diagonal, *n);
    Vector e(beside, std::max(*n - 1, 0));
    const double largest = std::max(d.lpNorm<Eigen::Infinity>(), e.lpNorm<Eigen::Infinity>());
    if (!std::isfinite(largest)) {
        return false;
    }
    const int exponent = largest > 0.0 ? std::ilogb(largest) + 1 : 0;
    const auto scaled = [&](double value) { return std::ldexp(value, -exponent); };
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
    solver.computeFromTridiagonal(d.unaryExpr(scaled), e.unaryExpr(scaled), Eigen::EigenvaluesOnly);
    if (solver.info() == Eigen::Success) {
        d = solver.eigenvalues().unaryExpr([&](double value) { return std::ldexp(value, exponent); });
    }
    return solver.info() == Eigen::Success;
}

}  // namespace

}  // namespace isogon

using namespace isogon;  // NOLINT(google-build-using-namespace): the functions below are no namespace's

double isogon_dsdp_dasum(const int* n, const double* x, const int* step) {
    require(*step == 1);
    count_operations(n);
    return KnownVector(x, *n).lpNorm<1>();
}

double isogon_dsdp_ddot(const int* n, const double* x, const int* x_step, const double* y, const int* y_step) {
    require(*x_step == 1 && *y_step == 1);
    count_operations(n);
    return KnownVector(x, *n).dot(KnownVector(y, *n));
}

double isogon_dsdp_dnrm2(const int* n, const double* x, const int* step) {
    require(*step == 1);
    count_operations(n);
    return KnownVector(x, *n).norm();
}

void isogon_dsdp_dscal(const int* n, const double* factor, double* x, const int* step) {
    require(*step == 1);
    count_operations(n);
    Vector(x, *n) *= *factor;
}

void isogon_dsdp_daxpy(const int* n, const double* factor, const double* x, const int* x_step, double* y,
                       const int* y_step) {
    require(*x_step == 1 && *y_step >= 1);
    count_operations(n);
    if (*y_step == 1) {
        Vector(y, *n) += *factor * KnownVector(x, *n);
    } else {
        Eigen::Map<Eigen::VectorXd, 0, Eigen::InnerStride<>>(y, *n, Eigen::InnerStride<>(*y_step)) +=
            *factor * KnownVector(x, *n);
    }
}

void isogon_dsdp_dgemv(const char* transposed, const int* m, const int* n, const double* alpha, const double* a,
                       const int* stride, const double* x, const int* x_step, const double* beta, double* y,
                       const int* y_step) {
    require(*transposed == 'N' && *m == *n && *x_step == 1 && *y_step == 1 && *beta == 0.0);
    count_operations(m, n);
    Vector(y, *m).noalias() = *alpha * (matrix_of(a, n, stride) * KnownVector(x, *n));
}

void isogon_dsdp_dsymv(const char* triangle, const int* n, const double* alpha, const double* a, const int* stride,
                       const double* x, const int* x_step, const double* beta, double* y, const int* y_step) {
    require(*triangle == 'U' && *x_step == 1 && *y_step == 1 && *beta == 0.0);
    count_operations(n, n);
    Vector(y, *n).noalias() = *alpha * (matrix_of(a, n, stride).selfadjointView<Eigen::Upper>() * KnownVector(x, *n));
}

void isogon_dsdp_dsyr(const char* triangle, const int* n, const double* alpha, const double* x, const int* x_step,
                      double* a, const int* stride) {
    require(*triangle == 'U' && *x_step == 1);
    count_operations(n, n);
    for (int j = 0; j < *n; ++j) {
        Vector(a + static_cast<std::ptrdiff_t>(j) * *stride, j + 1) += *alpha * x[j] * KnownVector(x, j + 1);
    }
}

void isogon_dsdp_dtrmv(const char* triangle, const char* transposed, const char* diagonal, const int* n,
                       const double* a, const int* stride, double* x, const int* x_step) {
    require(*triangle == 'L' && *diagonal == 'U' && *x_step == 1);
    count_operations(n, n);
    const auto matrix = matrix_of(a, n, stride);
    const Eigen::VectorXd known = KnownVector(x, *n);
    if (*transposed == 'N') {
        Vector(x, *n).noalias() = matrix.triangularView<Eigen::UnitLower>() * known;
    } else {
        Vector(x, *n).noalias() = matrix.transpose().triangularView<Eigen::UnitUpper>() * known;
    }
}

void isogon_dsdp_dtrsv(const char* triangle, const char* transposed, const char* diagonal, const int* n,
                       const double* a, const int* stride, double* x, const int* x_step) {
    require(*triangle == 'U' && *diagonal == 'N' && *x_step == 1);
    count_operations(n, n);
    Vector solution(x, *n);
    const auto matrix = matrix_of(a, n, stride);
    if (*transposed == 'N') {
        matrix.triangularView<Eigen::Upper>().solveInPlace(solution);
    } else {
        matrix.transpose().triangularView<Eigen::Lower>().solveInPlace(solution);
    }
}

void isogon_dsdp_dpotrf(const char* triangle, const int* n, double* a, const int* stride, int* info) {
    require(*triangle == 'U');
    count_operations(n, n);
    const bool definite = factor_cholesky(triangle_of(a, n, stride), context_for_cube(n));
    *info = definite ? 0 : 1;
    DsdpHost::current().record_definiteness(definite);
}

void isogon_dsdp_dpotri(const char* triangle, const int* n, double* a, const int* stride, int* info) {
    require(*triangle == 'U');
    count_operations(n, n);
    invert_from_cholesky(triangle_of(a, n, stride), context_for_cube(n));
    *info = 0;
}

void isogon_dsdp_dsyev(const char* job, const char* triangle, const int* n, double* a, const int* stride,
                       double* values, double* /*work*/, const int* /*work_size*/, int* info) {
    require(*job == 'V' && *triangle == 'U');
    count_operations(n, n);
    eigen_of(a, n, stride, values, a, stride);
    *info = 0;
}

void isogon_dsdp_dsyevr(const char* job, const char* range, const char* triangle, const int* n, double* a,
                        const int* stride, const double* /*from*/, const double* /*to*/, const int* /*first*/,
                        const int* /*last*/, const double* /*tolerance*/, int* found, double* values, double* vectors,
                        const int* vectors_stride, int* /*support*/, double* /*work*/, const int* /*work_size*/,
                        int* /*more_work*/, const int* /*more_work_size*/, int* info) {
    require(*job == 'V' && *range == 'A' && *triangle == 'U');
    count_operations(n, n);
    eigen_of(a, n, stride, values, vectors, vectors_stride);
    *found = *n;
    *info = 0;
}

void isogon_dsdp_dstev(const char* job, const int* n, double* diagonal, double* beside, double* /*vectors*/,
                       const int* /*vectors_stride*/, double* /*work*/, int* info) {
    require(*job == 'N');
    count_operations(n, n);
    *info = tridiagonal_eigenvalues(n, diagonal, beside) ? 0 : 1;
}

void isogon_dsdp_dstevr(const char* job, const char* range, const int* n, double* diagonal, double* beside,
                        const double* /*from*/, const double* /*to*/, const int* first, const int* last,
                        const double* /*tolerance*/, int* found, double* values, double* /*vectors*/,
                        const int* /*vectors_stride*/, int* /*support*/, double* /*work*/, const int* /*work_size*/,
                        int* /*more_work*/, const int* /*more_work_size*/, int* info) {
    require(*job == 'N' && *range == 'I' && 1 <= *first && *first <= *last && *last <= *n);
    count_operations(n, n);
    *info = tridiagonal_eigenvalues(n, diagonal, beside) ? 0 : 1;
    *found = *last - *first + 1;
    std::copy(diagonal + *first - 1, diagonal + *last, values);
}
