#include "support/distances.hpp"

#include <algorithm>

#include "reference/graphs.hpp"

namespace isogon::support {

DistanceConstraints distances_of(const Points& points, Index k) {
    return distance_constraints(points.view(), reference::euclidean_lists(points, k), KeptPairs::SharedNeighbors);
}

DistanceConstraints all_distances(const Matrix& rows) {
    DistanceConstraints result;
    for (Index i = 0; i < rows.rows(); ++i) {
        for (Index j = i + 1; j < rows.rows(); ++j) {
            result.pairs.emplace_back(i, j);
            result.squared.push_back((rows.row(i) - rows.row(j)).squaredNorm());
        }
    }
    return result;
}

DistanceConstraints chain(const std::vector<double>& steps, Index reach) {
    DistanceConstraints result;
    const auto n = static_cast<Index>(steps.size() + 1);
    for (Index i = 0; i < n; ++i) {
        double length = 0.0;
        for (Index j = i + 1; j < std::min(n, i + 1 + reach); ++j) {
            length += steps[j - 1];
            result.pairs.emplace_back(i, j);
            result.squared.push_back(length * length);
        }
    }
    return result;
}

DistanceConstraints ring(Index n) {
    DistanceConstraints result;
    for (Index i = 0; i + 1 < n; ++i) {
        result.pairs.emplace_back(i, i + 1);
        if (i == 0) {
            result.pairs.emplace_back(0, n - 1);
        }
    }
    result.squared.assign(result.pairs.size(), 1.0);
    return result;
}

Matrix centred_gram(const Matrix& rows) {
    const Matrix centred = rows.rowwise() - rows.colwise().mean();
    return centred * centred.transpose();
}

MultiVector<double> start_of(const Points& points) {
    MultiVector<double> result(points.count(), points.dimension());
    std::copy(points.values().begin(), points.values().end(), result.values().begin());
    return result;
}

}  // namespace isogon::support
