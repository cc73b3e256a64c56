#include "semidefinite/unfolding.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"
#include "neighbors/given_neighbors.hpp"

namespace isogon {

namespace {

constexpr std::size_t rows_of_task = 256;

/// Lists of points, one for each point.
struct PointLists {
    std::vector<Offset> offsets{};
    std::vector<Index> indices{};

    [[nodiscard]] std::span<const Index> operator[](Index i) const {
        return {indices.data() + offsets[i], static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
    }
};

/// `visit_all(take)` calls take(i, j) for every j of every list i, twice in the same order.
template <class VisitAll>
PointLists collected(Index points, const VisitAll& visit_all) {
    PointLists result{.offsets = std::vector<Offset>(std::size_t{points} + 1)};
    visit_all([&](Index i, Index /*j*/) { ++result.offsets[std::size_t{i} + 1]; });
    std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
    result.indices.resize(result.offsets.back());
    std::vector<Offset> places(result.offsets.begin(), result.offsets.end() - 1);
    visit_all([&](Index i, Index j) { result.indices[places[i]++] = j; });
    return result;
}

/// The points that list each point, ascending.
PointLists listed_by(const NeighborLists& lists) {
    return collected(lists.count(), [&](const auto& take) {
        for (Index i = 0; i < lists.count(); ++i) {
            for (const Index j : lists[i]) {
                take(j, i);
            }
        }
    });
}

/// The points j > i of pairs (i, j), by any order and with repetitions.
void gather_pairs_of(const NeighborLists& lists, const PointLists& listed, KeptPairs kept, Index i,
                     std::vector<Index>& others) {
    const auto take = [&](std::span<const Index> points) {
        std::copy_if(points.begin(), points.end(), std::back_inserter(others), [i](Index j) { return j > i; });
    };
    take(lists[i]);
    take(listed[i]);
    if (kept == KeptPairs::SharedNeighbors) {
        for (const Index middle : listed[i]) {
            take(lists[middle]);
        }
    }
}

/// Some rows' pairs: how many each has, and their other ends.
struct Part {
    std::vector<Index> counts{};
    std::vector<Index> others{};
};

Part pairs_of_rows(const NeighborLists& lists, const PointLists& listed, KeptPairs kept, Range rows) {
    Part part;
    std::vector<Index> others;
    for (auto i = static_cast<Index>(rows.begin); i < rows.end; ++i) {
        others.clear();
        gather_pairs_of(lists, listed, kept, i, others);
        std::sort(others.begin(), others.end());
        const auto end = std::unique(others.begin(), others.end());
        part.counts.push_back(static_cast<Index>(end - others.begin()));
        part.others.insert(part.others.end(), others.begin(), end);
    }
    return part;
}

/// The sum in float64, by eight parts that the compiler keeps in a register.
double squared_distance(std::span<const float> x, std::span<const float> y) {
    constexpr std::size_t lanes = 8;
    std::array<double, lanes> sums{};
    std::size_t c = 0;
    for (; c + lanes <= x.size(); c += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const double difference = double{x[c + lane]} - double{y[c + lane]};
            sums[lane] += difference * difference;
        }
    }
    for (; c < x.size(); ++c) {
        const double difference = double{x[c]} - double{y[c]};
        sums[0] += difference * difference;
    }
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

void require_input(const PointsView& points, const NeighborLists& lists, KeptPairs kept, const RunContext& context) {
    if (lists.count() != points.count) {
        throw InvalidArgument("neighbour lists", std::to_string(lists.count()) + " rows",
                              "must be " + std::to_string(points.count) + ", one for each point");
    }
    require_lists_of_points(lists, "neighbour lists");
    require_finite(points, "input");
    const std::uint64_t entries = lists.indices.size();
    const std::uint64_t most = kept == KeptPairs::Neighbors ? entries : entries * (std::uint64_t{lists.size} + 1) / 2;
    require_memory(context,
                   {{"the pairs", DistanceConstraints::bytes(most)},
                    {"the pairs by rows", most * sizeof(Index)},
                    {"the lists turned round", entries * sizeof(Index) + (points.count + 1) * 2 * sizeof(Offset)}},
                   "raise the limit or take fewer neighbors");
}

}  // namespace

DistanceConstraints distance_constraints(const PointsView& points, const NeighborLists& lists, KeptPairs kept,
                                         const RunContext& context) {
    require_input(points, lists, kept, context);
    const PointLists listed = listed_by(lists);
    std::vector<Part> parts(block_count(points.count, rows_of_task));
    parallel_tasks(context, parts.size(), [&](std::size_t task) {
        throw_if_cancelled_in_task(context);
        parts[task] = pairs_of_rows(lists, listed, kept, block_range(task, points.count, rows_of_task));
    });
    std::size_t count = 0;
    for (const Part& part : parts) {
        count += part.others.size();
    }
    DistanceConstraints result;
    result.pairs.reserve(count);
    for (std::size_t task = 0, i = 0; task < parts.size(); ++task) {
        for (std::size_t row = 0, place = 0; row < parts[task].counts.size(); ++row, ++i) {
            for (const std::size_t end = place + parts[task].counts[row]; place < end; ++place) {
                result.pairs.emplace_back(static_cast<Index>(i), parts[task].others[place]);
            }
        }
        parts[task] = {};
    }
    result.squared.resize(count);
    parallel_blocks(context, count, rows_of_task, [&](Range range) {
        throw_if_cancelled_in_task(context);
        for (std::size_t a = range.begin; a < range.end; ++a) {
            result.squared[a] = squared_distance(points[result.pairs[a].first], points[result.pairs[a].second]);
        }
    });
    return result;
}

namespace {

/// The neighbours of each point in the constraints, in both directions.
PointLists adjacency_of(Index points, const DistanceConstraints& constraints) {
    return collected(points, [&](const auto& take) {
        for (const auto& [i, j] : constraints.pairs) {
            take(i, j);
            take(j, i);
        }
    });
}

struct Farthest {
    Index point;
    Index steps;
};

/// Breadth first; of those that are farthest, the first reached.
Farthest farthest_from(Index start, const PointLists& adjacency) {
    std::vector<Index> steps(adjacency.offsets.size() - 1, 0);
    std::vector<bool> seen(steps.size(), false);
    std::vector<Index> queue{start};
    seen[start] = true;
    Farthest farthest{start, 0};
    for (std::size_t k = 0; k < queue.size(); ++k) {
        const Index i = queue[k];
        if (steps[i] > farthest.steps) {
            farthest = {i, steps[i]};
        }
        for (const Index j : adjacency[i]) {
            if (!seen[j]) {
                seen[j] = true;
                steps[j] = steps[i] + 1;
                queue.push_back(j);
            }
        }
    }
    return farthest;
}

}  // namespace

double slack_penalty(Index points, const DistanceConstraints& constraints) {
    const PointLists adjacency = adjacency_of(points, constraints);
    const Farthest end = farthest_from(farthest_from(0, adjacency).point, adjacency);
    return std::max(1.0, static_cast<double>(end.steps) * end.steps / 4.0);
}

DistanceChanges distance_changes(const MultiVector<double>& outputs, const DistanceConstraints& constraints) {
    DistanceChanges changes;
    const auto count = static_cast<double>(constraints.size());
    const double mean = std::accumulate(constraints.squared.begin(), constraints.squared.end(), 0.0) / count;
    for (std::size_t a = 0; a < constraints.size(); ++a) {
        const auto [i, j] = constraints.pairs[a];
        const double kept = constraints.squared[a];
        const double missed = squared_distance(outputs.row(i), outputs.row(j), outputs.columns()) - kept;
        const double unit = kept > 0.0 ? kept : mean;
        const double change = unit > 0.0 ? missed / unit : missed;
        changes.most_stretched = std::max(changes.most_stretched, change);
        changes.most_shrunk = std::max(changes.most_shrunk, -change);
        changes.mean += std::abs(change) / count;
    }
    return changes;
}

}  // namespace isogon
