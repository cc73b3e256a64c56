#include "slepc_solution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/random.hpp"
#include "distributed/agreement.hpp"
#include "distributed_eigenproblem.hpp"
#include "isogon/core/error.hpp"
#include "mumps_factor.hpp"
#include "spectral/spectral_problem.hpp"

namespace isogon {

namespace {

/// Up to this size it is cheapest to gather the matrix on every rank and to solve the problem there.
constexpr Index most_rows_gathered = 200;
/// Bound on a factor, for each rank: an hour at most. Above, multigrid is used instead.
constexpr double most_operations_of_rank = 1e13;
/// The shift relative to the largest eigenvalue: A + shift B is definite, and the shift does not change larger
/// eigenvalues noticeably.
constexpr double shift_share = 1e-10;

Index size_of(Mat matrix) {
    PetscInt rows = 0;
    require_petsc(MatGetSize(matrix, &rows, nullptr), "matrix");
    return static_cast<Index>(rows);
}

double mean_diagonal(Mat matrix) {
    const VecHandle diagonal = row_vector(matrix);
    double sum = 0.0;
    require_petsc(MatGetDiagonal(matrix, diagonal.get()), "diagonal");
    require_petsc(VecSum(diagonal.get(), &sum), "diagonal");
    return sum / size_of(matrix);
}

/// A bound of the eigenvalues of A, divided by the mean of B's diagonal.
double size_of_spectrum(const SlepcProblem& problem) {
    double norm = 0.0;
    require_petsc(MatNorm(problem.a, NORM_INFINITY, &norm), "norm");
    return norm > 0.0 ? norm / (problem.b == nullptr ? 1.0 : mean_diagonal(problem.b)) : 1.0;
}

MatHandle copy_of(Mat matrix) {
    MatHandle result;
    require_petsc(MatDuplicate(matrix, MAT_COPY_VALUES, result.out()), "copy");
    return result;
}

/// A + shift B.
MatHandle shifted(const SlepcProblem& problem, double shift) {
    MatHandle result = copy_of(problem.a);
    if (problem.b == nullptr) {
        add_to_diagonal(result.get(), shift);
    } else {
        require_petsc(MatAXPY(result.get(), shift, problem.b, DIFFERENT_NONZERO_PATTERN), "shift");
    }
    return result;
}

class SlepcSolution {
public:
    SlepcSolution(const SlepcProblem& problem, const EigenOptions& options, const RankGroup& ranks,
                  const RunContext& context)
        : problem_(problem),
          options_(options),
          ranks_(ranks),
          context_(context),
          size_(size_of(problem.a)),
          spectrum_(size_of_spectrum(problem)),
          watch_(options, spectrum_, problem.b == nullptr ? 1.0 : std::sqrt(mean_diagonal(problem.b)), ranks, context) {
    }

    [[nodiscard]] Eigenpairs run() {
        create();
        choose();
        start();
        const PetscErrorCode code = EPSSolve(solver_.get());
        watch_.rethrow();
        require_petsc(code, "eigenvectors");
        return found();
    }

private:
    void create() {
        require_petsc(EPSCreate(PETSC_COMM_WORLD, solver_.out()), "eigensolver");
        require_petsc(EPSSetOperators(solver_.get(), problem_.a, problem_.b), "eigensolver");
        require_petsc(EPSSetProblemType(solver_.get(), problem_.b == nullptr ? EPS_HEP : EPS_GHEP), "eigensolver");
        const auto columns = static_cast<PetscInt>(std::min(krylov_columns(options_.count), free_dimensions()));
        require_petsc(EPSSetDimensions(solver_.get(), static_cast<PetscInt>(options_.count), columns, PETSC_DEFAULT),
                      "eigensolver");
        watch_.attach(solver_.get());
    }

    /// The number of eigenvectors that are not excluded.
    [[nodiscard]] Index free_dimensions() const { return size_ - problem_.deflation->columns(); }

    void choose() {
        ST transform = nullptr;
        require_petsc(EPSGetST(solver_.get(), &transform), "eigensolver");
        if (problem_.end == SpectrumEnd::Largest) {
            largest(transform);
        } else if (!inverted(transform)) {
            preconditioned(transform);
        }
    }

