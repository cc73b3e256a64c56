#include "reference/cross_quality.hpp"

namespace isogon::reference {

Points stacked(const Points& first, const Points& second) {
    Points result(first.count() + second.count(), first.dimension());
    std::copy(first.values().begin(), first.values().end(), result.values().begin());
    std::copy(second.values().begin(), second.values().end(), result.values().begin() + first.values().size());
    return result;
}

std::vector<Index> nearest_fitted(const Points& p, Index i, Index placed, Index k) {
    std::vector<std::pair<double, Index>> keys;
    for (Index j = placed; j < p.count(); ++j) {
        keys.emplace_back(-cosine(p, i, j), j);
    }
    std::sort(keys.begin(), keys.end());
    std::vector<Index> nearest;
    for (Index a = 0; a < k; ++a) {
        nearest.push_back(keys[a].second);
    }
    return nearest;
}

Cross cross(const Points& x, const Points& y, Index placed, double threshold, Index k) {
    double deviations = 0.0, in_x = 0.0, in_both = 0.0, in_either = 0.0, shared = 0.0, directed = 0.0;
    Cross result;
    for (Index i = 0; i < placed; ++i) {
        const double before = in_x;
        for (Index j = placed; j < x.count(); ++j) {
            const bool x_above = cosine(x, i, j) > threshold;
            const bool y_above = cosine(y, i, j) > threshold;
            in_x += x_above;
            in_both += x_above && y_above;
            in_either += x_above || y_above;
            deviations += x_above ? std::abs(degrees(x, i, j) - degrees(y, i, j)) : 0.0;
        }
        const auto in_y = nearest_fitted(y, i, placed, k);
        for (const Index j : nearest_fitted(x, i, placed, k)) {
            shared += is_zero(x, i) ? 0.0 : static_cast<double>(std::count(in_y.begin(), in_y.end(), j));
        }
        directed += !is_zero(x, i);
        result.isolated += in_x == before && !is_zero(x, i);
    }
    result.deviation = in_x > 0.0 ? deviations / in_x : 0.0;
    result.jaccard = in_either > 0.0 ? in_both / in_either : 1.0;
    result.recall = directed > 0.0 ? shared / directed / k : 1.0;
    return result;
}

}  // namespace isogon::reference
