#include "isogon/core/points.hpp"

#include <cmath>

#include "isogon/core/error.hpp"

namespace isogon {

void require_finite(const PointsView& points, const char* source) {
    for (Index i = 0; i < points.count; ++i) {
        const auto row = points[i];
        for (Index j = 0; j < points.dimension; ++j) {
            if (!std::isfinite(row[j])) {
                throw InputError(source, "row " + std::to_string(i) + ", column " + std::to_string(j),
                                 std::isnan(row[j]) ? "the value is NaN; remove or fill such rows first"
                                                    : "the value is infinite; remove or clip such rows first");
            }
        }
    }
}

std::vector<double> norms(const PointsView& points) {
    std::vector<double> lengths(points.count);
    for (Index i = 0; i < points.count; ++i) {
        double sum = 0.0;
        for (const float value : points[i]) {
            sum += double{value} * double{value};
        }
        lengths[i] = std::sqrt(sum);
    }
    return lengths;
}

}  // namespace isogon
