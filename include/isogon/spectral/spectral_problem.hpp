#pragma once
#include <memory>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/linalg/linear_operator.hpp"
#include "isogon/spectral/eigenproblem.hpp"

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

/// What eigenvectors are multiplied by to become coordinates.
enum class CoordinateScale {
    Unit,         ///< nothing: X^T B X = I
    RootOfValue,  ///< the root of their eigenvalue: A is a Gram matrix, and X X^T comes near it
};

/// A spectral method over n points in the frame that they share: min, or max, tr(X^T A X) subject to X^T B X = I, for
/// n x d coordinates X.
struct SpectralProblem {
    std::unique_ptr<const SpectralMatrix> a{};
    std::vector<double> b{};  ///< the diagonal of B, above 0; empty: the identity
    SpectrumEnd end = SpectrumEnd::Smallest;
    bool deflates_constant = false;  ///< the constant vector is the trivial solution
    CoordinateScale scale = CoordinateScale::Unit;
};

struct SpectralSolution {
    WideVectors coordinates{};          ///< n x d
    WideVectors landmarks{};            ///< of the second way: L x d, of which all others are mixtures
    std::vector<double> eigenvalues{};  ///< d of them
    Eigenpairs pairs{};  ///< how it was solved; of the second way, the reduced problem. Vectors are moved out.
};

/// The d = options.count dimensions of the problem as it stands. With CoordinateScale::RootOfValue a negative
/// eigenvalue, of which there is no root, gives a dimension of zeros. Throws as solve() does.
[[nodiscard]] SpectralSolution solve_exactly(const SpectralProblem& problem, const EigenOptions& options,
                                             const RunContext& context);

/// Locally linear landmarks (Vladymyrov and Carreira-Perpinan, ECML 2013): X = Z X~ for n x L weights Z whose rows sum
/// to one, hence the L x L problem of the same form with A~ = Z^T A Z and B~ = Z^T B Z. A landmark that no point but
/// itself is a mixture of stays in. Throws as solve() does, and InvalidArgument where Z does not belong to the problem.
[[nodiscard]] SpectralSolution solve_on_landmarks(const SpectralProblem& problem, const CsrMatrix<double>& z,
                                                  const EigenOptions& options, const RunContext& context);

/// Z X: mixtures of the landmarks' coordinates.
[[nodiscard]] WideVectors mixtures(const CsrMatrix<double>& z, const WideVectors& landmarks, const RunContext& context);

}  // namespace isogon
