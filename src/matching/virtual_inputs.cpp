#include "isogon/matching/virtual_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "isogon/core/parallel.hpp"
#include "isogon/pairs/own_points.hpp"
#include "isogon/pairs/pair_tiles.hpp"

namespace isogon {

namespace {

struct Nearest {
    Index neighbor = 0;
    double cosine = -2.0;
};

/// 1 / |x|, and 0 for zero vectors, whose cosine is then 0 with everything.
std::vector<float> inverse(const std::vector<double>& lengths) {
    std::vector<float> result(lengths.size());
    std::transform(lengths.begin(), lengths.end(), result.begin(),
                   [](double length) { return length > 0.0 ? static_cast<float>(1.0 / length) : 0.0F; });
    return result;
}

std::vector<Nearest> nearest_neighbors(const PointsView& x, const std::vector<Index>& isolated,
                                       const std::vector<double>& lengths, const RunContext& context) {
    Points chosen(static_cast<Index>(isolated.size()), x.dimension);
    std::vector<float> chosen_scale(isolated.size());
    const std::vector<float> scale = inverse(lengths);
    for (Index k = 0; k < chosen.count(); ++k) {
        std::copy_n(x[isolated[k]].begin(), x.dimension, chosen[k].begin());
        chosen_scale[k] = scale[isolated[k]];
    }
    std::vector<Nearest> nearest(isolated.size());
    for_each_row_band(
        pack(chosen.view(), chosen_scale, {}, context), pack(x, scale, {}, context), context, [&](RowBand& band) {
            for (Index r = 0; r < band.rows; ++r) {
                const float* cosines = band.values + r * band.stride;
                Nearest& best = nearest[band.first_row + r];
                for (Index j = 0; j < band.columns; ++j) {
                    if (j != isolated[band.first_row + r] && lengths[j] > 0.0 && cosines[j] > best.cosine) {
                        best = {j, double{cosines[j]}};
                    }
                }
            }
        });
    return nearest;
}

/// Number of points strictly between two directions `angle` apart so that all steps are below acos(tau).
Index points_between(double angle, double threshold) {
    constexpr double margin = 0.99;  // float32 cosines must come out above tau
    return static_cast<Index>(std::ceil(angle / (margin * std::acos(threshold)))) - 1;
}

}  // namespace

std::vector<Index> isolated_points(const Similarities& s, const RunContext& context) {
    std::vector<Index> degrees = support_degrees(s.upper);
    gather_points(s.size(), std::as_writable_bytes(std::span(degrees)), context);
    std::vector<Index> isolated;
    for (Index i = 0; i < s.size(); ++i) {
        if (degrees[i] == 0 && s.diagonal[i] > 0.0F) {
            isolated.push_back(i);
        }
    }
    return isolated;
}

VirtualInputs add_virtual_inputs(const PointsView& x, const std::vector<Index>& isolated, double threshold,
                                 const RunContext& context) {
    const std::vector<double> lengths = norms(x);
    const std::vector<Nearest> nearest = nearest_neighbors(x, isolated, lengths, context);
    VirtualInputs result;
    for (const Nearest& n : nearest) {
        if (n.cosine > 0.0) {
            result.added += points_between(std::acos(std::min(1.0, n.cosine)), threshold);
        } else {
            ++result.unreachable;
        }
    }
    result.points = Points(x.count + result.added, x.dimension);
    for (Index i = 0; i < x.count; ++i) {
        std::copy_n(x[i].begin(), x.dimension, result.points[i].begin());
    }
    Index next = x.count;
    for (std::size_t k = 0; k < isolated.size(); ++k) {
        if (nearest[k].cosine <= 0.0) {
            continue;
        }
        const Index i = isolated[k];
        const Index j = nearest[k].neighbor;
        const double angle = std::acos(std::min(1.0, nearest[k].cosine));
        const Index between = points_between(angle, threshold);
        for (Index step = 1; step <= between; ++step) {
            // Spherical interpolation of the directions, linear interpolation of the lengths.
            const double t = static_cast<double>(step) / (between + 1);
            const double length = (1.0 - t) * lengths[i] + t * lengths[j];
            const double of_i = length * std::sin((1.0 - t) * angle) / (std::sin(angle) * lengths[i]);
            const double of_j = length * std::sin(t * angle) / (std::sin(angle) * lengths[j]);
            const auto target = result.points[next++];
            for (Index c = 0; c < x.dimension; ++c) {
                target[c] = static_cast<float>(of_i * x[i][c] + of_j * x[j][c]);
            }
        }
    }
    return result;
}

}  // namespace isogon
