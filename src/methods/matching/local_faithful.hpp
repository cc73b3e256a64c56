#pragma once
#include "isogon/distributed/distributed_points.hpp"
#include "isogon/methods/faithful.hpp"
#include "methods/checkpoints.hpp"

namespace isogon {

/// Faithful by the local form: steps, summary and coordinates of faithful() with options.neighbors above 0, for inputs
/// in a unit of length in which products fit.
void fit_local(const DistributedPoints& x, FaithfulOptions options, const FitExtras& extras, Checkpoints& checkpoints,
               const RunContext& context, Embedding& result);

/// Shares of what outputs keep of the k nearest neighbours of some points.
struct KeptNeighbors {
    double neighbors = 0.0;  ///< of all neighbours, those that are among the k nearest of the outputs
    double all = 0.0;        ///< of the points, those with all k
    double in_order = 0.0;   ///< and in the same order
    Index rows = 0;          ///< points that were looked at: all up to most_rows, else a sample
    static constexpr Index most_rows = 20000;
};

/// `lists` are those of the inputs. O(rows n d) time.
[[nodiscard]] KeptNeighbors kept_neighbors(const NeighborLists& lists, const PointsView& outputs, Metric metric,
                                           const RunContext& context);

}  // namespace isogon
