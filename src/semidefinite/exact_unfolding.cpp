#include "semidefinite/exact_unfolding.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"
#include "linalg/dense_matrix.hpp"

namespace isogon {

namespace {

/// trace(K' centred) = <I - 1 1^T / n, K'>, without the last point.
DenseMatrix centred_trace(Index points) {
    DenseMatrix objective(points - 1, points - 1);
    std::fill(objective.values.begin(), objective.values.end(), -1.0 / static_cast<double>(points));
    for (std::size_t i = 0; i < objective.rows; ++i) {
        objective(i, i) += 1.0;
    }
    return objective;
}

/// e_i - e_j, of which the last point's is missing.
CsrMatrix<double> differences(Index points, const DistanceConstraints& constraints) {
    CsrMatrix<double> vectors{.rows = static_cast<Index>(constraints.size()), .columns = points - 1};
    for (const auto& [i, j] : constraints.pairs) {
        vectors.indices.push_back(i);
        vectors.values.push_back(1.0);
        if (j + 1 < points) {
            vectors.indices.push_back(j);
            vectors.values.push_back(-1.0);
        }
        vectors.offsets.push_back(vectors.indices.size());
    }
    return vectors;
}

/// K from K': every point moved so that their mean is the origin.
DenseMatrix centred(Index points, const DenseMatrix& pinned) {
    const std::size_t n = points;
    std::vector<double> means(n, 0.0);
    double mean = 0.0;
    for (std::size_t i = 0; i + 1 < n; ++i) {
        for (std::size_t j = 0; j + 1 < n; ++j) {
            means[i] += pinned(j, i) / static_cast<double>(n);
        }
        mean += means[i] / static_cast<double>(n);
    }
    DenseMatrix result(n, n);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            const double value = i + 1 < n && j + 1 < n ? pinned(j, i) : 0.0;
            result(j, i) = value - means[i] - means[j] + mean;
        }
    }
    return result;
}

/// K = Y Y^T by its eigenvectors.
void read_outputs(const DenseMatrix& k, Unfolding& unfolding) {
    constexpr double least_share = 1e-9;
    const SmallEigen eigen = symmetric_eigen(k, SpectrumOrder::Largest);
    for (const double value : eigen.values) {
        if (value > least_share * eigen.values.front()) {
            unfolding.eigenvalues.push_back(value);
        }
    }
    const auto columns = static_cast<Index>(unfolding.eigenvalues.size());
    unfolding.outputs = MultiVector<double>(static_cast<Index>(k.rows), columns);
    for (Index c = 0; c < columns; ++c) {
        const double length = std::sqrt(unfolding.eigenvalues[c]);
        for (std::size_t i = 0; i < k.rows; ++i) {
            unfolding.outputs.at(i, c) = length * eigen.vectors(i, c);
        }
    }
}

/// With more, a step takes a minute.
constexpr std::size_t most_constraints = 8000;

/// Iterates of an interior point method before its end may violate every constraint.
bool is_usable(const DistanceChanges& changes, const Unfolding& unfolding) {
    constexpr double most_change = 0.5;
    return unfolding.trace > 0.0 && changes.mean < most_change;
}

void require_unfoldable(Index points, const DistanceConstraints& constraints, const ExactUnfoldingOptions& options) {
    if (points < 2) {
        throw InvalidArgument("points", std::to_string(points), "must be at least 2");
    }
    if (constraints.size() == 0) {
        throw InvalidArgument("constraints", "none", "must be at least one: distances to keep");
    }
    if (constraints.size() > most_constraints) {
        throw InvalidArgument("solver", "exact",
                              "serves up to " + std::to_string(most_constraints) + " distances, of which there are " +
                                  std::to_string(constraints.size()) +
                                  "; take fewer neighbours, the solver low-rank, or the method lsde");
    }
    if (!(options.price > 0.0)) {
        throw InvalidArgument("price", std::to_string(options.price), "must be above 0");
    }
}

}  // namespace

Unfolding unfold_exactly(Index points, const DistanceConstraints& constraints, const ExactUnfoldingOptions& options,
                         const RunContext& context) {
    require_unfoldable(points, constraints, options);
    require_memory(context,
                   {{"the Gram matrix and its eigenvectors", 32 * std::uint64_t{points} * points},
                    {"the semidefinite program", semidefinite_bytes(points - 1, constraints.size())}},
                   "raise the limit, or take fewer points");
    const SemidefiniteProgram program{.objective = centred_trace(points),
                                      .vectors = differences(points, constraints),
                                      .values = constraints.squared,
                                      .shortfall_price = options.price,
                                      .excess_price = options.price};
    const SemidefiniteSolution solution = solve(program, options.solver, context);
    Unfolding unfolding{.status = solution.status,
                        .trace = solution.primal,
                        .bound = solution.dual,
                        .gap = solution.gap,
                        .iterations = solution.iterations,
                        .message = solution.message};
    if (solution.x.rows == 0) {
        return unfolding;
    }
    if (unfolding.status != SemidefiniteStatus::Unbounded && unfolding.status != SemidefiniteStatus::Infeasible) {
        unfolding.message += ", gap " + to_text(OptionValue{unfolding.gap});
    }
    read_outputs(centred(points, solution.x), unfolding);
    const DistanceChanges changes = distance_changes(unfolding.outputs, constraints);
    if (unfolding.status != SemidefiniteStatus::Solved && !is_usable(changes, unfolding)) {
        unfolding.outputs = {};
        unfolding.eigenvalues.clear();
        unfolding.message += "; distances were nowhere near by then";
    }
    return unfolding;
}

}  // namespace isogon
