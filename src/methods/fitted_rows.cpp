#include "methods/fitted_rows.hpp"

#include <algorithm>
#include <utility>

namespace isogon {

FittedRows::FittedRows(DistinctPoints distinct) : rows_(std::move(distinct.rows)), place_(std::move(distinct.place)) {}

FittedRows FittedRows::directed(const DistinctPoints& distinct) {
    FittedRows result;
    result.place_.assign(distinct.place.size(), DistinctPoints::nowhere);
    for (Index i = 0; i < result.all(); ++i) {
        if (distinct.place[i] != DistinctPoints::nowhere) {
            result.place_[i] = result.count();
            result.rows_.push_back(i);
        }
    }
    return result;
}

Points FittedRows::table_of(const PointsView& all) const {
    Points table(count(), count());
    for (Index i = 0; i < count(); ++i) {
        const auto row = all[rows_[i]];
        std::transform(rows_.begin(), rows_.end(), table[i].begin(), [&](Index j) { return row[j]; });
    }
    return table;
}

Points FittedRows::to_all(const Points& fitted) const {
    Points result(all(), fitted.dimension());
    for (Index i = 0; i < all(); ++i) {
        if (has_place(i)) {
            std::copy(fitted[place_[i]].begin(), fitted[place_[i]].end(), result[i].begin());
        }
    }
    return result;
}

KeptNeighbors FittedRows::to_all(KeptNeighbors fitted) const {
    constexpr float not_looked_at = -1.0F;
    std::vector<float> shares(count(), not_looked_at);
    for (std::size_t r = 0; r < fitted.rows.size(); ++r) {
        shares[fitted.rows[r]] = fitted.shares[r];
    }
    fitted.rows.clear();
    fitted.shares.clear();
    for (Index i = 0; i < all(); ++i) {
        if (has_place(i) && shares[place_[i]] != not_looked_at) {
            fitted.rows.push_back(i);
            fitted.shares.push_back(shares[place_[i]]);
        }
    }
    return fitted;
}

bool FittedRows::tells(const NeighborLists& all_lists) const {
    return all_lists.count() == all() && std::all_of(all_lists.indices.begin(), all_lists.indices.end(),
                                                     [this](Index i) { return i < all() && is_fitted(i); });
}

NeighborLists FittedRows::among(const NeighborLists& all_lists) const {
    NeighborLists result{.size = all_lists.size};
    for (const Index i : rows_) {
        for (const Index j : all_lists[i]) {
            result.indices.push_back(place_[j]);
        }
        if (!all_lists.distances.empty()) {
            const auto distances = all_lists.distances_of(i);
            result.distances.insert(result.distances.end(), distances.begin(), distances.end());
        }
    }
    return result;
}

}  // namespace isogon
