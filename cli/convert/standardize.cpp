#include "convert/standardize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"

namespace isogon::cli {

namespace {

constexpr std::size_t rows_of_task = 1024;

/// Calls `add(column, number)` for every number, by rows.
template <class Add>
void for_each_number(const PointsView& points, const RunContext& context, const Add& add) {
    for (Index i = 0; i < points.count; ++i) {
        if (i % rows_of_task == 0) {
            throw_if_cancelled(context);
        }
        const auto row = points[i];
        for (Index k = 0; k < points.dimension; ++k) {
            add(k, double{row[k]});
        }
    }
}

}  // namespace

ColumnScales column_scales(const PointsView& points, const RunContext& context) {
    ColumnScales scales{std::vector<double>(points.dimension), std::vector<double>(points.dimension)};
    const double count = points.count;
    for_each_number(points, context, [&](Index k, double value) { scales.mean[k] += value; });
    for (double& mean : scales.mean) {
        mean /= count;
    }
    std::vector<double> least(points[0].begin(), points[0].end());
    std::vector<double> most = least;
    for_each_number(points, context, [&](Index k, double value) {
        least[k] = std::min(least[k], value);
        most[k] = std::max(most[k], value);
        scales.deviation[k] += (value - scales.mean[k]) * (value - scales.mean[k]);
    });
    for (Index k = 0; k < points.dimension; ++k) {
        const bool constant = least[k] == most[k];  // its mean may be rounded
        scales.mean[k] = constant ? least[k] : scales.mean[k];
        scales.deviation[k] = constant ? 0.0 : std::sqrt(scales.deviation[k] / count);
    }
    return scales;
}

Points standardized(const PointsView& points, const ColumnScales& scales, const std::string& source,
                    const RunContext& context) {
    require_memory(context,
                   {{"the standardised points", std::uint64_t{points.count} * points.dimension * sizeof(float)}},
                   "raise the limit or take fewer rows");
    Points result(points.count, points.dimension);
    throw_if_cancelled(context);
    parallel_blocks(context, points.count, rows_of_task, [&](Range rows) {
        throw_if_cancelled_in_task(context);
        for (auto i = static_cast<Index>(rows.begin); i < rows.end; ++i) {
            for (Index k = 0; k < points.dimension; ++k) {
                const double moved = double{points[i][k]} - scales.mean[k];
                result[i][k] = static_cast<float>(scales.deviation[k] > 0.0 ? moved / scales.deviation[k] : moved);
            }
        }
    });
    throw_if_cancelled(context);
    for (Index i = 0; i < result.count(); ++i) {
        const auto row = result[i];
        const auto beyond = std::find_if(row.begin(), row.end(), [](float value) { return !std::isfinite(value); });
        if (beyond != row.end()) {
            throw InputError(source, fmt::format("row {}, column {}", i, beyond - row.begin()),
                             "standardised it is beyond the largest number of float32");
        }
    }
    return result;
}

}  // namespace isogon::cli
