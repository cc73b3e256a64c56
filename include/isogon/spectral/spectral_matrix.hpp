#pragma once
#include <memory>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/linalg/symmetric_operator.hpp"

namespace isogon {

/// Both matrices of a problem among landmarks.
struct ReducedPencil {
    CsrMatrix<double> a{};
    CsrMatrix<double> b{};
};

/// The A of a spectral method: what it does to vectors, and what is left of it when every point is a mixture of
/// landmarks.
class SpectralMatrix : public SymmetricOperator {
public:
    /// Z^T A Z for n x L weights Z (the paper of locally linear landmarks stores their transpose), symmetric bit for
    /// bit.
    [[nodiscard]] virtual CsrMatrix<double> reduced(const CsrMatrix<double>& z, const RunContext& context) const = 0;
    /// That, and Z^T B Z for a diagonal B, or the identity where `b` is empty.
    [[nodiscard]] virtual ReducedPencil reduced_pencil(const std::vector<double>& b, const CsrMatrix<double>& z,
                                                       const RunContext& context) const;
    /// Whether entries() is to be had: not of matrices of n x n numbers.
    [[nodiscard]] virtual bool is_sparse() const { return false; }
    [[nodiscard]] virtual CsrMatrix<double> entries(const RunContext& context) const;
    /// How many numbers a product with a vector reads, where it is sparse.
    [[nodiscard]] virtual double product_entries() const { return 0.0; }
};

/// A sparse matrix, of which symmetry is not checked.
[[nodiscard]] std::unique_ptr<const SpectralMatrix> sparse_spectral_matrix(CsrMatrix<double> matrix);

/// D - W for a symmetric W without a diagonal and its degrees, the Laplacian of a graph (graph/laplacian.hpp), which is
/// not put together before someone asks for its entries. Symmetry is not checked.
[[nodiscard]] std::unique_ptr<const SpectralMatrix> laplacian_spectral_matrix(CsrMatrix<double> weights,
                                                                              std::vector<double> degrees);

/// R^T R for a sparse R, which is better conditioned as two factors: LLE's (I - W)^T (I - W).
[[nodiscard]] std::unique_ptr<const SpectralMatrix> normal_spectral_matrix(CsrMatrix<double> factor);

}  // namespace isogon
