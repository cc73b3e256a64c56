#include "isogon/faithful/local_objective.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "isogon/core/parallel.hpp"
#include "isogon/linalg/multi_vector_arithmetic.hpp"
#include "isogon/pairs/pair_tiles.hpp"

namespace isogon {

namespace {

/// The other point of a pair, and the square of its distance.
struct NearPoint {
    Index j = 0;
    float value = 0.0F;
};

/// |y_i - y_j|^2 that belongs to a distance of the metric.
float squared_distance(float distance, Metric metric) {
    return metric == Metric::Cosine ? 2.0F * std::max(0.0F, distance) : distance * distance;
}

/// Calls visit(i, j, square) for all pairs of both ends' lists, i < j.
template <class Visit>
void for_each_pair(const NeighborLists& lists, Metric metric, const std::vector<float>& lengths, const Visit& visit) {
    const auto has_place = [&](Index i) { return lengths.empty() || lengths[i] > 0.0F; };
    for (Index i = 0; i < lists.count(); ++i) {
        const auto near = lists[i];
        const auto distances = lists.distances_of(i);
        for (std::size_t k = 0; k < near.size() && has_place(i); ++k) {
            if (has_place(near[k])) {
                visit(std::min(i, near[k]), std::max(i, near[k]), squared_distance(distances[k], metric));
            }
        }
    }
}

/// Of a pair in both lists the distance is that of the first.
CsrMatrix<float> upper_matrix(const NeighborLists& lists, Metric metric, const std::vector<float>& lengths) {
    std::vector<std::size_t> begins(std::size_t{lists.count()} + 2);
    for_each_pair(lists, metric, lengths, [&](Index i, Index, float) { ++begins[std::size_t{i} + 2]; });
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    std::vector<NearPoint> pairs(begins.back());
    for_each_pair(lists, metric, lengths, [&](Index i, Index j, float square) {
        pairs[begins[std::size_t{i} + 1]++] = {j, square};
    });
    CsrMatrix<float> upper{.rows = lists.count(), .columns = lists.count()};
    upper.indices.reserve(pairs.size());
    upper.values.reserve(pairs.size());
    for (Index i = 0; i < lists.count(); ++i) {
        const auto row = std::span(pairs).subspan(begins[i], begins[std::size_t{i} + 1] - begins[i]);
        std::ranges::stable_sort(row, {}, &NearPoint::j);
        for (std::size_t k = 0; k < row.size(); ++k) {
            if (k == 0 || row[k].j != row[k - 1].j) {
                upper.indices.push_back(row[k].j);
                upper.values.push_back(row[k].value);
            }
        }
        upper.offsets.push_back(upper.indices.size());
    }
    return upper;
}

}  // namespace

LocalTargets local_targets(const NeighborLists& lists, Metric metric, const std::vector<float>& lengths) {
    LocalTargets targets;
    targets.radii.reserve(lists.count());
    for (Index i = 0; i < lists.count(); ++i) {
        const bool has_place = lengths.empty() || lengths[i] > 0.0F;
        targets.radii.push_back(has_place ? squared_distance(lists.distances_of(i).back(), metric) : 0.0F);
    }
    targets.near = upper_matrix(lists, metric, lengths);
    return targets;
}

void add_global_pairs(const Similarities& s, double weight, LocalTargets& targets) {
    targets.far = {.rows = s.upper.rows, .columns = s.upper.columns};
    for (Index i = 0; i < s.size(); ++i) {
        const auto columns = s.upper.row_indices(i);
        const auto values = s.upper.row_values(i);
        const auto near = targets.near.row_indices(i);
        for (std::size_t k = 0; k < columns.size(); ++k) {
            if (values[k] > 0.0F && !std::binary_search(near.begin(), near.end(), columns[k])) {
                const double cosine = std::min(1.0, double{values[k]} + s.threshold);
                targets.far.indices.push_back(columns[k]);
                targets.far.values.push_back(static_cast<float>(2.0 - 2.0 * cosine));
            }
        }
        targets.far.offsets.push_back(targets.far.indices.size());
    }
    targets.far_radius = static_cast<float>(2.0 - 2.0 * s.threshold);
    targets.far_weight = weight;
    targets.ranks = s.ranks;
}

LocalObjective::LocalObjective(const LocalTargets& targets, Metric metric, std::vector<float> lengths, Index dimension,
                               double off_support_weight)
    : metric_(metric), ranks_(targets.ranks), lengths_(std::move(lengths)), diagonal_(targets.near.rows) {
    const DeviationScale deviations = on_spheres() ? DeviationScale::Absolute : DeviationScale::Relative;
    if (targets.far_weight > 0.0) {
        pass_.emplace(targets, deviations, off_support_weight);
    } else {
        listed_.emplace(targets, deviations, off_support_weight);
    }
    const DeviationWeights weights(deviations, targets.radii);
    std::vector<double> mass(targets.near.rows);
    std::vector<double> squares(targets.near.rows);
    // What both forms together ask of a pair: of near pairs inside the global radius both ask for their distance.
    const auto add = [&](const CsrMatrix<float>& pairs, double own_weight) {
        for (Index i = 0; i < pairs.rows; ++i) {
            const auto columns = pairs.row_indices(i);
            const auto values = pairs.row_values(i);
            for (std::size_t k = 0; k < columns.size(); ++k) {
                const double target = double{values[k]};
                const double weight = own_weight + (target < double{targets.far_radius} ? targets.far_weight : 0.0);
                const double radius = double{std::max(targets.radii[i], targets.radii[columns[k]])};
                const double a = weight * weights.near(target, radius);
                const double share = on_spheres() ? weight : 2.0 * a * std::max(target, 0.05 * radius);
                for (const Index end : {i, columns[k]}) {
                    mass[end] += share;
                    squares[end] += a * target * target;
                }
            }
        }
    };
    add(targets.near, 1.0);
    add(targets.far, 0.0);
    // A rank has the far pairs of its own points.
    targets.ranks.all_gather_rows(pair_blocks(targets.near.rows), std::as_writable_bytes(std::span(mass)));
    targets.ranks.all_gather_rows(pair_blocks(targets.near.rows), std::as_writable_bytes(std::span(squares)));
    squared_norm_ = std::accumulate(squares.begin(), squares.end(), 0.0);
    for (std::size_t i = 0; i < mass.size(); ++i) {
        // As in FaithfulObjective::precondition, with neighbours in all directions alike.
        diagonal_[i] = static_cast<float>(8.0 * (mass[i] / dimension + (on_spheres() ? 1.0 : 0.0)));
    }
}

FaithfulValue LocalObjective::evaluate(const MultiVector<float>& y, MultiVector<float>& gradient,
                                       const RunContext& context) {
    const auto finish = [&](const RowBlock& sums) {
        constexpr float factor = -8.0F;
        if (on_spheres()) {
            project_on_tangents(y, sums, factor);
        } else {
            std::transform(sums.values, sums.values + sums.rows * sums.stride, sums.values,
                           [](float sum) { return factor * sum; });
        }
    };
    if (listed_) {
        sums_ = listed_->apply(y, gradient, context, finish);
    } else {
        sums_ = pass_->apply(y, gradient, context);
        for_each_row_block(gradient, 0, context, finish);
    }
    FaithfulValue value;
    value.misfit = 2.0 * (sums_.near_squares + sums_.far_squares + sums_.off_squares);
    value.objective = value.misfit;
    value.violations = 2.0 * sums_.violations;
    return value;
}

void LocalObjective::freeze_lists(FrozenLists frozen) {
    if (listed_) {
        listed_->freeze(frozen);
    }
}

bool LocalObjective::renew_stale_lists(const MultiVector<float>& y, const RunContext& context) {
    return listed_ && listed_->renew_stale(y, context);
}

void LocalObjective::project(const MultiVector<float>& y, const RowBlock& v) const {
    if (on_spheres()) {
        project_on_tangents(y, v);
    }
}

void LocalObjective::retract(const MultiVector<float>& y, double step, const RowBlock& direction) const {
    if (on_spheres()) {
        retract_to_spheres(y, step, lengths_, direction);
    } else {
        step_along(y, step, direction);
    }
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
