#include "spectral/spectral_problem.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/parallel.hpp"
#include "graph/laplacian.hpp"
#include "isogon/core/error.hpp"
#include "linalg/sparse_algebra.hpp"

namespace isogon {

namespace {

class SparseSpectral : public SpectralMatrix {
public:
    explicit SparseSpectral(CsrMatrix<double> matrix) : matrix_(std::move(matrix)) {}

    [[nodiscard]] Index size() const override { return matrix_.rows; }

    void apply(const MultiVector<double>& in, MultiVector<double>& out, const RunContext& context) const override {
        multiply(matrix_, in, out, context);
    }

    [[nodiscard]] CsrMatrix<double> reduced(const CsrMatrix<double>& z, const RunContext& context) const override {
        return congruence(matrix_, z, context);
    }

    [[nodiscard]] bool is_sparse() const override { return true; }
    [[nodiscard]] CsrMatrix<double> entries(const RunContext& /*context*/) const override { return matrix_; }
    [[nodiscard]] double product_entries() const override { return static_cast<double>(matrix_.entries()); }

private:
    CsrMatrix<double> matrix_;
};

constexpr const char* fewer_landmarks = "raise the limit or take fewer landmarks";

/// A - B of matrices among landmarks, which the caller holds.
CsrMatrix<double> minus(const CsrMatrix<double>& a, const CsrMatrix<double>& b, const RunContext& context) {
    const std::uint64_t entries = std::min(a.entries() + b.entries(), std::uint64_t{a.rows} * a.columns);
    require_memory(beside(context, a.bytes() + b.bytes()),
                   {{"the problem among landmarks", entries * (sizeof(Index) + sizeof(double))}}, fewer_landmarks);
    return shifted(a, &b, -1.0);
}

class LaplacianSpectral : public SpectralMatrix {
public:
    LaplacianSpectral(CsrMatrix<double> weights, std::vector<double> degrees)
        : weights_(std::move(weights)), degrees_(std::move(degrees)) {}

    [[nodiscard]] Index size() const override { return weights_.rows; }

    void apply(const MultiVector<double>& in, MultiVector<double>& out, const RunContext& context) const override {
        multiply(weights_, in, out, context);
        constexpr std::size_t rows_in_block = 1024;
        parallel_blocks(context, out.rows(), rows_in_block, [&](Range rows) {
            for (std::size_t i = rows.begin; i < rows.end; ++i) {
                for (std::size_t j = 0; j < out.columns(); ++j) {
                    out.at(i, j) = degrees_[i] * in.at(i, j) - out.at(i, j);
                }
            }
        });
    }

    [[nodiscard]] CsrMatrix<double> reduced(const CsrMatrix<double>& z, const RunContext& context) const override {
        return reduced_beside(congruence(degrees_, z, context), z, context);
    }

    /// If B = D, Z^T D Z is computed once for both matrices.
    [[nodiscard]] ReducedPencil reduced_pencil(const std::vector<double>& b, const CsrMatrix<double>& z,
                                               const RunContext& context) const override {
        if (b != degrees_) {
            return SpectralMatrix::reduced_pencil(b, z, context);
        }
        CsrMatrix<double> reduced_b = congruence(degrees_, z, context);
        CsrMatrix<double> reduced_a = reduced_beside(reduced_b, z, context);
        return {std::move(reduced_a), std::move(reduced_b)};
    }

    [[nodiscard]] bool is_sparse() const override { return true; }
    [[nodiscard]] CsrMatrix<double> entries(const RunContext& context) const override {
        return laplacian(weights_, LaplacianKind::Plain, context);
    }
    [[nodiscard]] double product_entries() const override { return static_cast<double>(weights_.entries()); }

private:
    [[nodiscard]] CsrMatrix<double> reduced_beside(const CsrMatrix<double>& of_degrees, const CsrMatrix<double>& z,
                                                   const RunContext& context) const {
        return minus(of_degrees, congruence(weights_, z, beside(context, of_degrees.bytes())), context);
    }

