#pragma once
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/points.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "methods/distinct_points.hpp"
#include "neighbors/kept_neighbors.hpp"

namespace isogon {

/// The rows that a fit is of, where these are not all: coordinates, neighbours and weights from those that were fitted
/// to all, and back.
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

    /// The entries of the fitted rows of a square table, in their columns.
    [[nodiscard]] Points table_of(const PointsView& all) const;

    /// Every row gets what the one has that it equals; rows without a place zeros.
    [[nodiscard]] Points to_all(const Points& fitted) const;
    /// Every row gets the list of the one that it equals; one without a place is 1 away from all.
    [[nodiscard]] NeighborLists to_all(const NeighborLists& fitted) const;
    /// Every row has an edge: one that was not fitted a single one, of the greatest weight, to the one that it equals.
    [[nodiscard]] CsrMatrix<double> to_all(const CsrMatrix<double>& fitted) const;
    /// Every row that equals one that was looked at has its share; one without a place is not looked at.
    [[nodiscard]] KeptNeighbors to_all(KeptNeighbors fitted) const;

    /// Whether a graph of all rows is one that to_all() gives, and nothing is lost by a look at the fitted rows alone.
    [[nodiscard]] bool tells(const NeighborLists& all) const;
    [[nodiscard]] bool tells(const CsrMatrix<double>& all) const;
    /// The part of such a graph among the fitted rows.
    [[nodiscard]] NeighborLists among(const NeighborLists& all) const;
    [[nodiscard]] CsrMatrix<double> among(const CsrMatrix<double>& all) const;

private:
    FittedRows() = default;
    [[nodiscard]] Index all() const { return static_cast<Index>(place_.size()); }
    /// The fitted row that hangs an edge of row i: itself, where it was fitted.
    [[nodiscard]] Index fitted_for(Index i) const { return rows_[has_place(i) ? place_[i] : 0]; }
    [[nodiscard]] bool is_fitted(Index i) const { return fitted_for(i) == i; }

    std::vector<Index> rows_{};
    std::vector<Index> place_{};  ///< each row's place in rows_ of the one whose coordinates it gets, or nowhere
};

}  // namespace isogon
