#include "neighbors/direct_search.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"
#include "neighbors/distance_kernel.hpp"
#include "neighbors/nearest_selection.hpp"

namespace isogon {

namespace {

constexpr std::size_t compared_queries_of_task = 16;
constexpr std::size_t queries_between_reports = 1024;
constexpr std::size_t cached_numbers = 1 << 15;

/// The numbers of ones in rows of zeros and ones; empty for other metrics than jaccard.
std::vector<double> ones_of(const PointsView& points, Metric metric) {
    std::vector<double> ones(metric == Metric::Jaccard ? points.count : 0);
    for (std::size_t i = 0; i < ones.size(); ++i) {
        const auto row = points[static_cast<Index>(i)];
        ones[i] = std::accumulate(row.begin(), row.end(), 0.0);
    }
    return ones;
}

/// The nearest of a block of points after the other for some queries.
class DirectSearch {
public:
    DirectSearch(const SearchedPoints& searched, Index k)
        : searched_(searched),
          k_(k),
          query_ones_(ones_of(searched.rows, searched.metric)),
          point_ones_(ones_of(searched.points, searched.metric)) {}

    void search(Range rows, NeighborLists& lists, const RunContext& context) const {
        const PointsView& points = searched_.points;
        std::vector<std::vector<Neighbor>> best(rows.size());
        const std::size_t block =
            std::max<std::size_t>(differences_at_once, cached_numbers / std::max<Index>(points.dimension, 1) /
                                                           differences_at_once * differences_at_once);
        for (std::size_t b = 0; b < block_count(points.count, block); ++b) {
            throw_if_cancelled_in_task(context);
            for (std::size_t r = 0; r < rows.size(); ++r) {
                compare(static_cast<Index>(rows.begin + r), block_range(b, points.count, block), best[r]);
            }
        }
        for (std::size_t r = 0; r < rows.size(); ++r) {
            std::sort_heap(best[r].begin(), best[r].end());
            write_list(best[r], static_cast<Index>(rows.begin + r), lists);
        }
    }

private:
    void compare(Index query, Range block, std::vector<Neighbor>& best) const {
        std::array<const float*, differences_at_once> rows{};
        std::array<double, differences_at_once> sums{};
        for (std::size_t first = block.begin; first < block.end; first += differences_at_once) {
            const std::size_t there = std::min(differences_at_once, block.end - first);
            for (std::size_t a = 0; a < differences_at_once; ++a) {  // the last ones again, to fill up
                rows[a] = searched_.points[static_cast<Index>(first + std::min(a, there - 1))].data();
            }
            absolute_differences(searched_.rows[query], rows, sums);
            for (std::size_t a = 0; a < there; ++a) {
                const auto point = static_cast<Index>(first + a);
                if (point != query || !searched_.among_themselves) {
                    keep_nearest({distance(query, point, sums[a]), point}, k_, best);
                }
            }
        }
    }

    [[nodiscard]] float distance(Index query, Index point, double sum) const {
        if (searched_.metric == Metric::Hamming) {
            return static_cast<float>(sum / searched_.points.dimension);
        }
        if (searched_.metric == Metric::Jaccard) {
            const double either = 0.5 * (query_ones_[query] + point_ones_[point] + sum);
            return either > 0.0 ? static_cast<float>(sum / either) : 0.0F;
        }
        return static_cast<float>(sum);
    }

    SearchedPoints searched_;
    Index k_;
    std::vector<double> query_ones_;
    std::vector<double> point_ones_;
};

}  // namespace

std::uint64_t direct_search_bytes(Index queries, Index points, Index k) {
    const std::uint64_t band = std::min<std::uint64_t>(queries, queries_between_reports);
    return (std::uint64_t{queries} + points) * sizeof(double) + 2 * band * k * sizeof(Neighbor) +
           neighbor_bytes(queries, k);
}

NeighborLists direct_neighbors(const SearchedPoints& searched, Index k, const RunContext& context) {
    const auto& [queries, points, metric, among_themselves] = searched;
    if (metric == Metric::Precomputed) {
        throw InvalidArgument("metric", std::string(name(metric)),
                              "is none between points: take the nearest in the table of distances");
    }
    require_rows_for(metric, points, "input");
    require_rows_for(metric, queries, queries.data == points.data ? "input" : "queries");
    require_memory(context, {{"candidates and lists", direct_search_bytes(queries.count, points.count, k)}},
                   "raise the limit, ask for fewer neighbours or search fewer points");
    const DirectSearch search(searched, k);
    NeighborLists lists = empty_lists(queries.count, k);
    parallel_groups(context, queries.count,
                    {.block = compared_queries_of_task,
                     .tasks = queries_between_reports / compared_queries_of_task,
                     .phase = "neighbors"},
                    [&](Range rows) { search.search(rows, lists, context); });
    return lists;
}

}  // namespace isogon
