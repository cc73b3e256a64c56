#include "isogon/core/points.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

#include "isogon/core/error.hpp"

namespace isogon {

namespace {

/// Without a branch, so that the compiler vectorises it: NaN and infinity have all bits of the exponent set.
bool all_finite(std::span<const float> row) {
    constexpr std::int32_t magnitude = 0x7fffffff;
    constexpr std::int32_t largest = 0x7f7fffff;
    std::int32_t beyond = 0;
    for (const float value : row) {
        beyond |= (std::bit_cast<std::int32_t>(value) & magnitude) > largest ? 1 : 0;
    }
    return beyond == 0;
}

}  // namespace

Index first_row_not_finite(const PointsView& points) {
    Index i = 0;
    while (i < points.count && all_finite(points[i])) {
        ++i;
    }
    return i;
}

void require_finite(const PointsView& points, const char* source, Index first) {
    const Index i = first_row_not_finite(points);
    if (i == points.count) {
        return;
    }
    const auto row = points[i];
    Index j = 0;
    while (std::isfinite(row[j])) {
        ++j;
    }
    throw InputError(source, "row " + std::to_string(first + i) + ", column " + std::to_string(j),
                     std::isnan(row[j]) ? "the value is NaN; remove or fill such rows first"
                                        : "the value is infinite; remove or clip such rows first");
}

std::vector<double> norms(const PointsView& points) {
    // Several rows at once: each addition of a single sum depends on the previous one.
    constexpr Index at_once = 8;
    std::vector<double> lengths(points.count);
    for (Index first = 0; first < points.count; first += at_once) {
        const Index rows = std::min(at_once, points.count - first);
        std::array<double, at_once> sums{};
        for (Index k = 0; k < points.dimension; ++k) {
            for (Index r = 0; r < rows; ++r) {
                const double value = double{points.data[(first + r) * points.stride + k]};
                sums[r] += value * value;
            }
        }
        std::transform(sums.begin(), sums.begin() + rows, lengths.begin() + first,
                       [](double sum) { return std::sqrt(sum); });
    }
    return lengths;
}

}  // namespace isogon
