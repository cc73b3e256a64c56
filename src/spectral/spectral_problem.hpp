#pragma once
#include <memory>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "linalg/eigenproblem.hpp"
#include "linalg/multi_vector_arithmetic.hpp"

namespace isogon {

/// The two matrices of a problem reduced to landmarks.
struct ReducedPencil {
    CsrMatrix<double> a{};
    CsrMatrix<double> b{};
};

/// The A of a spectral method: its products, and its reduction when every point is a mixture of landmarks.
class SpectralMatrix : public LinearOperator<double> {
public:
    /// Z^T A Z for n x L weights Z (the paper of locally linear landmarks stores their transpose), symmetric bit for
    /// bit.
    [[nodiscard]] virtual CsrMatrix<double> reduced(const CsrMatrix<double>& z, const RunContext& context) const = 0;
    /// The same, and Z^T B Z for a diagonal B; empty `b`: the identity.
    [[nodiscard]] virtual ReducedPencil reduced_pencil(const std::vector<double>& b, const CsrMatrix<double>& z,
                                                       const RunContext& context) const;
    /// Whether entries() is available: not for dense n x n matrices.
    [[nodiscard]] virtual bool is_sparse() const { return false; }
    [[nodiscard]] virtual CsrMatrix<double> entries(const RunContext& context) const;
    /// Numbers that a product with a vector reads, for sparse matrices.
    [[nodiscard]] virtual double product_entries() const { return 0.0; }
};

/// A sparse symmetric matrix; symmetry is not checked.
[[nodiscard]] std::unique_ptr<const SpectralMatrix> sparse_spectral_matrix(CsrMatrix<double> matrix);

/// D - W for a symmetric W without diagonal entries and its degrees: the Laplacian of a graph (graph/laplacian.hpp),
/// assembled only when entries() is called. Symmetry is not checked.
[[nodiscard]] std::unique_ptr<const SpectralMatrix> laplacian_spectral_matrix(CsrMatrix<double> weights,
                                                                              std::vector<double> degrees);

/// R^T R for a sparse R, which is better conditioned as two factors: LLE's (I - W)^T (I - W).
[[nodiscard]] std::unique_ptr<const SpectralMatrix> normal_spectral_matrix(CsrMatrix<double> factor);

/// The factor from eigenvectors to coordinates.
enum class CoordinateScale {
    Unit,         ///< 1: X^T B X = I
    RootOfValue,  ///< the root of their eigenvalue: A is a Gram matrix, and X X^T comes near it
};

/// A spectral method over n points: min, or max, tr(X^T A X) subject to X^T B X = I, for n x d coordinates X.
struct SpectralProblem {
    std::unique_ptr<const SpectralMatrix> a{};
    std::vector<double> b{};  ///< the diagonal of B, above 0; empty: the identity
    SpectrumEnd end = SpectrumEnd::Smallest;
    bool deflates_constant = false;  ///< the constant vector is the trivial solution
    CoordinateScale scale = CoordinateScale::Unit;
};

struct SpectralSolution {
    MultiVector<double> coordinates{};  ///< n x d
    MultiVector<double> landmarks{};    ///< solve_on_landmarks: coordinates of the landmarks, L x d
    std::vector<double> eigenvalues{};  ///< d of them
    Eigenpairs pairs{};  ///< how it was solved, without vectors; solve_on_landmarks: of the reduced problem
};

/// Eigenvectors as coordinates, apart from how they were found.
[[nodiscard]] SpectralSolution to_solution(Eigenpairs pairs, CoordinateScale scale = CoordinateScale::Unit);

/// The d = options.count dimensions of the full problem. With CoordinateScale::RootOfValue a negative eigenvalue gives
/// a dimension of zeros. Throws as solve() does.
[[nodiscard]] SpectralSolution solve_exactly(const SpectralProblem& problem, const EigenOptions& options,
                                             const RunContext& context);

/// Locally linear landmarks (Vladymyrov and Carreira-Perpinan, ECML 2013): X = Z X~ for n x L weights Z whose rows sum
/// to one, hence the L x L problem of the same form with A~ = Z^T A Z and B~ = Z^T B Z. A landmark with weight in no
/// row but its own is kept. Throws as solve() does, and InvalidArgument if Z does not have a row for each point.
[[nodiscard]] SpectralSolution solve_on_landmarks(const SpectralProblem& problem, const CsrMatrix<double>& z,
                                                  const EigenOptions& options, const RunContext& context);

/// Z X: mixtures of the landmarks' coordinates.
[[nodiscard]] MultiVector<double> mixtures(const CsrMatrix<double>& z, const MultiVector<double>& landmarks,
                                           const RunContext& context);

}  // namespace isogon
