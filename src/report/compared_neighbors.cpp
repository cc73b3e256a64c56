#include "report/measures.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "core/trigonometry.hpp"
#include "isogon/neighbors/neighbor_search.hpp"
#include "neighbors/tied_neighbors.hpp"

namespace isogon {

namespace {

constexpr std::size_t block = 256;
// Lists are compared to find lost neighbours: a neighbour that an approximate search misses would count as lost.
constexpr double requested_recall = 0.99;

/// Values of both lists for one side, before they are stored.
using Values = std::vector<double>;

/// By angle zero vectors have no neighbours. `own`: the points among which the lists were found.
void drop_neighbors_of_zeros(std::vector<Index>& index, Index k, const MeasuredSide& own) {
    for (Index i = 0; i < own.points.count; ++i) {
        if (!own.by_distance && !(own.lengths[i] > 0.0)) {
            std::fill_n(index.begin() + std::size_t{i} * k, k, no_point);
        }
    }
}

/// Distances or angles of the listed points on one side; negative where none is listed.
Values measured(const std::vector<Index>& index, Index k, const MeasuredSide& side, const RunContext& context) {
    Values values(index.size());
    parallel_blocks(context, side.points.count, block, [&](Range rows) {
        for (std::size_t place = rows.begin * k; place < rows.end * k; ++place) {
            const Index j = index[place];
            values[place] = j == no_point ? -1.0 : side.between(static_cast<Index>(place / k), j);
        }
    });
    throw_if_cancelled(context);
    return values;
}

/// Angles in hundredths of a degree, distances over the largest of them.
Scaling scaling_of(const Values& one, const Values& other, bool by_distance) {
    if (!by_distance) {
        return angle_scaling;
    }
    const double largest =
        std::max(*std::max_element(one.begin(), one.end()), *std::max_element(other.begin(), other.end()));
    return {.scale = largest > 0.0 ? largest / (no_number - 1) : 1.0, .offset = 0.0};
}

std::vector<std::uint16_t> stored(const Values& values, const Scaling& scaling) {
    std::vector<std::uint16_t> codes(values.size());
    std::transform(values.begin(), values.end(), codes.begin(), [&](double value) {
        return value < 0.0 ? no_number : static_cast<std::uint16_t>(std::lround(value / scaling.scale));
    });
    return codes;
}

/// Both lists measured on one side.
void store(const MeasuredSide& side, ComparedNeighbors& result, std::vector<std::uint16_t> ComparedLists::*member,
           Scaling& scaling, const RunContext& context) {
    const Values input = measured(result.input.index, result.size, side, context);
    const Values output = measured(result.output.index, result.size, side, context);
    scaling = scaling_of(input, output, side.by_distance);
    result.input.*member = stored(input, scaling);
    result.output.*member = stored(output, scaling);
}

}  // namespace

double MeasuredSide::between(Index i, Index j) const {
    return by_distance ? distance_between(points[i], points[j])
                       : angle_between(points[i], points[j], lengths[i], lengths[j]);
}

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
    // The half angle has the tangent |u - v| / |u + v|; of its sine and its cosine, the smaller one tells it exactly.
    const double half = difference < sum ? elementary::asin(std::sqrt(difference / (difference + sum)))
                                         : elementary::acos(std::sqrt(sum / (difference + sum)));
    return 2.0 * half * (180.0 / std::numbers::pi);
}

double distance_between(std::span<const float> a, std::span<const float> b) {
    return std::sqrt(squared_distance(a.data(), b.data(), a.size()));
}

namespace {

/// All points in an order drawn at random.
std::vector<Index> any_order(Index count, std::uint64_t seed) {
    std::vector<Index> order(count);
    std::iota(order.begin(), order.end(), Index{0});
    // Which points and pairs are sampled is drawn at smaller indices.
    Random random(seed, RandomStream::AngleDensity, std::uint64_t{1} << 33);
    for (Index end = count; end > 1; --end) {
        std::swap(order[end - 1], order[random.below(end)]);
    }
    return order;
}

/// A search lists those of the smallest numbers of points that tie. In an order drawn at random each is as likely.
NeighborSearch search_in_any_order(const PointsView& points, const NeighborSearchOptions& options,
                                   const RunContext& context) {
    const std::vector<Index> order = any_order(points.count, options.seed);
    Points drawn(points.count, points.dimension);
    for (Index place = 0; place < points.count; ++place) {
        std::ranges::copy(points[order[place]], drawn[place].begin());
    }
    NeighborSearch found = search_step(drawn.view(), options, beside(context, drawn.values().size_bytes()));
    const NeighborLists lists = found.lists;
    for (Index place = 0; place < lists.count(); ++place) {
        const std::size_t row = std::size_t{order[place]} * lists.size;
        for (Index m = 0; m < lists.size; ++m) {
            found.lists.indices[row + m] = order[lists[place][m]];
            found.lists.distances[row + m] = lists.distances_of(place)[m];
        }
    }
    return found;
}

}  // namespace

ComparedNeighbors compare_neighbors(const ComparedSides& sides, Index k, std::uint64_t seed,
                                    const RunContext& context) {
    const auto& [x, y, metrics] = sides;
    const auto how = [&](Nearness nearness) {
        const Metric metric = nearness == Nearness::Euclidean ? Metric::Euclidean : Metric::Cosine;
        return NeighborSearchOptions{.neighbors = k, .metric = metric, .recall = requested_recall, .seed = seed};
    };
    NeighborSearch near_x = search_step(x, how(metrics.input), context);
    NeighborSearch near_y = search_in_any_order(y, how(metrics.output), context);
    choose_ties(near_x.lists, {x, x, how(metrics.input).metric}, near_y.lists, context);
    const MeasuredSide in(x, metrics.input);
    const MeasuredSide out(y, metrics.output);
    ComparedNeighbors result{.size = k, .metrics = metrics};
    result.recall = std::min(near_x.summary.value("recall", 1.0), near_y.summary.value("recall", 1.0));
    result.input.index = std::move(near_x.lists.indices);
    result.output.index = std::move(near_y.lists.indices);
    drop_neighbors_of_zeros(result.input.index, k, in);
    drop_neighbors_of_zeros(result.output.index, k, out);
    store(in, result, &ComparedLists::in, result.in_scaling, context);
    store(out, result, &ComparedLists::out, result.out_scaling, context);
    return result;
}

}  // namespace isogon
