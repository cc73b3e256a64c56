#include "least_squares.hpp"

#include <algorithm>
#include <exception>
#include <optional>

#include "distributed/agreement.hpp"
#include "mumps_factor.hpp"

namespace isogon {

namespace {

/// Bound on a factor, for each rank: an hour at most.
constexpr double most_operations_of_rank = 1e13;

/// Whether a column is solved, asked between two steps.
struct Watch {
    const RankGroup& ranks;
    const RunContext& context;
    double tolerance;
    std::optional<Termination> ended{};
    std::exception_ptr thrown{};
};

PetscErrorCode decide(KSP solver, PetscInt iterations, PetscReal residual, KSPConvergedReason* reason, void* watch) {
    constexpr PetscInt between_questions = 10;  // a step is short: asking all ranks would take as long
    auto& own = *static_cast<Watch*>(watch);
    PetscReal first = 0.0;
    try {
        require_petsc(KSPGetTolerances(solver, nullptr, &first, nullptr, nullptr), "solver");
        *reason = residual <= first ? KSP_CONVERGED_RTOL : KSP_CONVERGED_ITERATING;
        if (*reason == KSP_CONVERGED_ITERATING && iterations % between_questions == 1) {
            own.ended = agreed_interruption(own.context, own.ranks);
            *reason = own.ended ? KSP_CONVERGED_ITS : *reason;
        }
        return 0;
    } catch (...) {
        own.thrown = std::current_exception();
        return PETSC_ERR_USER;
    }
}

class NormalEquations {
public:
    NormalEquations(const LeastSquaresProblem& problem, const LeastSquaresOptions& options, const RankGroup& ranks,
                    const RunContext& context)
        : b_(problem.b),
          options_(options),
          watch_{ranks, context, options.tolerance},
          k_(to_petsc(problem.k, problem.own_columns)) {
        scale(problem.k.rows.columns);
        require_petsc(MatCreateNormal(k_.get(), normal_.out()), "K^T K");
        require_petsc(KSPCreate(PETSC_COMM_WORLD, solver_.out()), "solver");
        require_petsc(KSPSetOperators(solver_.get(), normal_.get(), normal_.get()), "solver");
        require_petsc(KSPSetType(solver_.get(), KSPCG), "solver");
        require_petsc(KSPSetNormType(solver_.get(), KSP_NORM_UNPRECONDITIONED), "solver");
        require_petsc(KSPSetConvergenceTest(solver_.get(), decide, &watch_, nullptr), "solver");
        precondition(ranks, context);
    }

    [[nodiscard]] LeastSquares solve() {
        LeastSquares result{.factored = factor_.has_value()};
        const VecHandle side = row_vector(k_.get());
        const VecHandle right = column_vector(k_.get());
        const VecHandle t = column_vector(k_.get());
        PetscInt own = 0;
        require_petsc(VecGetLocalSize(t.get(), &own), "solution");
        result.solution = MultiVector<double>(static_cast<Index>(own), b_.columns());
        for (Index column = 0; column < b_.columns(); ++column) {
            fill(side.get(), b_, column);
            require_petsc(MatMultTranspose(k_.get(), side.get(), right.get()), "K^T b");
            solve_column(right.get(), t.get(), result);
            require_petsc(VecPointwiseMult(t.get(), t.get(), scales_.get()), "solution");
            read(t.get(), result.solution, column);
        }
        return result;
    }

private:
    /// Columns to length one: what a column of zeros belongs to stays zero.
    void scale(Index columns) {
        std::vector<double> lengths(columns);
        require_petsc(MatGetColumnNorms(k_.get(), NORM_2, lengths.data()), "columns");
        std::transform(lengths.begin(), lengths.end(), lengths.begin(),
                       [](double length) { return length > 0.0 ? 1.0 / length : 0.0; });
        scales_ = column_vector(k_.get());
        PetscInt begin = 0;
        PetscInt end = 0;
        require_petsc(VecGetOwnershipRange(scales_.get(), &begin, &end), "columns");
        fill(scales_.get(), std::span<const double>(lengths).subspan(static_cast<std::size_t>(begin),
                                                                     static_cast<std::size_t>(end - begin)));
        require_petsc(MatDiagonalScale(k_.get(), nullptr, scales_.get()), "columns");
    }

    void precondition(const RankGroup& ranks, const RunContext& context) {
        constexpr double shift = 1e-12;  // share of the diagonal: a K without full rank can be factored
        if (options_.factor) {
            require_petsc(MatTransposeMatMult(k_.get(), k_.get(), MAT_INITIAL_MATRIX, PETSC_DEFAULT, entries_.out()),
                          "K^T K");
            add_to_diagonal(entries_.get(), shift);
            factor_ = affordable_factor(entries_.get(), most_operations_of_rank, ranks, context);
        }
        if (factor_) {
            use_factor(solver_.get(), *factor_);
            return;
        }
        PC none = nullptr;
        require_petsc(KSPGetPC(solver_.get(), &none), "solver");
        require_petsc(PCSetType(none, PCNONE), "solver");
    }

    void solve_column(Vec right, Vec t, LeastSquares& result) {
        const double size = length(right);
        require_petsc(VecSet(t, 0.0), "solution");
        if (size == 0.0 || watch_.ended) {
            result.residuals.push_back(size == 0.0 ? 0.0 : 1.0);
            return;
        }
        require_petsc(KSPSetTolerances(solver_.get(), PETSC_DEFAULT, options_.tolerance * size, PETSC_DEFAULT,
                                       static_cast<PetscInt>(options_.iterations)),
                      "solver");
        const PetscErrorCode code = KSPSolve(solver_.get(), right, t);
        if (watch_.thrown) {
            std::rethrow_exception(watch_.thrown);
        }
        require_petsc(code, "solution");
        PetscInt iterations = 0;
        require_petsc(KSPGetIterationNumber(solver_.get(), &iterations), "solution");
        result.iterations = std::max(result.iterations, static_cast<int>(iterations));
        result.residuals.push_back(residual(right, t) / size);
        tell(result);
    }

    [[nodiscard]] double residual(Vec right, Vec t) const {
        const VecHandle product = column_vector(k_.get());
        require_petsc(MatMult(normal_.get(), t, product.get()), "residual");
        require_petsc(VecAXPY(product.get(), -1.0, right), "residual");
        return length(product.get());
    }

    /// How the column ended; the worst counts.
    void tell(LeastSquares& result) const {
        KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
        require_petsc(KSPGetConvergedReason(solver_.get(), &reason), "solution");
        if (watch_.ended) {
            result.termination = *watch_.ended;
        } else if (reason == KSP_DIVERGED_ITS) {
            result.termination = Termination::IterationLimit;
        } else if (reason < 0 && result.termination == Termination::Converged) {
            result.termination = Termination::Stalled;
        }
    }

    const MultiVector<double>& b_;
    const LeastSquaresOptions& options_;
    Watch watch_;
    MatHandle k_;
    VecHandle scales_{};
    MatHandle normal_{};
    MatHandle entries_{};
    std::optional<MumpsFactor> factor_{};
    KspHandle solver_{};
};

}  // namespace

double LeastSquares::largest_residual() const {
    return residuals.empty() ? 0.0 : *std::max_element(residuals.begin(), residuals.end());
}

LeastSquares least_squares(const LeastSquaresProblem& problem, const LeastSquaresOptions& options,
                           const RankGroup& ranks, const RunContext& context) {
    stop_if_any_asked(context, ranks);
    return NormalEquations(problem, options, ranks, context).solve();
}

}  // namespace isogon
