#pragma once
#include "isogon/core/points.hpp"
#include "linalg/multi_vector.hpp"
#include "semidefinite/unfolding.hpp"
#include "support/dense_matrices.hpp"

/// Distances to be kept, for tests of unfoldings.
namespace isogon::support {

/// Distances of neighbours and shared neighbours among points, k each.
DistanceConstraints distances_of(const Points& points, Index k);

/// Between all rows of a matrix.
DistanceConstraints all_distances(const Matrix& rows);

/// A chain of points in a row: pairs up to `reach` apart along it, at distances that a straight line of steps has.
DistanceConstraints chain(const std::vector<double>& steps, Index reach);

/// A ring of n points, each at distance 1 of the next.
DistanceConstraints ring(Index n);

/// (x_i - mean).(x_j - mean)
Matrix centred_gram(const Matrix& rows);

/// The points as float64, row by row.
MultiVector<double> start_of(const Points& points);

}  // namespace isogon::support
