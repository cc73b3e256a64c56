#include "distributed_spectral.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "distributed/agreement.hpp"
#include "distributed_graph.hpp"
#include "graph/barycentric_weights.hpp"
#include "graph/laplacian.hpp"
#include "isogon/core/error.hpp"
#include "linalg/sparse_algebra.hpp"
#include "petsc_objects.hpp"
#include "slepc_solution.hpp"

namespace isogon {

namespace {

/// D - W of own rows.
DistributedMatrix laplacian_rows(const DistributedMatrix& weights, const std::vector<double>& degrees) {
    DistributedMatrix result = identity_minus(weights);  // has every entry that D - W has
    for (Index i = 0; i < result.rows.rows; ++i) {
        for (Offset k = result.rows.offsets[i]; k < result.rows.offsets[i + 1]; ++k) {
            if (result.rows.indices[k] == result.first + i) {
                result.rows.values[k] = degrees[i];
            }
        }
    }
    return result;
}

/// R^T R.
MatHandle normal(Mat factor) {
    MatHandle result;
    require_petsc(MatTransposeMatMult(factor, factor, MAT_INITIAL_MATRIX, PETSC_DEFAULT, result.out()), "R^T R");
    return result;
}

/// B^-1/2 A B^-1/2.
MatHandle scaled_matrix(const DistributedSpectralProblem& problem, const std::vector<double>& factors,
                        const RankGroup& ranks) {
    MatHandle a = to_petsc(problem.matrix, ranks);
    a = problem.normal ? normal(a.get()) : std::move(a);
    if (!problem.b.empty()) {
        const VecHandle scale = row_vector(a.get());
        fill(scale.get(), factors);
        require_petsc(MatDiagonalScale(a.get(), scale.get(), scale.get()), "scale");
    }
    return a;
}

/// B^-1/2 on own rows.
std::vector<double> factors_of(const DistributedSpectralProblem& problem) {
    std::vector<double> factors(problem.matrix.rows.rows, 1.0);
    std::transform(problem.b.begin(), problem.b.end(), factors.begin(), [](double b) { return 1.0 / std::sqrt(b); });
    return factors;
}

/// Z^T A Z on every rank.
CsrMatrix<double> reduced_a(const DistributedSpectralProblem& problem, Mat z, const RankGroup& ranks) {
    const MatHandle matrix = to_petsc(problem.matrix, ranks);
    MatHandle product;
    MatHandle result;
    if (problem.normal) {
        require_petsc(MatMatMult(matrix.get(), z, MAT_INITIAL_MATRIX, PETSC_DEFAULT, product.out()), "R Z");
        result = normal(product.get());
    } else {
        require_petsc(MatPtAP(matrix.get(), z, MAT_INITIAL_MATRIX, PETSC_DEFAULT, result.out()), "Z^T A Z");
    }
    CsrMatrix<double> a = whole(from_petsc(result.get()), ranks);
    symmetrise(a);
    return a;
}

/// Z^T B Z on every rank, as the square of B^1/2 Z.
CsrMatrix<double> reduced_b(const DistributedSpectralProblem& problem, DistributedMatrix z, const RankGroup& ranks) {
    for (Index i = 0; i < (problem.b.empty() ? 0 : z.rows.rows); ++i) {
        for (Offset k = z.rows.offsets[i]; k < z.rows.offsets[i + 1]; ++k) {
            z.rows.values[k] *= std::sqrt(problem.b[i]);
        }
    }
    CsrMatrix<double> b = whole(from_petsc(normal(to_petsc(z, ranks).get()).get()), ranks);
    symmetrise(b);
    return b;
}

void require_weights(const DistributedSpectralProblem& problem, const DistributedMatrix& z) {
    if (z.all_rows != problem.matrix.all_rows || z.rows.rows != problem.matrix.rows.rows) {
        throw InvalidArgument("weights", std::to_string(z.all_rows) + " rows",
                              "there must be one for each of " + std::to_string(problem.matrix.all_rows) + " points");
    }
}

/// Solves by a solver with collective calls, or on each rank alone; then all ranks take the pairs of the first, for a
/// deadline may have ended them at different steps.
Eigenpairs solve_reduced(const EigenProblem& problem, const EigenOptions& options, const RankGroup& ranks,
                         const RunContext& context) {
    Eigenpairs pairs;
    if (options.solver != nullptr) {
        pairs = solve(problem, options, context);
    } else {
        on_all_ranks(ranks, [&] { pairs = solve(problem, options, context); });
    }
    pairs.vectors.values() = of_first_rank(pairs.vectors.values(), ranks);
    pairs.values = of_first_rank(pairs.values, ranks);
    pairs.residuals = of_first_rank(pairs.residuals, ranks);
    pairs.termination = of_first_rank(std::vector<Termination>{pairs.termination}, ranks).front();
    return pairs;
}

}  // namespace

DistributedSpectralProblem distributed_laplacian(const NeighborLists& own_lists, Index points,
                                                 const LaplacianOptions& options, const RankGroup& ranks) {
    DistributedSpectralProblem problem;
    std::optional<double> sigma = options.sigma;
    DistributedMatrix graph = distributed_graph(own_lists, points, ranks);
    require_connected(graph, ranks);
    const DistributedMatrix weights =
        distributed_affinities(std::move(graph), options.affinity, sigma, static_cast<Index>(options.neighbors), ranks);
    problem.b = degrees(weights.rows);
    problem.matrix = laplacian_rows(weights, problem.b);
    problem.sigma = sigma.value_or(0.0);
    return problem;
}

DistributedSpectralProblem distributed_lle(const RowSource& points, const NeighborLists& own_lists,
                                           const RankGroup& ranks, const RunContext& context) {
    const Range own = ranks.own_part(points.count());
    require_connected(distributed_graph(own_lists, points.count(), ranks), ranks);
    DistributedSpectralProblem problem{.normal = true};
    CsrMatrix<double> weights;
    on_all_ranks(ranks, [&] {
        const PointsOfLists known = points_of_lists(points, own_lists, own);
        weights = barycentric_weights_of_part(known.own.view(), known.points.view(), known.lists, usual_ridge, context);
        for (Index& column : weights.indices) {
            column = known.numbers[column];
        }
        weights.columns = points.count();
    });
    problem.matrix = identity_minus(distributed(std::move(weights), points.count(), ranks));
    return problem;
}

SpectralSolution solve_exactly(const DistributedSpectralProblem& problem, const EigenOptions& options,
                               const RankGroup& ranks, const RunContext& context) {
    const std::vector<double> factors = factors_of(problem);
    const MatHandle a = scaled_matrix(problem, factors, ranks);
    MultiVector<double> deflation(problem.matrix.rows.rows, 1);
    std::transform(factors.begin(), factors.end(), deflation.values().begin(), [](double f) { return 1.0 / f; });
    SpectralSolution solution =
        to_solution(solve_by_slepc({.a = a.get(), .deflation = &deflation}, options, ranks, context));
    MultiVector<double>& x = solution.coordinates;
    for (std::size_t i = 0; i < x.rows(); ++i) {
        for (std::size_t j = 0; j < x.columns(); ++j) {
            x.at(i, j) *= factors[i];
        }
    }
    return solution;
}

SpectralSolution solve_on_landmarks(const DistributedSpectralProblem& problem, const DistributedMatrix& z,
                                    const EigenOptions& options, const RankGroup& ranks, const RunContext& context) {
    require_weights(problem, z);
    CsrMatrix<double> a = reduced_a(problem, to_petsc(z, ranks).get(), ranks);
    CsrMatrix<double> b = reduced_b(problem, z, ranks);
    const auto a_operator = sparse_spectral_matrix(a);
    const auto b_operator = sparse_spectral_matrix(b);
    EigenProblem eigen{.a = a_operator.get(), .b = b_operator.get(), .end = SpectrumEnd::Smallest};
    // Rows of Z sum to one: Z 1 = 1.
    eigen.deflation = MultiVector<double>(z.rows.columns, 1, std::vector<double>(z.rows.columns, 1.0));
    eigen.a_entries = [&] { return a; };
    eigen.b_entries = [&] { return b; };
    SpectralSolution solution = to_solution(solve_reduced(eigen, options, ranks, context));
    solution.landmarks = std::move(solution.coordinates);
    solution.coordinates = mixtures(z.rows, solution.landmarks, context);
    return solution;
}

void PetscSpectralRanks::together(const std::function<void()>& body) const {
    on_all_ranks(ranks_, body);
}

SpectralSolution PetscSpectralRanks::laplacian(const OwnNeighbors& own, const LaplacianOptions& options,
                                               const DistributedSolution& how, Summary& summary,
                                               const RunContext& context) const {
    DistributedSpectralProblem problem;
    {
        const PhaseTimer timer(summary, "graph");
        problem = distributed_laplacian(own.lists, own.points.count, options, ranks_);
    }
    summary.count("components", 1.0);  // else it was refused
    if (options.affinity == AffinityKind::Gaussian) {
        summary.measure("sigma", problem.sigma);
    }
    return solved(problem, how, summary, context);
}

SpectralSolution PetscSpectralRanks::lle(const OwnNeighbors& own, const DistributedSolution& how, Summary& summary,
                                         const RunContext& context) const {
    DistributedSpectralProblem problem;
    {
        const PhaseTimer timer(summary, "weights");
        problem = distributed_lle(ViewRows(own.points), own.lists, ranks_, context);
    }
    summary.count("components", 1.0);
    return solved(problem, how, summary, context);
}

SpectralSolution PetscSpectralRanks::solved(const DistributedSpectralProblem& problem, const DistributedSolution& how,
                                            Summary& summary, const RunContext& context) const {
    const PhaseTimer timer(summary, "eigenvectors");
    if (how.own_weights == nullptr) {
        return solve_exactly(problem, how.eigen, ranks_, context);
    }
    return solve_on_landmarks(problem, distributed(*how.own_weights, problem.matrix.all_rows, ranks_), how.eigen,
                              ranks_, context);
}

}  // namespace isogon