    void largest(ST transform) {
        method_ = EigenMethod::Krylov;
        require_petsc(EPSSetType(solver_.get(), EPSKRYLOVSCHUR), "eigensolver");
        require_petsc(EPSSetWhichEigenpairs(solver_.get(), EPS_LARGEST_REAL), "eigensolver");
        if (problem_.b != nullptr) {
            factor_.emplace(problem_.b);
            if (!factor_->factor()) {
                throw InvalidArgument("B", std::to_string(size_) + " rows", "cannot be factored: is it definite?");
            }
            use(transform);
        }
    }

    /// Sets up the inverse. False if the factor costs too much, or the caller asked for the Krylov method.
    [[nodiscard]] bool inverted(ST transform) {
        if (options_.method == EigenMethod::Krylov) {
            return false;
        }
        const double shift = shift_share * spectrum_;
        shifted_ = shifted(problem_, shift);
        factor_ = affordable_factor(shifted_.get(), most_operations_of_rank, ranks_, context_);
        if (!factor_) {
            return false;
        }
        method_ = EigenMethod::SparseFactor;
        require_petsc(EPSSetType(solver_.get(), EPSKRYLOVSCHUR), "eigensolver");
        require_petsc(EPSSetWhichEigenpairs(solver_.get(), EPS_TARGET_MAGNITUDE), "eigensolver");
        require_petsc(EPSSetTarget(solver_.get(), -shift), "eigensolver");
        require_petsc(EPSSetTrueResidual(solver_.get(), PETSC_TRUE), "eigensolver");
        require_petsc(STSetType(transform, STSINVERT), "eigensolver");
        require_petsc(STSetMatMode(transform, ST_MATMODE_SHELL), "eigensolver");
        deflate_inverse();
        use(transform);
        return true;
    }

    [[nodiscard]] bool shift_inverted() const {
        return problem_.end == SpectrumEnd::Smallest && method_ == EigenMethod::SparseFactor;
    }

    void use(ST transform) {
        KSP solver = nullptr;
        require_petsc(STGetKSP(transform, &solver), "eigensolver");
        require_petsc(KSPSetType(solver, KSPPREONLY), "eigensolver");
        use_factor(solver, *factor_);
    }

    /// LOBPCG, with algebraic multigrid for a matrix that is a little more definite than A.
    void preconditioned(ST transform) {
        constexpr double more = 1e4;
        method_ = EigenMethod::Krylov;
        shifted_ = shifted(problem_, more * shift_share * spectrum_);
        require_petsc(EPSSetType(solver_.get(), EPSLOBPCG), "eigensolver");
        // LOBPCG chooses the size of its basis itself.
        require_petsc(
            EPSSetDimensions(solver_.get(), static_cast<PetscInt>(options_.count), PETSC_DEFAULT, PETSC_DEFAULT),
            "eigensolver");
        require_petsc(EPSSetWhichEigenpairs(solver_.get(), EPS_SMALLEST_REAL), "eigensolver");
        require_petsc(STSetType(transform, STPRECOND), "eigensolver");
        require_petsc(STSetPreconditionerMat(transform, shifted_.get()), "eigensolver");
        KSP solver = nullptr;
        PC preconditioner = nullptr;
        require_petsc(STGetKSP(transform, &solver), "eigensolver");
        require_petsc(KSPSetType(solver, KSPPREONLY), "eigensolver");
        require_petsc(KSPGetPC(solver, &preconditioner), "eigensolver");
        require_petsc(PCSetType(preconditioner, PCHYPRE), "multigrid");
        require_petsc(PCHYPRESetType(preconditioner, "boomeramg"), "multigrid");
    }

    /// The initial vector, the same for any number of ranks, and the vectors to exclude.
    void start() {
        const VecHandle vector = column_vector(problem_.a);
        PetscInt begin = 0;
        PetscInt end = 0;
        require_petsc(VecGetOwnershipRange(vector.get(), &begin, &end), "start");
        std::vector<double> values;
        for (PetscInt i = begin; i < end; ++i) {
            values.push_back(
                Random(options_.seed, RandomStream::SpectralStart, static_cast<std::uint64_t>(i)).normal());
        }
        fill(vector.get(), values);
        const VecHandle smooth = row_vector(problem_.a);
        if (shift_inverted()) {  // removes the excluded vectors, and reduces the unwanted ones
            require_petsc(factor_->solve(vector.get(), smooth.get()), "start");
        }
        Vec raw = shift_inverted() ? smooth.get() : vector.get();
        require_petsc(EPSSetInitialSpace(solver_.get(), 1, &raw), "start");
        std::vector<VecHandle> known;
        std::vector<Vec> raw_known;
        for (Index j = 0; j < problem_.deflation->columns(); ++j) {
            known.push_back(column_vector(problem_.a));
            fill(known.back().get(), *problem_.deflation, j);
            raw_known.push_back(known.back().get());
        }
        if (!known.empty() && !shift_inverted()) {
            require_petsc(EPSSetDeflationSpace(solver_.get(), static_cast<PetscInt>(known.size()), raw_known.data()),
                          "start");
        }
    }

