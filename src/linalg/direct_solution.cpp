#include "linalg/direct_solution.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "core/parallel.hpp"
#include "core/system_memory.hpp"
#include "isogon/core/error.hpp"
#include "linalg/dense_cholesky.hpp"
#include "linalg/eigen_rows.hpp"
#include "linalg/multi_vector_arithmetic.hpp"
#include "linalg/sparse_algebra.hpp"

namespace isogon {

namespace {

using Matrix = Eigen::MatrixXd;

Matrix to_dense(const CsrMatrix<double>& matrix) {
    Matrix result = Matrix::Zero(matrix.rows, matrix.columns);
    for (Index i = 0; i < matrix.rows; ++i) {
        for (std::size_t k = 0; k < matrix.row_indices(i).size(); ++k) {
            result(i, matrix.row_indices(i)[k]) = matrix.row_values(i)[k];
        }
    }
    return result;
}

/// Whether the pivots are large enough for division by them to keep some digits.
bool well_conditioned(const Eigen::LLT<Matrix>& factor) {
    constexpr double least = 1e-6;  // share of the largest pivot's root
    const Eigen::VectorXd pivots = factor.matrixLLT().diagonal();
    return factor.info() == Eigen::Success && pivots.minCoeff() > least * pivots.maxCoeff();
}

/// C, with eigenvalues beyond all of its own for the columns of `out`, which become eigenvectors.
void shift_deflated(const Matrix& out, Matrix& c) {
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

}  // namespace

std::optional<PencilSolution> solve_pencil(const CsrMatrix<double>& a, const CsrMatrix<double>& b,
                                           const MultiVector<double>& deflation, Index count) {
    const Eigen::LLT<Matrix> factor(to_dense(b));
    if (!well_conditioned(factor)) {
        return std::nullopt;
    }
    Matrix c = to_dense(a);
    factor.matrixL().solveInPlace(c);
    c.transposeInPlace();
    factor.matrixL().solveInPlace(c);
    c = 0.5 * (c + c.transpose()).eval();
    const Eigen::Map<const RowMajor> known(deflation.values().data(), deflation.columns() == 0 ? 0 : c.rows(),
                                           deflation.columns());
    shift_deflated(deflation.columns() == 0 ? Matrix(c.rows(), 0) : Matrix(factor.matrixU() * known), c);
    DenseMatrix standard(a.rows, a.rows);
    Eigen::Map<Matrix>(standard.values.data(), c.rows(), c.cols()) = c;
    SmallEigen eigen = symmetric_eigen(standard, SpectrumOrder::Smallest);
    const std::size_t own = a.rows - std::min(a.rows, deflation.columns());
    const double largest = own > 0 ? std::max(std::abs(eigen.values[0]), std::abs(eigen.values[own - 1])) : 0.0;
    eigen.keep(count);
    Eigen::Map<Matrix> vectors(eigen.vectors.values.data(), c.rows(), eigen_index(count));
    factor.matrixU().solveInPlace(vectors);
    return PencilSolution{to_multi_vector(eigen.vectors), std::move(eigen.values), largest};
}

namespace {

CsrMatrix<double> negative(CsrMatrix<double> matrix) {
    std::transform(matrix.values.begin(), matrix.values.end(), matrix.values.begin(), std::negate<>());
    return matrix;
}

/// Solves by a factor of B, if entries are available.
std::optional<Eigenpairs> solve_dense_pencil(const EigenProblem& problem, const EigenOptions& options) {
    if (problem.b == nullptr || !problem.a_entries || !problem.b_entries) {
        return std::nullopt;
    }
    const bool largest = problem.end == SpectrumEnd::Largest;
    std::optional<PencilSolution> solution = solve_pencil(largest ? negative(problem.a_entries()) : problem.a_entries(),
                                                          problem.b_entries(), problem.deflation, options.count);
    if (!solution) {
        return std::nullopt;
    }
    return Eigenpairs{.vectors = std::move(solution->vectors),
                      .values = std::move(solution->values),
                      .size_of_a = solution->largest,
                      .method = EigenMethod::Dense,
                      .products = 1};
}

/// The smallest eigenpairs of a dense matrix, and the magnitude of its largest eigenvalue, or a bound of it.
std::pair<SmallEigen, double> smallest_eigenpairs(DenseMatrix matrix, Index count, const RunContext& context) {
    constexpr std::size_t small_size = 200;  // above: by a method that can be interrupted
    if (matrix.rows <= small_size) {
        SmallEigen eigen = symmetric_eigen(matrix, SpectrumOrder::Smallest);
        const double largest = std::max(std::abs(eigen.values.front()), std::abs(eigen.values.back()));
        eigen.keep(count);
        return {std::move(eigen), largest};
    }
    std::vector<double> row_sums(matrix.rows, 0.0);  // equal to those of columns: the matrix is symmetric
    for (std::size_t k = 0; k < matrix.values.size(); ++k) {
        row_sums[k / matrix.rows] += std::abs(matrix.values[k]);
        matrix.values[k] = -matrix.values[k];
    }
    SmallEigen eigen = largest_eigenpairs(matrix, count, context);
    std::transform(eigen.values.begin(), eigen.values.end(), eigen.values.begin(), std::negate<>());
    return {std::move(eigen), *std::max_element(row_sums.begin(), row_sums.end())};
}

}  // namespace

Eigenpairs solve_dense(const EigenProblem& problem, const EigenOptions& options, const RunContext& context) {
    if (std::optional<Eigenpairs> pairs = solve_dense_pencil(problem, options)) {
        return std::move(*pairs);
    }
    const BlockWithImage deflation = orthonormal_to({}, problem.deflation, problem.b, context);
    const BlockWithImage basis =
        orthonormal_to({&deflation}, to_multi_vector(identity_matrix(problem.a->size())), problem.b, context);
    MultiVector<double> product(basis.vectors.rows(), basis.vectors.columns());
    problem.a->apply(basis.vectors, product, context);
    if (problem.end == SpectrumEnd::Largest) {
        std::transform(product.values().begin(), product.values().end(), product.values().begin(), std::negate<>());
    }
    auto [eigen, size_of_a] = smallest_eigenpairs(gram(basis.vectors, product, context), options.count, context);
    return {.vectors = multiply(basis.vectors, eigen.vectors, context),
            .values = std::move(eigen.values),
            .size_of_a = size_of_a,
            .method = EigenMethod::Dense,
            .products = 1};
}

namespace {

/// States the memory of a factor. False if there is not enough: the factor is optional, and the run continues without
/// it.
bool fits_memory(const char* what, std::uint64_t bytes, const RunContext& context) {
    if (context.memory_limit && bytes > *context.memory_limit) {
        return false;
    }
    require_memory(context, {{what, bytes}}, "raise the limit");
    return true;
}

/// The factor's solutions; std::function takes what can be copied.
template <class Factor>
Preconditioner solver_of(Factor factor) {
    const auto shared = std::make_shared<const Factor>(std::move(factor));
    return [shared](MultiVector<double>& residuals, const RunContext& context) { shared->solve(residuals, context); };
}

PanelMatrix to_panels(const CsrMatrix<double>& matrix, const RunContext& context) {
    PanelMatrix panels(matrix.rows);
    constexpr std::size_t rows_in_block = 256;
    parallel_blocks(context, matrix.rows, rows_in_block, [&](Range rows) {
        for (std::size_t row = rows.begin; row < rows.end; ++row) {
            const auto i = static_cast<Index>(row);
            for (std::size_t k = 0; k < matrix.row_indices(i).size() && matrix.row_indices(i)[k] <= i; ++k) {
                panels.at(i, matrix.row_indices(i)[k]) = static_cast<float>(matrix.row_values(i)[k]);
            }
        }
    });
    return panels;
}

}  // namespace

ShiftedFactor sparse_factor(const CsrMatrix<double>& shifted, double most_operations, const RunContext& context) {
    throw_if_cancelled(context);
    if (!fits_memory("the order of elimination", SparseFactor::order_bytes(shifted), context)) {
        return {};
    }
    SparseFactor factor(shifted);
    if (factor.operations() > most_operations || !fits_memory("the sparse factor", factor.bytes(), context) ||
        !factor.compute(context)) {
        return {};
    }
    return {solver_of(std::move(factor)), EigenMethod::SparseFactor};
}

ShiftedFactor dense_factor(const CsrMatrix<double>& shifted, const RunContext& context) {
    constexpr Index most_rows = 40000;  // a minute or two of elimination
    if (shifted.rows > most_rows || !fits_memory("the dense factor", DenseFactor::bytes(shifted.rows), context)) {
        return {};
    }
    trim_heap();  // the matrix was made of larger ones, and a sparse factor may have been tried before
    std::optional<DenseFactor> factor = DenseFactor::make(to_panels(shifted, context), context);
    if (!factor) {
        return {};
    }
    return {solver_of(std::move(*factor)), EigenMethod::DenseFactor};
}

}  // namespace isogon
