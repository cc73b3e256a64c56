#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/multi_vector_arithmetic.hpp"

namespace isogon {

/// How a problem is solved.
enum class EigenMethod { Dense, Krylov, Filtered, SparseFactor, DenseFactor };

/// "dense", "krylov", "filtered", "sparse-factor", "dense-factor".
[[nodiscard]] std::string_view name(EigenMethod method);

enum class SpectrumEnd { Smallest, Largest };

/// A x = lambda B x for symmetric A and positive definite B: the stationary points of tr(X^T A X) subject to X^T B X =
/// I. The operators must outlive the solution.
struct EigenProblem {
    const LinearOperator<double>* a = nullptr;
    const LinearOperator<double>* b = nullptr;  ///< null: the identity
    SpectrumEnd end = SpectrumEnd::Smallest;
    MultiVector<double> deflation{};  ///< known solutions to exclude: the constant vector of a Laplacian
    /// A and B by entries, evaluated only where a factor of A + shift B is worthwhile; empty: not available.
    std::function<CsrMatrix<double>()> a_entries{};
    std::function<CsrMatrix<double>()> b_entries{};
    double product_entries = 0.0;  ///< entries that a product with A reads, if fewer than those of A
};

class EigenSolver;

struct EigenOptions {
    Index count = 1;          ///< eigenpairs wanted
    double tolerance = 1e-8;  ///< on |A x - lambda B x| / |lambda B x|, or 1e-13 |A| / |lambda| where that is more:
                              ///< float64 gets no closer
    int iterations = 300;     ///< steps of the block, each some products with A
    std::uint64_t seed = 0;   ///< seed for the random start
    std::optional<EigenMethod> method{};  ///< instead of the automatic choice; if it is not applicable, plain residuals
    const EigenSolver* solver = nullptr;  ///< for problems with entries that are too large for a dense solution
};

struct Eigenpairs {
    MultiVector<double> vectors{};    ///< n x count, X^T B X = I; the component of largest magnitude positive
    std::vector<double> values{};     ///< from the wanted end inwards
    std::vector<double> residuals{};  ///< |A x - lambda B x| of each, by a product of its own in the end
    std::vector<double> scales{};     ///< |B x| of each: a residual is small as compared with |lambda| |B x|
    double size_of_a = 0.0;           ///< the largest |A x| / |B x| seen: what rounding is relative to
    EigenMethod method = EigenMethod::Dense;
    int iterations = 0;
    int products = 0;  ///< products of A with a block
    Termination termination = Termination::Converged;
    std::vector<IterationRecord> trace{};  ///< objective: the largest relative residual; change: pairs found
    /// The largest residual over |lambda| |B x|, or over |A| |B x| where float64 cannot tell lambda from zero.
    [[nodiscard]] double largest_relative_residual() const;
};

/// A replacement for solve(), such as a solver over ranks (docs/decisions/petsc.md). Signs are fixed and residuals
/// measured as for the built-in methods.
class EigenSolver {
public:
    EigenSolver() = default;
    EigenSolver(const EigenSolver&) = delete;
    EigenSolver& operator=(const EigenSolver&) = delete;
    virtual ~EigenSolver() = default;

    /// Solves as solve() below does, for a problem with entries; all vectors are complete on every rank.
    [[nodiscard]] virtual Eigenpairs solve(const EigenProblem& problem, const EigenOptions& options,
                                           const RunContext& context) const = 0;
};

/// Solves eigenproblems of graphs and kernels, in float64. Small problems are solved dense. Otherwise a block of count
/// + guard vectors is improved by Rayleigh-Ritz in the span of the block, its last step and a new direction each
/// (Knyazev, "Toward the optimal preconditioned eigensolver: LOBPCG", SISC 2001). At the largest end the new direction
/// is the residual. At the smallest end it is a Chebyshev filter of the block (Zhou, Saad, "A Chebyshev-Davidson
/// algorithm", SIMAX 2007) while its convergence is fast enough, or the residual solved with a factor of A + shift B:
/// sparse in float64 if the fill is small, else dense in float32 if memory allows.
///
/// It ends at the limit of iterations at the latest, with the best result so far and the reason in `termination`.
/// Residuals are measured at the end and returned in any case. Same bits for any number of threads. Memory
/// eigen_bytes(); a factor only within the rest of the context's limit. Throws InvalidArgument unless 1 <= count <= n
/// - columns of `deflation`; Interruption if the context ends the run before the first step. After it, an interruption
/// returns the present result.
[[nodiscard]] Eigenpairs solve(const EigenProblem& problem, const EigenOptions& options, const RunContext& context);

/// Throws InvalidArgument unless 1 <= count <= size - deflation, the columns of a problem's deflation.
void require_count(Index count, Index size, Index deflation);

/// Bytes of solve() beside the operators and factors.
[[nodiscard]] std::uint64_t eigen_bytes(Index size, Index count);

}  // namespace isogon
