#include "methods/input_checks.hpp"

#include <algorithm>
#include <string>

#include "isogon/core/error.hpp"

namespace isogon {

namespace {

bool all_equal(const PointsView& x) {
    const auto first = x[0];
    for (Index i = 1; i < x.count; ++i) {
        if (!std::equal(first.begin(), first.end(), x[i].begin())) {
            return false;
        }
    }
    return true;
}

}  // namespace

void require_points(const PointsView& x, int dimension) {
    if (x.count < 2 || x.dimension == 0) {
        throw InputError("input", "",
                         std::to_string(x.count) + " point" + (x.count == 1 ? "" : "s") + " of " +
                             std::to_string(x.dimension) + " numbers: at least 2 points of 1 number are needed");
    }
    require_finite(x, "input");
    const auto d = static_cast<Index>(std::max(dimension, 0));
    if (d < 1 || d > x.dimension) {
        throw InvalidArgument(
            "dimension", std::to_string(dimension),
            "must be at least 1 and at most " + std::to_string(x.dimension) + ", the dimension of the input");
    }
    if (d >= x.count) {
        throw InvalidArgument("dimension", std::to_string(dimension),
                              "must be below " + std::to_string(x.count) + ", the number of points");
    }
    if (all_equal(x)) {
        throw InputError("input", "",
                         "all " + std::to_string(x.count) + " points are equal: there is nothing to embed");
    }
}

}  // namespace isogon