    /// Removes the excluded vectors, made B-orthonormal, from the inverse itself: SLEPc's own deflation is inaccurate
    /// where A + shift B is nearly singular along them.
    void deflate_inverse() {
        std::vector<std::pair<VecHandle, VecHandle>> known;
        for (Index j = 0; j < problem_.deflation->columns(); ++j) {
            VecHandle x = column_vector(problem_.a);
            VecHandle image = row_vector(problem_.a);
            fill(x.get(), *problem_.deflation, j);
            for (const auto& [other, other_image] : known) {
                double share = 0.0;
                require_petsc(VecDot(other_image.get(), x.get(), &share), "left out");
                require_petsc(VecAXPY(x.get(), -share, other.get()), "left out");
            }
            double square = 0.0;
            apply_b(problem_, x.get(), image.get());
            require_petsc(VecDot(x.get(), image.get(), &square), "left out");
            require_petsc(VecScale(x.get(), 1.0 / std::sqrt(square)), "left out");
            require_petsc(VecScale(image.get(), 1.0 / std::sqrt(square)), "left out");
            known.emplace_back(std::move(x), std::move(image));
        }
        for (auto& [x, image] : known) {
            factor_->deflate(std::move(x), std::move(image));
        }
    }

    [[nodiscard]] Eigenpairs found() {
        Eigenpairs pairs = pairs_of(solver_.get(), problem_, options_.count);
        pairs.size_of_a = spectrum_;
        pairs.method = method_;
        pairs.iterations = watch_.iterations();
        pairs.products = watch_.iterations();
        pairs.termination = watch_.termination();
        pairs.trace = watch_.trace();
        return pairs;
    }

    const SlepcProblem& problem_;
    const EigenOptions& options_;
    RankGroup ranks_;
    const RunContext& context_;
    Index size_;
    double spectrum_;
    SlepcWatch watch_;
    EigenMethod method_ = EigenMethod::SparseFactor;
    MatHandle shifted_{};
    std::optional<MumpsFactor> factor_{};
    EpsHandle solver_{};
};

/// Gathers the matrices on every rank and solves the problem there by solve(): cheapest for small problems. Returns own
/// rows.
Eigenpairs solve_gathered(const SlepcProblem& problem, const EigenOptions& options, const RankGroup& ranks,
                          const RunContext& context) {
    CsrMatrix<double> a = whole(from_petsc(problem.a), ranks);
    CsrMatrix<double> b = problem.b == nullptr ? CsrMatrix<double>() : whole(from_petsc(problem.b), ranks);
    const auto a_operator = sparse_spectral_matrix(a);
    const auto b_operator = sparse_spectral_matrix(b);
    const EigenProblem eigen{.a = a_operator.get(),
                             .b = problem.b == nullptr ? nullptr : b_operator.get(),
                             .end = problem.end,
                             .deflation = whole(*problem.deflation, ranks),
                             .a_entries = [&] { return a; },
                             .b_entries = [&] { return b; }};
    EigenOptions own = options;
    own.solver = nullptr;
    own.method.reset();
    Eigenpairs pairs;
    on_all_ranks(ranks, [&] { pairs = solve(eigen, own, context); });
    pairs.vectors = own_rows(pairs.vectors, ranks);
    return pairs;
}

}  // namespace

Index krylov_columns(Index count) {
    constexpr Index least_more = 20;
    return count + std::max(count, least_more);
}

Eigenpairs solve_by_slepc(const SlepcProblem& problem, const EigenOptions& options, const RankGroup& ranks,
                          const RunContext& context) {
    const Index size = size_of(problem.a);
    require_count(options.count, size, problem.deflation->columns());
    on_all_ranks(ranks, [&] {
        const auto own = static_cast<Index>(ranks.own_part(size).size());
        require_memory(context, {{"eigenvectors", distributed_eigen_bytes(own, options.count)}},
                       "ask for fewer dimensions, or take more ranks");
        throw_if_cancelled(context);
    });
    if (size <= most_rows_gathered) {
        return solve_gathered(problem, options, ranks, context);
    }
    return SlepcSolution(problem, options, ranks, context).run();
}

}  // namespace isogon
