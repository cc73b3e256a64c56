#include "isogon/semidefinite/unfolding.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "isogon/core/squared_distance.hpp"

namespace isogon {

double DistanceChanges::forbidden(DistanceRule rule) const {
    switch (rule) {
        case DistanceRule::Equal: return std::max(most_stretched, most_shrunk);
        case DistanceRule::AtMost: return most_stretched;
        case DistanceRule::Slack: return 0.0;
    }
    return 0.0;
}

DistanceChanges distance_changes(const WideVectors& outputs, const DistanceConstraints& constraints) {
    DistanceChanges changes;
    const auto count = static_cast<double>(constraints.size());
    const double mean = std::accumulate(constraints.squared.begin(), constraints.squared.end(), 0.0) / count;
    for (std::size_t a = 0; a < constraints.size(); ++a) {
        const auto [i, j] = constraints.pairs[a];
        const double kept = constraints.squared[a];
        const double missed = squared_distance(outputs.row(i), outputs.row(j), outputs.columns) - kept;
        const double unit = kept > 0.0 ? kept : mean;
        const double change = unit > 0.0 ? missed / unit : missed;
        changes.most_stretched = std::max(changes.most_stretched, change);
        changes.most_shrunk = std::max(changes.most_shrunk, -change);
        changes.mean += std::abs(change) / count;
    }
    return changes;
}

}  // namespace isogon
