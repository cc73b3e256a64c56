#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/core/summary.hpp"
#include "isogon/linalg/linear_operator.hpp"

namespace isogon {

/// How a problem is solved.
enum class EigenMethod { Dense, Krylov, Filtered, SparseFactor, DenseFactor };

/// "dense", "krylov", "filtered", "sparse-factor", "dense-factor".
[[nodiscard]] std::string_view name(EigenMethod method);

enum class SpectrumEnd { Smallest, Largest };

/// A x = lambda B x for symmetric A and positive definite B: what min (or max) tr(X^T A X) subject to X^T B X = I comes
/// down to. The operators must outlive the solution.
struct EigenProblem {
    const SymmetricOperator* a = nullptr;
    const SymmetricOperator* b = nullptr;  ///< null: the identity
    SpectrumEnd end = SpectrumEnd::Smallest;
    WideVectors deflation{};  ///< solutions known beforehand and not wanted: the constant vector of a Laplacian
    /// A and B by entries, asked for only where a factor of A + shift B is worth its price; empty: they have none.
    std::function<CsrMatrix<double>()> a_entries{};
    std::function<CsrMatrix<double>()> b_entries{};
    double product_entries = 0.0;  ///< that a product with A reads, where there are fewer than entries of A
};

class EigenSolver;

struct EigenOptions {
    Index count = 1;          ///< eigenpairs wanted
    double tolerance = 1e-8;  ///< on |A x - lambda B x| / |lambda B x|, or 1e-13 |A| / |lambda| where that is more:
                              ///< float64 gets no closer
    int iterations = 300;     ///< steps of the block, each some products with A
    std::uint64_t seed = 0;   ///< of the random start
    std::optional<EigenMethod> method{};  ///< instead of the one that serves best; where it cannot be, plain residuals
    const EigenSolver* solver = nullptr;  ///< for what is too large to be solved dense and known by its entries
};

struct Eigenpairs {
    WideVectors vectors{};            ///< n x count, X^T B X = I; the component of largest magnitude positive
    std::vector<double> values{};     ///< from the wanted end inwards
    std::vector<double> residuals{};  ///< |A x - lambda B x| of each, by a product of its own in the end
    std::vector<double> scales{};     ///< |B x| of each: a residual is small as compared with |lambda| |B x|
    double size_of_a = 0.0;           ///< the largest |A x| / |B x| seen: what rounding is relative to
    EigenMethod method = EigenMethod::Dense;
    int iterations = 0;
    int products = 0;  ///< of A with a block
    Termination termination = Termination::Converged;
    std::vector<IterationRecord> trace{};  ///< objective: the largest relative residual; change: pairs found
    /// The largest residual over |lambda| |B x|, or over |A| |B x| where float64 cannot tell lambda from zero.
    [[nodiscard]] double largest_relative_residual() const;
};

/// Another's way to solve what solve() is asked, as one over ranks is (docs/decisions/petsc.md). What it gives is fixed
/// in sign, and measured, as what the library's own ways give.
class EigenSolver {
public:
    EigenSolver() = default;
    EigenSolver(const EigenSolver&) = delete;
    EigenSolver& operator=(const EigenSolver&) = delete;
    virtual ~EigenSolver() = default;

    /// As solve() below of a problem that has entries, all vectors whole.
    [[nodiscard]] virtual Eigenpairs solve(const EigenProblem& problem, const EigenOptions& options,
                                           const RunContext& context) const = 0;
};

/// The one entry to eigenproblems of graphs and kernels, in float64. Small problems are solved dense. Else a block of
/// count + guard vectors is improved by Rayleigh and Ritz in the span of itself, its last step and a new direction each
/// (Knyazev, "Toward the optimal preconditioned eigensolver: LOBPCG", SISC 2001), which is the residual at the largest
/// end, and at the smallest one a Chebyshev filter of the block (Zhou, Saad, "A Chebyshev-Davidson algorithm", SIMAX
/// 2007) as long as that promises to get there, or residuals solved with a factor of A + shift B: sparse in float64
/// where it stays so, else dense in float32 where memory allows.
///
/// Never stuck: ends at the limit of iterations with the best there is, and says so; residuals are measured in the end
/// and returned whatever they are. Same bits for any number of threads. Memory eigen_bytes(), a factor only within what
/// the context's limit leaves. Throws InvalidArgument unless 1 <= count <= n - left out; Interruption when the context
/// ends the run before the first step, and returns what there is after it.
[[nodiscard]] Eigenpairs solve(const EigenProblem& problem, const EigenOptions& options, const RunContext& context);

/// What it takes beside the operators and factors.
[[nodiscard]] std::uint64_t eigen_bytes(Index size, Index count);

}  // namespace isogon
