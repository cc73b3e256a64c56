#pragma once
#include "isogon/core/points.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// Rows that are to be written as mixtures of their neighbours: `lists` has some of the points for every row.
struct NeighborMixtures {
    const PointsView& rows;
    const PointsView& points;
    const NeighborLists& lists;
    double ridge;
    SelfAllowed self;

    /// Throws InputError for lists that do not belong to these points, for NaN and for infinity.
    void require_valid() const {
        require_neighbor_lists(lists, rows.count, points.count, self, "neighbour lists");
        require_finite(rows, "input");
        require_finite(points, "points");
    }
};

}  // namespace isogon
