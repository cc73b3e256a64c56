#include "faithful/local_objective.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "core/elementary.hpp"
#include "linalg/multi_vector_arithmetic.hpp"
#include "pairs/pair_tiles.hpp"

namespace isogon {

namespace {

/// The other point of a pair, the square of its distance, and its rank in the list that has it.
struct NearPoint {
    Index j = 0;
    Index rank = 0;
    float squared = 0.0F;
};

/// Calls visit(i, {j, rank, squared}) for all pairs of both ends' lists, i < j.
template <class Visit>
void for_each_pair(const NeighborLists& lists, const Visit& visit) {
    for (Index i = 0; i < lists.count(); ++i) {
        const auto near = lists[i];
        const auto distances = lists.distances_of(i);
        for (Index k = 0; k < near.size(); ++k) {
            if (near[k] == i) {
                break;  // empty places of a shorter list
            }
            visit(std::min(i, near[k]), NearPoint{std::max(i, near[k]), k + 1, distances[k] * distances[k]});
        }
    }
}

}  // namespace

LocalTargets local_targets(const NeighborLists& lists, NearTargets near, Index dimension) {
    LocalTargets targets;
    targets.radii.reserve(lists.count());
    for (Index i = 0; i < lists.count(); ++i) {
        const float radius = lists.distances_of(i).back();
        targets.radii.push_back(radius * radius);
    }
    std::vector<std::size_t> begins(std::size_t{lists.count()} + 2);
    for_each_pair(lists, [&](Index i, const NearPoint&) { ++begins[std::size_t{i} + 2]; });
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    std::vector<NearPoint> pairs(begins.back());
    for_each_pair(lists, [&](Index i, const NearPoint& pair) { pairs[begins[std::size_t{i} + 1]++] = pair; });
    std::vector<float> shares(std::size_t{lists.size} + 1);  // of R, by rank
    for (std::size_t k = 1; k < shares.size(); ++k) {
        shares[k] = static_cast<float>(elementary::pow(static_cast<double>(k) / (lists.size + 0.5), 2.0 / dimension));
    }
    targets.near = {.rows = lists.count(), .columns = lists.count()};
    for (Index i = 0; i < lists.count(); ++i) {
        const auto row = std::span(pairs).subspan(begins[i], begins[std::size_t{i} + 1] - begins[i]);
        std::ranges::sort(row, {}, [](const NearPoint& pair) { return std::pair(pair.j, pair.rank); });
        for (std::size_t k = 0; k < row.size(); ++k) {
            const auto& [j, rank, squared] = row[k];
            if (k == 0 || j != row[k - 1].j) {
                targets.near.indices.push_back(j);
                targets.near.values.push_back(near == NearTargets::Distances
                                                  ? squared
                                                  : shares[rank] * std::max(targets.radii[i], targets.radii[j]));
            }
        }
        targets.near.offsets.push_back(targets.near.indices.size());
    }
    return targets;
}

LocalObjective::LocalObjective(const LocalTargets& targets, Index dimension, const LossShape& shape)
    : ranks_(targets.ranks),
      dimension_(dimension),
      is_robust_(std::isfinite(shape.robust_step)),
      diagonal_(targets.near.rows),
      pass_(targets, shape) {
    const PairLoss loss(targets.radii, shape);
    std::vector<double> mass(targets.near.rows);
    std::vector<double> squares(targets.near.rows);
    for (Index i = 0; i < targets.near.rows; ++i) {
        const auto columns = targets.near.row_indices(i);
        const auto values = targets.near.row_values(i);
        for (std::size_t k = 0; k < columns.size(); ++k) {
            const double target = double{values[k]};
            const double radius = double{std::max(targets.radii[i], targets.radii[columns[k]])};
            const double a = loss.near_weight(target, radius);
            for (const Index end : {i, columns[k]}) {
                mass[end] += 2.0 * a * std::max(target, 0.05 * radius);
                squares[end] += a * target * target;
            }
        }
    }
    squared_norm_ = std::accumulate(squares.begin(), squares.end(), 0.0);
    // As in SphereObjective::precondition, with neighbours in all directions alike.
    std::ranges::transform(mass, diagonal_.begin(),
                           [&](double sum) { return static_cast<float>(8.0 * sum / dimension); });
    if (is_robust_) {
        mass_ = std::move(mass);
    }
}

/// The second derivatives of a robust loss are those of its pairs as they are: pairs that are given up have none. A
/// quarter of what all near pairs would have keeps points that have lost theirs from leaping. Words, n = 8,000, d = 8,
/// c = .3, 60 updates: .58 of the neighbours kept, .51 without.
void LocalObjective::learn_diagonal() {
    const std::vector<double>& curvatures = pass_.curvatures();
    for (std::size_t i = 0; i < mass_.size(); ++i) {
        diagonal_[i] = static_cast<float>(
            8.0 * ((curvatures.empty() ? 0.5 * mass_[i] : curvatures[i]) + 0.5 * mass_[i]) / dimension_);
    }
}

DescentValue LocalObjective::evaluate(const MultiVector<float>& y, MultiVector<float>& gradient,
                                      const RunContext& context) {
    constexpr float factor = -8.0F;
    sums_ = pass_.apply(y, gradient, context, [](const RowBlock& sums) {
        std::transform(sums.values, sums.values + sums.rows * sums.stride, sums.values,
                       [](float sum) { return factor * sum; });
    });
    if (is_robust_) {
        learn_diagonal();
    }
    DescentValue value;
    value.misfit = 2.0 * (sums_.near_squares + sums_.off_squares);
    value.objective = value.misfit;
    value.violations = 2.0 * sums_.violations;
    return value;
}

void LocalObjective::retract(const MultiVector<float>& y, double step, const RowBlock& direction) const {
    xpay_of_rows(y.row(direction.first), static_cast<float>(step), direction.numbers());
}

void LocalObjective::precondition(const RowBlock& v) const {
    for (std::size_t i = 0; i < v.rows; ++i) {
        const float diagonal = diagonal_[v.first + i];
        float* const row = v.values + i * v.stride;
        for (std::size_t k = 0; k < v.stride && diagonal > 0.0F; ++k) {
            row[k] /= diagonal;
        }
    }
}

}  // namespace isogon
