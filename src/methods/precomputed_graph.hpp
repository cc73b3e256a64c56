#pragma once
#include "isogon/core/points.hpp"
#include "isogon/core/power_of_two_scaling.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/graph/components.hpp"
#include "isogon/methods/embedding.hpp"

namespace isogon {

/// Whether only a neighbour graph is given: `x` then has rows of no numbers.
[[nodiscard]] bool has_graph_alone(const PointsView& x, const FitExtras& extras);

/// The checks of require_points(); for a graph alone that it has distances, none negative and not all zero
/// (InputError), and a dimension of at least 1 and below n (InvalidArgument).
void require_points_or_graph(const PointsView& x, int dimension, const FitExtras& extras);

/// For a graph alone: throws InvalidArgument for policies that need points (bridge measures distances between
/// components, largest mixes the points that it leaves out), and for landmarks.
void require_graph_serves(const PointsView& x, const FitExtras& extras, ComponentPolicy policy, bool landmarks);

/// Throws InvalidArgument unless there are points, or a start, to begin from: "pca" needs either.
void require_points_to_start(const PointsView& x, const FitExtras& extras, bool from_points);

/// The unit of the points, or of a graph's distances.
[[nodiscard]] PowerOfTwoScaling unit_of(const PointsView& x, const FitExtras& extras, const RunContext& context);

}  // namespace isogon
