#include "support/placements.hpp"

#include <algorithm>

namespace isogon::support::placements {

Points slice(const Points& points, Index first, Index count) {
    Points result(count, points.dimension());
    std::copy_n(points.values().begin() + std::size_t{first} * points.dimension(), result.values().size(),
                result.values().begin());
    return result;
}

Eigen::VectorXd row_of(const Points& points, Index i) {
    return to_matrix(points).row(i);
}

}  // namespace isogon::support::placements
