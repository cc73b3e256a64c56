#include "isogon/spectral/spectral_matrix.hpp"

#include <utility>

#include "isogon/core/error.hpp"
#include "isogon/core/parallel.hpp"
#include "isogon/graph/laplacian.hpp"
#include "isogon/linalg/congruence.hpp"
#include "isogon/linalg/sparse_algebra.hpp"
#include "isogon/linalg/sparse_product.hpp"
#include "spectral/shifted_factor.hpp"

namespace isogon {

namespace {

class SparseSpectral : public SpectralMatrix {
public:
    explicit SparseSpectral(CsrMatrix<double> matrix) : matrix_(std::move(matrix)) {}

    [[nodiscard]] Index size() const override { return matrix_.rows; }

    void apply(const WideVectors& in, WideVectors& out, const RunContext& context) const override {
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

CsrMatrix<double> minus(const CsrMatrix<double>& a, const CsrMatrix<double>& b) {
    return shifted(a, &b, -1.0);
}

class LaplacianSpectral : public SpectralMatrix {
public:
    LaplacianSpectral(CsrMatrix<double> weights, std::vector<double> degrees)
        : weights_(std::move(weights)), degrees_(std::move(degrees)) {}

    [[nodiscard]] Index size() const override { return weights_.rows; }

    void apply(const WideVectors& in, WideVectors& out, const RunContext& context) const override {
        multiply(weights_, in, out, context);
        constexpr std::size_t rows_in_block = 1024;
        parallel_blocks(context, out.rows, rows_in_block, [&](Range rows) {
            for (std::size_t i = rows.begin; i < rows.end; ++i) {
                for (std::size_t j = 0; j < out.columns; ++j) {
                    out.at(i, j) = degrees_[i] * in.at(i, j) - out.at(i, j);
                }
            }
        });
    }

    [[nodiscard]] CsrMatrix<double> reduced(const CsrMatrix<double>& z, const RunContext& context) const override {
        return minus(congruence(degrees_, z, context), congruence(weights_, z, context));
    }

    /// Z^T D Z serves both matrices.
    [[nodiscard]] ReducedPencil reduced_pencil(const std::vector<double>& b, const CsrMatrix<double>& z,
                                               const RunContext& context) const override {
        if (b != degrees_) {
            return SpectralMatrix::reduced_pencil(b, z, context);
        }
        CsrMatrix<double> reduced_b = congruence(degrees_, z, context);
        CsrMatrix<double> reduced_a = minus(reduced_b, congruence(weights_, z, context));
        return {std::move(reduced_a), std::move(reduced_b)};
    }

    [[nodiscard]] bool is_sparse() const override { return true; }
    [[nodiscard]] CsrMatrix<double> entries(const RunContext& context) const override {
        return laplacian(weights_, LaplacianKind::Plain, context);
    }
    [[nodiscard]] double product_entries() const override { return static_cast<double>(weights_.entries()); }

private:
    CsrMatrix<double> weights_;
    std::vector<double> degrees_;
};

class NormalSpectral : public SpectralMatrix {
public:
    explicit NormalSpectral(CsrMatrix<double> factor) : factor_(std::move(factor)), transposed_(transpose(factor_)) {}

    [[nodiscard]] Index size() const override { return factor_.columns; }

    void apply(const WideVectors& in, WideVectors& out, const RunContext& context) const override {
        WideVectors middle(factor_.rows, in.columns);
        multiply(factor_, in, middle, context);
        multiply(transposed_, middle, out, context);
    }

    [[nodiscard]] CsrMatrix<double> reduced(const CsrMatrix<double>& z, const RunContext& context) const override {
        return normal(product(factor_, z, context), context);
    }

    [[nodiscard]] bool is_sparse() const override { return true; }
    [[nodiscard]] CsrMatrix<double> entries(const RunContext& context) const override {
        return normal(factor_, context);
    }
    [[nodiscard]] double product_entries() const override { return 2.0 * static_cast<double>(factor_.entries()); }

private:
    [[nodiscard]] static CsrMatrix<double> normal(const CsrMatrix<double>& factor, const RunContext& context) {
        CsrMatrix<double> result = product(transpose(factor), factor, context);
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
    return {std::move(reduced_a), congruence(b, z, context)};
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

}  // namespace isogon