    CsrMatrix<double> weights_;
    std::vector<double> degrees_;
};

class NormalSpectral : public SpectralMatrix {
public:
    explicit NormalSpectral(CsrMatrix<double> factor) : factor_(std::move(factor)), transposed_(transpose(factor_)) {}

    [[nodiscard]] Index size() const override { return factor_.columns; }

    void apply(const MultiVector<double>& in, MultiVector<double>& out, const RunContext& context) const override {
        MultiVector<double> middle(factor_.rows, in.columns());
        multiply(factor_, in, middle, context);
        multiply(transposed_, middle, out, context);
    }

    [[nodiscard]] CsrMatrix<double> reduced(const CsrMatrix<double>& z, const RunContext& context) const override {
        const CsrMatrix<double> mixed = product(factor_, z, context);
        const RunContext rest = beside(context, mixed.bytes());
        require_memory(rest, {{"the problem's rows by landmarks, transposed", mixed.bytes()}}, fewer_landmarks);
        return normal(transpose(mixed), mixed, beside(rest, mixed.bytes()));
    }

    [[nodiscard]] bool is_sparse() const override { return true; }
    [[nodiscard]] CsrMatrix<double> entries(const RunContext& context) const override {
        return normal(transposed_, factor_, context);
    }
    [[nodiscard]] double product_entries() const override { return 2.0 * static_cast<double>(factor_.entries()); }

private:
    [[nodiscard]] static CsrMatrix<double> normal(const CsrMatrix<double>& transposed, const CsrMatrix<double>& factor,
                                                  const RunContext& context) {
        CsrMatrix<double> result = product(transposed, factor, context);
        symmetrise(result);
        return result;
    }

