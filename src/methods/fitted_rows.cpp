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

NeighborLists FittedRows::to_all(const NeighborLists& fitted) const {
    NeighborLists result{.size = fitted.size};
    for (Index i = 0; i < all(); ++i) {
        for (Index k = 0; k < fitted.size; ++k) {
            result.indices.push_back(rows_[has_place(i) ? fitted[place_[i]][k] : k]);
            result.distances.push_back(has_place(i) ? fitted.distances_of(place_[i])[k] : 1.0F);
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

CsrMatrix<double> FittedRows::to_all(const CsrMatrix<double>& fitted) const {
    const double greatest = *std::max_element(fitted.values.begin(), fitted.values.end());
    std::vector<std::vector<Index>> hanging(count());  // by the place of the row that they hang on
    for (Index i = 0; i < all(); ++i) {
        if (!is_fitted(i)) {
            hanging[place_[fitted_for(i)]].push_back(i);
        }
    }
    CsrMatrix<double> result{.rows = all(), .columns = all()};
    std::vector<std::pair<Index, double>> row;
    for (Index i = 0; i < all(); ++i) {
        row.clear();
        if (is_fitted(i)) {
            const auto others = fitted.row_indices(place_[i]);
            for (std::size_t k = 0; k < others.size(); ++k) {
                row.emplace_back(rows_[others[k]], fitted.row_values(place_[i])[k]);
            }
            for (const Index j : hanging[place_[i]]) {
                row.emplace_back(j, greatest);
            }
            std::sort(row.begin(), row.end());
        } else {
            row.emplace_back(fitted_for(i), greatest);
        }
        for (const auto& [j, weight] : row) {
            result.indices.push_back(j);
            result.values.push_back(weight);
        }
        result.offsets.push_back(result.indices.size());
    }
    return result;
}

bool FittedRows::tells(const NeighborLists& all_lists) const {
    return all_lists.count() == all() && std::all_of(all_lists.indices.begin(), all_lists.indices.end(),
                                                     [this](Index i) { return i < all() && is_fitted(i); });
}

bool FittedRows::tells(const CsrMatrix<double>& all_weights) const {
    if (all_weights.rows != all()) {
        return false;
    }
    for (Index i = 0; i < all(); ++i) {
        const auto others = all_weights.row_indices(i);
        if (!is_fitted(i) && !(others.size() == 1 && others.front() == fitted_for(i))) {
            return false;
        }
    }
    return true;
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

CsrMatrix<double> FittedRows::among(const CsrMatrix<double>& all_weights) const {
    CsrMatrix<double> result{.rows = count(), .columns = count()};
    for (const Index i : rows_) {
        const auto others = all_weights.row_indices(i);
        for (std::size_t k = 0; k < others.size(); ++k) {
            if (is_fitted(others[k])) {
                result.indices.push_back(place_[others[k]]);
                result.values.push_back(all_weights.row_values(i)[k]);
            }
        }
        result.offsets.push_back(result.indices.size());
    }
    return result;
}

}  // namespace isogon
