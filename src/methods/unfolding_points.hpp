#pragma once
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/power_of_two_scaling.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/core/summary.hpp"
#include "isogon/graph/components.hpp"
#include "isogon/methods/fit_extras.hpp"
#include "isogon/semidefinite/distance_constraints.hpp"
#include "methods/distinct_points.hpp"

namespace isogon {

/// Of mixtures for new points: the ridge that LLE is known to do well with.
inline constexpr double rebuilding_ridge = 1e-3;

/// What sde and lsde unfold: the points in a unit that float32 holds products in, equal ones once.
class UnfoldingPoints {
public:
    /// Counts "duplicates". Throws InputError where points come again and the user's own neighbour lists, which say
    /// nothing of those that are left, were given; as PowerOfTwoScaling does. `x` must outlive this.
    UnfoldingPoints(const PointsView& x, const FitExtras& extras, Summary& summary, const RunContext& context);

    [[nodiscard]] PointsView view() const { return once_.empty() ? unit_.points() : once_.view(); }
    [[nodiscard]] const PowerOfTwoScaling& unit() const { return unit_; }
    /// The rows of x that view() has.
    [[nodiscard]] const std::vector<Index>& rows() const { return distinct_.rows; }
    /// Coordinates of every row of x from those of view().
    [[nodiscard]] Points of_all(const Points& fitted) const;

private:
    PowerOfTwoScaling unit_;
    DistinctPoints distinct_;
    Points once_{};
};

/// The distances to keep, under a policy (Error or Bridge) for a graph in several components, between which nothing
/// would hold: that is said here, before anything is solved. A distance below a thousandth of the usual one is raised
/// to that, "raised" counts them. Counts "constraints".
[[nodiscard]] DistanceConstraints distances_to_keep(const PointsView& points, const NeighborLists& lists,
                                                    KeptPairs kept, ComponentPolicy policy, Summary& summary,
                                                    const RunContext& context);

}  // namespace isogon
