#pragma once
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "methods/distinct_points.hpp"
#include "neighbors/kept_neighbors.hpp"

namespace isogon {

/// The rows that a fit is of, where these are not all: coordinates and shares from those that were fitted to all, and
/// neighbours back.
class FittedRows {
public:
    /// Each of the distinct points once.
    explicit FittedRows(DistinctPoints distinct);
    /// All that have a direction, those that are the same too.
    [[nodiscard]] static FittedRows directed(const DistinctPoints& distinct);

    [[nodiscard]] Index count() const { return static_cast<Index>(rows_.size()); }
    /// Ascending.
    [[nodiscard]] const std::vector<Index>& rows() const { return rows_; }
    [[nodiscard]] bool has_place(Index i) const { return place_[i] != DistinctPoints::nowhere; }
    /// Which of rows() row i gets its coordinates from, where has_place().
    [[nodiscard]] Index place(Index i) const { return place_[i]; }

    /// The entries of the fitted rows of a square table, in their columns.
    [[nodiscard]] Points table_of(const PointsView& all) const;

    /// Every row gets what the one has that it equals; rows without a place zeros.
    [[nodiscard]] Points to_all(const Points& fitted) const;
    /// Every row that equals one that was looked at has its share; one without a place is not looked at.
    [[nodiscard]] KeptNeighbors to_all(KeptNeighbors fitted) const;

    /// Whether lists of all rows list fitted ones alone, so that nothing is lost by a look at the lists of these.
    [[nodiscard]] bool tells(const NeighborLists& all) const;
    /// The lists of the fitted rows.
    [[nodiscard]] NeighborLists among(const NeighborLists& all) const;

private:
    FittedRows() = default;
    [[nodiscard]] Index all() const { return static_cast<Index>(place_.size()); }
    [[nodiscard]] bool is_fitted(Index i) const { return has_place(i) && rows_[place_[i]] == i; }

    std::vector<Index> rows_{};
    std::vector<Index> place_{};  ///< each row's place in rows_ of the one whose coordinates it gets, or nowhere
};

}  // namespace isogon
