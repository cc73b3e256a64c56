#include "isogon/neighbors/kept_neighbors.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "isogon/core/random.hpp"
#include "isogon/neighbors/exact_neighbors.hpp"
#include "isogon/pairs/row_sample.hpp"

namespace isogon {

namespace {

/// The neighbours of the rows among all outputs, without the row itself.
NeighborLists neighbors_of_rows(const PointsView& outputs, std::span<const Index> rows, Index k, Metric metric,
                                const RunContext& context) {
    Points queries(static_cast<Index>(rows.size()), outputs.dimension);
    for (Index r = 0; r < queries.count(); ++r) {
        std::copy(outputs[rows[r]].begin(), outputs[rows[r]].end(), queries[r].begin());
    }
    const NeighborLists with_self = exact_neighbors(queries.view(), outputs, k + 1, metric, context);
    NeighborLists lists{.size = k};
    for (Index r = 0; r < queries.count(); ++r) {
        const auto found = with_self[r];
        const auto self = std::find(found.begin(), found.end() - 1, rows[r]);  // or the last: one too many
        lists.indices.insert(lists.indices.end(), found.begin(), self);
        lists.indices.insert(lists.indices.end(), self + 1, found.end());
    }
    return lists;
}

/// Zero vectors have no direction, so no neighbours by angle that could be kept.
std::vector<Index> with_neighbors(const PointsView& outputs, std::vector<Index> rows, Metric metric) {
    if (metric == Metric::Cosine) {
        std::erase_if(rows, [&](Index row) {
            return std::all_of(outputs[row].begin(), outputs[row].end(), [](float value) { return value == 0.0F; });
        });
    }
    return rows;
}

/// The lists of these rows, one after the other.
std::vector<Index> of_rows(const NeighborLists& lists, std::span<const Index> rows) {
    std::vector<Index> some;
    some.reserve(rows.size() * lists.size);
    for (const Index row : rows) {
        some.insert(some.end(), lists[row].begin(), lists[row].end());
    }
    return some;
}

}  // namespace

std::vector<KeptNeighbors::OfPoint> KeptNeighbors::worst(std::size_t most) const {
    std::vector<std::size_t> places(rows.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    const auto end = places.begin() + static_cast<std::ptrdiff_t>(std::min(most, places.size()));
    std::partial_sort(places.begin(), end, places.end(), [&](std::size_t a, std::size_t b) {
        return shares[a] != shares[b] ? shares[a] < shares[b] : a < b;
    });
    std::vector<OfPoint> points;
    for (auto place = places.begin(); place != end && shares[*place] < 1.0F; ++place) {
        points.push_back({rows[*place], double{shares[*place]}});
    }
    return points;
}

Index count_shared(std::span<const Index> first, std::span<const Index> second) {
    std::vector<Index> a(first.begin(), first.end());
    std::vector<Index> b(second.begin(), second.end());
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    std::vector<Index> shared;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(shared));
    return static_cast<Index>(shared.size());
}

KeptNeighbors compare_neighbors(std::vector<Index> rows, Index k, std::span<const Index> before,
                                std::span<const Index> after) {
    KeptNeighbors kept{.rows = std::move(rows)};
    if (kept.rows.empty()) {
        return kept;
    }
    const auto count = static_cast<double>(kept.rows.size());
    std::size_t common_of_all = 0;
    std::size_t all = 0;
    std::size_t in_order = 0;
    kept.shares.reserve(kept.rows.size());
    for (std::size_t r = 0; r < kept.rows.size(); ++r) {
        const auto was = before.subspan(r * k, k);
        const auto is = after.subspan(r * k, k);
        const Index common = count_shared(was, is);
        common_of_all += common;
        all += common == k ? 1 : 0;
        in_order += std::equal(was.begin(), was.end(), is.begin()) ? 1 : 0;
        kept.shares.push_back(static_cast<float>(common) / static_cast<float>(k));
    }
    kept.neighbors = static_cast<double>(common_of_all) / (count * k);
    kept.all = static_cast<double>(all) / count;
    kept.in_order = static_cast<double>(in_order) / count;
    return kept;
}

KeptNeighbors kept_neighbors(const NeighborLists& lists, const PointsView& outputs, Metric metric,
                             const RunContext& context) {
    if (outputs.count > KeptNeighbors::most_rows) {
        const std::vector<Index> rows = with_neighbors(
            outputs, sample_rows(outputs.count, KeptNeighbors::most_rows, 0, RandomStream::NeighborSample), metric);
        const NeighborLists found = neighbors_of_rows(outputs, rows, lists.size, metric, context);
        return compare_neighbors(rows, lists.size, of_rows(lists, rows), found.indices);
    }
    std::vector<Index> all(outputs.count);
    std::iota(all.begin(), all.end(), Index{0});
    const std::vector<Index> rows = with_neighbors(outputs, std::move(all), metric);
    const NeighborLists found = exact_neighbors(outputs, lists.size, metric, context);
    return compare_neighbors(rows, lists.size, of_rows(lists, rows), of_rows(found, rows));
}

}  // namespace isogon
