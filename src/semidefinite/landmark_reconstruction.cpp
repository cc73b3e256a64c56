#include "semidefinite/landmark_unfolding.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "graph/components.hpp"
#include "isogon/core/error.hpp"
#include "linalg/sparse_algebra.hpp"

namespace isogon {

namespace {

Text remedy() {
    return {"raise the limit, or rebuild points from fewer neighbours (", Text::option("neighbors"), ")"};
}

void require_landmarks(const CsrMatrix<double>& weights, std::span<const Index> landmarks) {
    if (landmarks.empty() || landmarks.back() >= weights.rows) {
        throw InvalidArgument("landmarks", std::to_string(landmarks.size()),
                              "must be some of " + std::to_string(weights.rows) + " points");
    }
    for (std::size_t k = 1; k < landmarks.size(); ++k) {
        if (landmarks[k] <= landmarks[k - 1]) {
            throw InvalidArgument("landmark", std::to_string(landmarks[k]), "must be above the one before it");
        }
    }
}

/// A component of the graph without a landmark has no determined position: Phi_uu is singular.
void require_reach(const CsrMatrix<double>& weights, std::span<const Index> landmarks) {
    const std::vector<Index> missed = unreached_rows(weights, landmarks);
    if (!missed.empty()) {
        throw InputError("weights", "point " + std::to_string(missed.front()),
                         {"no chain of neighbours ties it to a landmark, as is true of " +
                              std::to_string(missed.size()) + " of " + std::to_string(weights.rows) + " points; raise ",
                          Text::option("neighbors"), ", or take more landmarks (", Text::option("landmarks"), ")"});
    }
}

/// Places of points among the landmarks and among the others.
struct Sides {
    std::vector<Index> place;
    std::vector<bool> known;
    Index unknown = 0;
};

Sides sides_of(Index points, std::span<const Index> landmarks) {
    Sides sides{.place = std::vector<Index>(points), .known = std::vector<bool>(points, false)};
    for (std::size_t k = 0; k < landmarks.size(); ++k) {
        sides.known[landmarks[k]] = true;
        sides.place[landmarks[k]] = static_cast<Index>(k);
    }
    for (Index i = 0; i < points; ++i) {
        if (!sides.known[i]) {
            sides.place[i] = sides.unknown++;
        }
    }
    return sides;
}

/// Columns of I - W: the unknown ones, and minus those of landmarks.
struct Columns {
    CsrMatrix<double> unknown{};
    MultiVector<double> known{};
};

Columns split(const CsrMatrix<double>& residual, const Sides& sides, Index landmarks) {
    Columns columns{.unknown = {.rows = residual.rows, .columns = sides.unknown},
                    .known = MultiVector<double>(residual.rows, landmarks)};
    for (Index i = 0; i < residual.rows; ++i) {
        for (std::size_t k = 0; k < residual.row_indices(i).size(); ++k) {
            const Index j = residual.row_indices(i)[k];
            const double value = residual.row_values(i)[k];
            if (sides.known[j]) {
                columns.known.at(i, sides.place[j]) = -value;
            } else {
                columns.unknown.indices.push_back(sides.place[j]);
                columns.unknown.values.push_back(value);
            }
        }
        columns.unknown.offsets.push_back(columns.unknown.indices.size());
    }
    return columns;
}

SparseFactor factor_of(const CsrMatrix<double>& phi, const RunContext& context) {
    SparseFactor factor(phi);
    require_memory(context, {{"the factor of the reconstruction", factor.bytes()}}, remedy());
    throw_if_cancelled(context);
    if (!factor.compute(context)) {
        throw InputError("weights", "", {"leave some points free of the landmarks; raise ", Text::option("landmarks")});
    }
    return factor;
}

/// Phi_uu^-1 (-Phi_ul), u x m.
MultiVector<double> unknown_rows(const CsrMatrix<double>& residual, const Sides& sides, Index landmarks,
                                 const RunContext& context) {
    Columns columns = split(residual, sides, landmarks);
    const CsrMatrix<double> transposed = transpose(columns.unknown);
    MultiVector<double> rows(sides.unknown, landmarks);
    multiply(transposed, columns.known, rows, context);
    columns.known = {};
    CsrMatrix<double> phi = product(transposed, columns.unknown, context);
    symmetrise(phi);
    factor_of(phi, context).solve(rows, context);
    return rows;
}

}  // namespace

MultiVector<double> landmark_reconstruction(const CsrMatrix<double>& weights, std::span<const Index> landmarks,
                                            const RunContext& context) {
    const CsrMatrix<double> residual = identity_minus(weights);
    require_landmarks(weights, landmarks);
    require_reach(weights, landmarks);
    const auto count = static_cast<Index>(landmarks.size());
    require_memory(context, {{"the reconstruction from landmarks", landmark_reconstruction_bytes(weights, count)}},
                   remedy());
    const Sides sides = sides_of(weights.rows, landmarks);
    const MultiVector<double> unknown =
        sides.unknown == 0 ? MultiVector<double>() : unknown_rows(residual, sides, count, context);
    MultiVector<double> q(weights.rows, count);
    for (Index i = 0; i < q.rows(); ++i) {
        if (sides.known[i]) {
            q.at(i, sides.place[i]) = 1.0;
        } else {
            std::copy_n(unknown.row(sides.place[i]), count, q.row(i));
        }
    }
    return q;
}

std::uint64_t landmark_reconstruction_bytes(const CsrMatrix<double>& weights, Index landmarks) {
    constexpr std::uint64_t entry = sizeof(Index) + sizeof(double);
    // Phi has an entry for two points that both reconstruct a third. Phi, and its transpose during symmetrization.
    std::uint64_t products = 0;
    for (Index i = 0; i < weights.rows; ++i) {
        const std::uint64_t length = weights.row_indices(i).size() + 1;
        products += length * length;
    }
    const std::uint64_t of_weights = 4 * entry * (weights.entries() + weights.rows);
    return of_weights + 2 * entry * products + 2 * MultiVector<double>::bytes(weights.rows, landmarks);
}

}  // namespace isogon
