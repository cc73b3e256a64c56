#include "support/heaps.hpp"

#include <cmath>

#include "reference/point_sets.hpp"

namespace isogon::support {

namespace {

double squared_distance(const Points& y, Index i, Index j) {
    double sum = 0.0;
    for (Index c = 0; c < y.dimension(); ++c) {
        sum += std::pow(double{y[i][c]} - double{y[j][c]}, 2);
    }
    return sum;
}

}  // namespace

Points heaps(Index count, std::uint64_t seed) {
    Points points = reference::random_points(count, 6, seed);
    for (Index i = 0; i < count; ++i) {
        points[i][i % 4] += 20.0F;
    }
    return points;
}

double share_of_nearest_of_the_same(const Points& y) {
    Index same = 0;
    for (Index i = 0; i < y.count(); ++i) {
        Index nearest = i == 0 ? 1 : 0;
        for (Index j = 0; j < y.count(); ++j) {
            if (j != i && squared_distance(y, i, j) < squared_distance(y, i, nearest)) {
                nearest = j;
            }
        }
        same += nearest % 4 == i % 4 ? 1 : 0;
    }
    return static_cast<double>(same) / y.count();
}

}  // namespace isogon::support
