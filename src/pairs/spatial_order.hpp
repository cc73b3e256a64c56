#pragma once
#include <span>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// An order of points in which those that are near each other are mostly near: halved, again and again, by the
/// coordinate (of the first 16) that varies most, down to blocks of 384, their panels of 48, and eight points. What
/// visits near points then finds them in cache, and a panel lies in one place. O(16 n log n).
[[nodiscard]] std::vector<Index> spatial_order(const PointsView& points, const RunContext& context);

/// Row order[i] as row i.
template <class T>
[[nodiscard]] std::vector<T> in_order(std::span<const T> values, std::span<const Index> order) {
    std::vector<T> result;
    result.reserve(order.size());
    for (const Index i : order) {
        result.push_back(values[i]);
    }
    return result;
}

}  // namespace isogon
