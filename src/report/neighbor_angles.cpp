#include "report/neighbor_angles.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "isogon/core/parallel.hpp"
#include "isogon/neighbors/neighbor_search.hpp"
#include "report/packed_array.hpp"

namespace isogon {

namespace {

constexpr std::size_t block = 256;
// Lists are compared to say which neighbours were lost: what an approximate search misses would count as lost.
constexpr double wished_recall = 0.99;

/// Points and their lengths.
struct Measured {
    PointsView points;
    std::vector<double> lengths;

    [[nodiscard]] std::uint16_t code(Index i, Index j) const {
        return angle_code(angle_between(points[i], points[j], lengths[i], lengths[j]));
    }
};

/// `own`: those among whom the lists were found.
AngleLists with_angles(std::vector<Index> index, Index k, const Measured& own, const Measured& x, const Measured& y,
                       const RunContext& context) {
    AngleLists lists{std::move(index), {}, {}};
    lists.in.resize(lists.index.size());
    lists.out.resize(lists.index.size());
    parallel_blocks(context, x.points.count, block, [&](Range rows) {
        for (std::size_t place = rows.begin * k; place < rows.end * k; ++place) {
            const auto i = static_cast<Index>(place / k);
            if (own.lengths[i] == 0.0) {
                lists.index[place] = no_point;
                lists.in[place] = lists.out[place] = no_number;
                continue;
            }
            lists.in[place] = x.code(i, lists.index[place]);
            lists.out[place] = y.code(i, lists.index[place]);
        }
    });
    stop_if_asked(context);
    return lists;
}

}  // namespace

double angle_between(std::span<const float> a, std::span<const float> b, double length_a, double length_b) {
    if (length_a == 0.0 || length_b == 0.0) {
        return 90.0;
    }
    double difference = 0.0;
    double sum = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        const double u = double{a[k]} / length_a;
        const double v = double{b[k]} / length_b;
        difference += (u - v) * (u - v);
        sum += (u + v) * (u + v);
    }
    return 2.0 * std::atan2(std::sqrt(difference), std::sqrt(sum)) * (180.0 / std::numbers::pi);
}

NeighborAngles find_neighbor_angles(const PointsView& x, const PointsView& y, Index k, std::uint64_t seed,
                                    const RunContext& context) {
    const NeighborSearchOptions options{.neighbors = k, .recall = wished_recall, .seed = seed};
    NeighborSearch near_x = search_step(x, options, context);
    NeighborSearch near_y = search_step(y, options, context);
    const Measured in{x, norms(x)};
    const Measured out{y, norms(y)};
    NeighborAngles result{.size = k};
    result.recall = std::min(near_x.summary.value("recall", 1.0), near_y.summary.value("recall", 1.0));
    result.input = with_angles(std::move(near_x.lists.indices), k, in, in, out, context);
    result.output = with_angles(std::move(near_y.lists.indices), k, out, in, out, context);
    return result;
}

}  // namespace isogon
