#include "isogon/matching/virtual_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "isogon/core/rows.hpp"
#include "isogon/pairs/local_range.hpp"
#include "matching/nearest_by_cosine.hpp"

namespace isogon {

namespace {

/// Number of points strictly between two directions `angle` apart so that all steps are below acos(tau).
Index points_between(double angle, double threshold) {
    constexpr double margin = 0.99;  // float32 cosines must come out above tau
    return static_cast<Index>(std::ceil(angle / (margin * std::acos(threshold)))) - 1;
}

/// The way from an isolated point to its nearest neighbour.
struct Bridge {
    Index from = 0;
    Index to = 0;
    double angle = 0.0;
    Index between = 0;  ///< points on it
};

std::vector<Bridge> bridges_from(const DistributedPoints& x, const std::vector<Index>& isolated, double threshold,
                                 const RunContext& context) {
    const auto nearest = nearest_by_cosine(x, isolated, 1, context);
    std::vector<Bridge> bridges;
    for (std::size_t k = 0; k < isolated.size(); ++k) {
        if (!nearest[k].empty()) {
            const double angle = std::acos(std::min(1.0, double{nearest[k].front().cosine}));
            bridges.push_back({isolated[k], nearest[k].front().point, angle, points_between(angle, threshold)});
        }
    }
    return bridges;
}

/// Puts points into rows of `own`, the ones that are there among all inputs and virtual inputs.
class OwnRows {
public:
    OwnRows(Range own, Points& rows) : own_(own), rows_(rows) {}
    /// Null where point `place` is another rank's.
    [[nodiscard]] float* row(std::size_t place) const {
        const bool here = own_.begin <= place && place < own_.end;
        return here ? rows_[static_cast<Index>(place - own_.begin)].data() : nullptr;
    }

private:
    Range own_;
    Points& rows_;
};

/// Ranks own other inputs now that there are more points: all inputs pass by, some at a time.
void take_inputs(const DistributedPoints& x, const OwnRows& rows) {
    const std::size_t at_once = std::max<Index>(1, rows_per_block(x.count(), x.dimension()));
    for (std::size_t begin = 0; begin < x.count(); begin += at_once) {
        const Points some = x.gather_range({begin, std::min<std::size_t>(begin + at_once, x.count())});
        for (Index i = 0; i < some.count(); ++i) {
            if (float* row = rows.row(begin + i)) {
                std::copy_n(some[i].begin(), x.dimension(), row);
            }
        }
    }
}

/// Spherical interpolation of the directions, linear interpolation of the lengths; the first goes to row `place`.
void build_bridge(const Bridge& bridge, std::span<const float> from, std::span<const float> to, double length_from,
                  double length_to, std::size_t place, const OwnRows& rows) {
    for (Index step = 1; step <= bridge.between; ++step) {
        float* target = rows.row(place++);
        if (target == nullptr) {
            continue;
        }
        const double t = static_cast<double>(step) / (bridge.between + 1);
        const double length = (1.0 - t) * length_from + t * length_to;
        const double of_from = length * std::sin((1.0 - t) * bridge.angle) / (std::sin(bridge.angle) * length_from);
        const double of_to = length * std::sin(t * bridge.angle) / (std::sin(bridge.angle) * length_to);
        for (std::size_t c = 0; c < from.size(); ++c) {
            target[c] = static_cast<float>(of_from * from[c] + of_to * to[c]);
        }
    }
}

void build_bridges(const DistributedPoints& x, const std::vector<Bridge>& bridges, const OwnRows& rows) {
    const std::vector<double> lengths = norms_of_all(x);
    const std::size_t at_once = std::max<Index>(1, rows_per_block(x.count(), x.dimension()));
    std::size_t next = x.count();
    for (std::size_t begin = 0; begin < bridges.size(); begin += at_once) {
        const auto some = std::span(bridges).subspan(begin, std::min(at_once, bridges.size() - begin));
        std::vector<Index> from(some.size());
        std::vector<Index> to(some.size());
        std::transform(some.begin(), some.end(), from.begin(), [](const Bridge& bridge) { return bridge.from; });
        std::transform(some.begin(), some.end(), to.begin(), [](const Bridge& bridge) { return bridge.to; });
        const Points starts = x.gather_rows(from);
        const Points ends = x.gather_rows(to);
        for (Index k = 0; k < some.size(); ++k) {
            build_bridge(some[k], std::as_const(starts)[k], std::as_const(ends)[k], lengths[from[k]], lengths[to[k]],
                         next, rows);
            next += some[k].between;
        }
    }
}

}  // namespace

std::vector<Index> isolated_points(const Similarities& s, const RunContext& context) {
    std::vector<Index> degrees = support_degrees(s.upper);
    all_gather_points(s.size(), std::as_writable_bytes(std::span(degrees)), context);
    std::vector<Index> isolated;
    for (Index i = 0; i < s.size(); ++i) {
        if (degrees[i] == 0 && s.diagonal[i] > 0.0F) {
            isolated.push_back(i);
        }
    }
    return isolated;
}

VirtualInputs add_virtual_inputs(const DistributedPoints& points, const std::vector<Index>& isolated, double threshold,
                                 const RunContext& context) {
    const DistributedPoints x = distributed(points, context);
    const std::vector<Bridge> bridges = bridges_from(x, isolated, threshold, context);
    VirtualInputs result;
    result.unreachable = static_cast<Index>(isolated.size() - bridges.size());
    for (const Bridge& bridge : bridges) {
        result.added += bridge.between;
    }
    const Range own = local_points(x.count() + result.added, context);
    result.points = Points(static_cast<Index>(own.size()), x.dimension());
    const OwnRows rows(own, result.points);
    take_inputs(x, rows);
    build_bridges(x, bridges, rows);
    return result;
}

}  // namespace isogon