    CsrMatrix<double> factor_;
    CsrMatrix<double> transposed_;
};

}  // namespace

ReducedPencil SpectralMatrix::reduced_pencil(const std::vector<double>& b, const CsrMatrix<double>& z,
                                             const RunContext& context) const {
    CsrMatrix<double> reduced_a = reduced(z, context);
    CsrMatrix<double> reduced_b = congruence(b, z, beside(context, reduced_a.bytes()));
    return {std::move(reduced_a), std::move(reduced_b)};
}

CsrMatrix<double> SpectralMatrix::entries(const RunContext& /*context*/) const {
    throw InvalidArgument("entries", "of a dense matrix", "are not to be had; ask is_sparse() first");
}

std::unique_ptr<const SpectralMatrix> sparse_spectral_matrix(CsrMatrix<double> matrix) {
    return std::make_unique<SparseSpectral>(std::move(matrix));
}

std::unique_ptr<const SpectralMatrix> laplacian_spectral_matrix(CsrMatrix<double> weights,
                                                                std::vector<double> degrees) {
    return std::make_unique<LaplacianSpectral>(std::move(weights), std::move(degrees));
}

std::unique_ptr<const SpectralMatrix> normal_spectral_matrix(CsrMatrix<double> factor) {
    return std::make_unique<NormalSpectral>(std::move(factor));
}

namespace {

/// x_i *= factor_i for each row.
void scale_rows(const std::vector<double>& factors, MultiVector<double>& x) {
    for (std::size_t i = 0; i < x.rows(); ++i) {
        for (std::size_t j = 0; j < x.columns(); ++j) {
            x.at(i, j) *= factors[i];
        }
    }
}

CsrMatrix<double> scaled(CsrMatrix<double> matrix, const std::vector<double>& factors) {
    for (Index i = 0; i < matrix.rows; ++i) {
        for (Offset k = matrix.offsets[i]; k < matrix.offsets[i + 1]; ++k) {
            matrix.values[k] *= factors[i] * factors[matrix.indices[k]];
        }
    }
    return matrix;
}

void require_weights(const SpectralProblem& problem, const CsrMatrix<double>& z) {
    if (z.rows != problem.a->size()) {
        throw InvalidArgument("weights", std::to_string(z.rows) + " rows",
                              "there must be one for each of " + std::to_string(problem.a->size()) + " points");
    }
}

}  // namespace

SpectralSolution to_solution(Eigenpairs pairs, CoordinateScale scale) {
    SpectralSolution solution;
    solution.coordinates = std::move(pairs.vectors);
    solution.eigenvalues = pairs.values;
    if (scale == CoordinateScale::RootOfValue) {
        MultiVector<double>& x = solution.coordinates;
        for (std::size_t i = 0; i < x.rows(); ++i) {
            for (std::size_t j = 0; j < x.columns(); ++j) {
                x.at(i, j) *= std::sqrt(std::max(pairs.values[j], 0.0));
            }
        }
    }
    solution.pairs = std::move(pairs);
    solution.pairs.vectors = {};
    return solution;
}

SpectralSolution solve_exactly(const SpectralProblem& problem, const EigenOptions& options, const RunContext& context) {
    std::vector<double> factors(problem.b.empty() ? problem.a->size() : problem.b.size(), 1.0);
    std::transform(problem.b.begin(), problem.b.end(), factors.begin(), [](double b) { return 1.0 / std::sqrt(b); });
    // B^-1/2 A B^-1/2, with eigenvectors B^1/2 X: a standard problem, without a copy of A.
    const FunctionOperator<double> scaled_a(
        problem.a->size(), [&](const MultiVector<double>& in, MultiVector<double>& out, const RunContext& run) {
            MultiVector<double> scaled_in = in;
            scale_rows(factors, scaled_in);
            problem.a->apply(scaled_in, out, run);
            scale_rows(factors, out);
        });
    EigenProblem eigen{.end = problem.end};
    eigen.a = problem.b.empty() ? static_cast<const LinearOperator<double>*>(problem.a.get()) : &scaled_a;
    if (problem.a->is_sparse()) {
        eigen.a_entries = [&] {
            const RunContext rest = beside(context, eigen_bytes(problem.a->size(), options.count));
            return scaled(problem.a->entries(rest), factors);
        };
        eigen.product_entries = problem.a->product_entries();
    }
    if (problem.deflates_constant) {
        eigen.deflation = MultiVector<double>(problem.a->size(), 1);
        std::transform(factors.begin(), factors.end(), eigen.deflation.values().begin(),
                       [](double factor) { return 1.0 / factor; });
    }
    SpectralSolution solution = to_solution(solve(eigen, options, context), problem.scale);
    scale_rows(factors, solution.coordinates);
    return solution;
}

SpectralSolution solve_on_landmarks(const SpectralProblem& problem, const CsrMatrix<double>& z,
                                    const EigenOptions& options, const RunContext& context) {
    require_weights(problem, z);
    const ReducedPencil reduced = problem.a->reduced_pencil(problem.b, z, context);
    const auto a_operator = sparse_spectral_matrix(reduced.a);
    const auto b_operator = sparse_spectral_matrix(reduced.b);
    EigenProblem eigen{.a = a_operator.get(), .b = b_operator.get(), .end = problem.end};
    eigen.a_entries = [&] { return reduced.a; };
    eigen.b_entries = [&] { return reduced.b; };
    if (problem.deflates_constant) {
        // Rows of Z sum to one: Z 1 = 1.
        eigen.deflation = MultiVector<double>(z.columns, 1, std::vector<double>(z.columns, 1.0));
    }
    SpectralSolution solution = to_solution(solve(eigen, options, context), problem.scale);
    solution.landmarks = std::move(solution.coordinates);
    solution.coordinates = mixtures(z, solution.landmarks, context);
    return solution;
}

MultiVector<double> mixtures(const CsrMatrix<double>& z, const MultiVector<double>& landmarks,
                             const RunContext& context) {
    MultiVector<double> result(z.rows, landmarks.columns());
    multiply(z, landmarks, result, context);
    return result;
}

}  // namespace isogon
