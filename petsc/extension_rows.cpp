#include "extension_rows.hpp"

#include <algorithm>
#include <utility>

namespace isogon {

ExtensionRows::ExtensionRows(const DistributedMatrix& weights, const std::vector<double>& lengths,
                             std::span<const Index> landmarks, const PointsView& landmark_outputs)
    : lengths_(lengths), place_(lengths.size()), is_unknown_(lengths.size(), true) {
    for (std::size_t k = 0; k < landmarks.size(); ++k) {
        is_unknown_[landmarks[k]] = false;
        place_[landmarks[k]] = static_cast<Index>(k);
    }
    Index count = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        if (is_unknown_[i]) {
            place_[i] = count++;
            if (i >= weights.first && i - weights.first < weights.rows.rows) {
                unknown_.push_back(static_cast<Index>(i));
            }
        }
    }
    matrix_ = {.all_rows = weights.all_rows, .first = weights.first};
    matrix_.rows = {.rows = weights.rows.rows, .columns = count};
    known_ = MultiVector<double>(weights.rows.rows, landmark_outputs.dimension);
    for (Index i = 0; i < weights.rows.rows; ++i) {
        append_row(weights, i);
        add_known(weights, i, landmarks, landmark_outputs);
    }
}

/// |x_i| (z_i - sum_j V_ij z_j), as far as z is unknown.
void ExtensionRows::append_row(const DistributedMatrix& weights, Index i) {
    const Index own = weights.first + i;
    std::vector<std::pair<Index, double>> row;
    const auto columns = weights.rows.row_indices(i);
    for (std::size_t k = 0; k < columns.size(); ++k) {
        if (is_unknown_[columns[k]]) {
            row.emplace_back(place_[columns[k]], -lengths_[own] * weights.rows.row_values(i)[k]);
        }
    }
    if (is_unknown_[own]) {
        row.emplace_back(place_[own], lengths_[own]);
    }
    std::sort(row.begin(), row.end());
    for (const auto& [column, value] : row) {
        matrix_.rows.indices.push_back(column);
        matrix_.rows.values.push_back(value);
    }
    matrix_.rows.offsets.push_back(matrix_.rows.indices.size());
}

/// The rest, on the other side: |x_i| (sum over landmarks j of V_ij z_j, minus z_i if i is one).
void ExtensionRows::add_known(const DistributedMatrix& weights, Index i, std::span<const Index> landmarks,
                              const PointsView& outputs) {
    const Index own = weights.first + i;
    const auto add = [&](Index j, double factor) {
        // z of a landmark that is a zero vector is zero.
        const double length = lengths_[landmarks[place_[j]]];
        for (Index a = 0; a < outputs.dimension && length > 0.0; ++a) {
            known_.at(i, a) += lengths_[own] * factor * double{outputs[place_[j]][a]} / length;
        }
    };
    const auto columns = weights.rows.row_indices(i);
    for (std::size_t k = 0; k < columns.size(); ++k) {
        if (!is_unknown_[columns[k]]) {
            add(columns[k], weights.rows.row_values(i)[k]);
        }
    }
    if (!is_unknown_[own]) {
        add(own, -1.0);
    }
}

}  // namespace isogon
