#pragma once
// Placements of every kind share this: the rows that they refuse, and those that need no iteration.

#include <Eigen/Core>
#include <span>
#include <vector>

#include "isogon/core/points.hpp"
#include "transform/placement.hpp"
#include "transform/placement_panel.hpp"

namespace isogon {

/// Throws InvalidArgument unless tau is between 0 and 1.
void require_threshold(double threshold);
/// Throws InvalidArgument for fitted points without coordinates or of different numbers, InputError for NaN.
void require_fitted(const PointsView& inputs, const PointsView& outputs);

/// Lengths of the rows. Throws InvalidArgument for another dimension, InputError for rows that cannot be placed: NaN,
/// infinity, or a length beyond float32.
[[nodiscard]] std::vector<double> lengths_of(const PointsView& rows, Index dimension);

/// The rows that `chosen` lists, of length 1.
[[nodiscard]] Points directions_of(const PointsView& rows, const std::vector<double>& lengths,
                                   std::span<const Index> chosen);

void add_counts(const PlacementCounts& part, PlacementCounts& sum);

/// Writes and counts the rows that need no iteration: those that were fitted, and zeros. Returns the others.
[[nodiscard]] std::vector<Index> unknown_rows(const PointsView& rows, const std::vector<double>& lengths,
                                              const EqualRowLookup& index, const PointsView& outputs, Placed& placed);

/// length u, in float32.
void write_direction(const Eigen::VectorXd& u, double length, std::span<float> output);

}  // namespace isogon
