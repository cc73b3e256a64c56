#include "isogon/spectral/spectral_matrix.hpp"

#include <utility>

#include "isogon/core/error.hpp"
#include "isogon/linalg/congruence.hpp"
#include "isogon/linalg/sparse_algebra.hpp"
#include "isogon/linalg/sparse_product.hpp"

namespace isogon {

namespace {

class SparseSpectral : public SpectralMatrix {
public:
    explicit SparseSpectral(WideSparseMatrix matrix) : matrix_(std::move(matrix)) {}

    [[nodiscard]] Index size() const override { return matrix_.rows; }

    void apply(const WideVectors& in, WideVectors& out, const RunContext& context) const override {
        multiply(matrix_, in, out, context);
    }

    [[nodiscard]] WideSparseMatrix reduced(const WideSparseMatrix& z, const RunContext& context) const override {
        return congruence(matrix_, z, context);
    }

    [[nodiscard]] bool is_sparse() const override { return true; }
    [[nodiscard]] WideSparseMatrix entries(const RunContext& /*context*/) const override { return matrix_; }
    [[nodiscard]] double product_entries() const override { return static_cast<double>(matrix_.entries()); }

private:
    WideSparseMatrix matrix_;
};

class NormalSpectral : public SpectralMatrix {
public:
    explicit NormalSpectral(WideSparseMatrix factor) : factor_(std::move(factor)), transposed_(transpose(factor_)) {}

    [[nodiscard]] Index size() const override { return factor_.columns; }

    void apply(const WideVectors& in, WideVectors& out, const RunContext& context) const override {
        WideVectors middle(factor_.rows, in.columns);
        multiply(factor_, in, middle, context);
        multiply(transposed_, middle, out, context);
    }

    [[nodiscard]] WideSparseMatrix reduced(const WideSparseMatrix& z, const RunContext& context) const override {
        return normal(product(factor_, z, context), context);
    }

    [[nodiscard]] bool is_sparse() const override { return true; }
    [[nodiscard]] WideSparseMatrix entries(const RunContext& context) const override {
        return normal(factor_, context);
    }
    [[nodiscard]] double product_entries() const override { return 2.0 * static_cast<double>(factor_.entries()); }

private:
    [[nodiscard]] static WideSparseMatrix normal(const WideSparseMatrix& factor, const RunContext& context) {
        WideSparseMatrix result = product(transpose(factor), factor, context);
        symmetrise(result);
        return result;
    }

    WideSparseMatrix factor_;
    WideSparseMatrix transposed_;
};

}  // namespace

WideSparseMatrix SpectralMatrix::entries(const RunContext& /*context*/) const {
    throw InvalidArgument("entries", "of a dense matrix", "are not to be had; ask is_sparse() first");
}

std::unique_ptr<const SpectralMatrix> sparse_spectral_matrix(WideSparseMatrix matrix) {
    return std::make_unique<SparseSpectral>(std::move(matrix));
}

std::unique_ptr<const SpectralMatrix> normal_spectral_matrix(WideSparseMatrix factor) {
    return std::make_unique<NormalSpectral>(std::move(factor));
}

}  // namespace isogon
