#include "isogon/graph/reconstruction_weights.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "graph/reconstruction_row.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/core/parallel.hpp"

namespace isogon {

namespace {

constexpr std::size_t rows_of_task = 16;

void require_sizes(const PointsView& rows, const PointsView& points, const NeighborLists& lists, double ridge) {
    if (!(ridge > 0.0 && ridge < 1e30)) {
        throw InvalidArgument("ridge", to_text(OptionValue{ridge}), "must be a number above 0");
    }
    if (rows.dimension != points.dimension) {
        throw InvalidArgument("dimension", std::to_string(rows.dimension),
                              "must be " + std::to_string(points.dimension) + ", that of the points");
    }
    if (lists.size > most_reconstruction_neighbors) {
        throw InvalidArgument("neighbors", std::to_string(lists.size),
                              "must be at most " + std::to_string(most_reconstruction_neighbors) +
                                  ", for each row costs a dense system of as many unknowns");
    }
}

CsrMatrix<float> empty_weights(const NeighborLists& lists, Index rows, Index points) {
    CsrMatrix<float> weights{.rows = rows, .columns = points};
    weights.offsets.resize(std::size_t{rows} + 1);
    for (std::size_t i = 0; i <= rows; ++i) {
        weights.offsets[i] = i * lists.size;
    }
    weights.indices = lists.indices;
    weights.values.resize(weights.indices.size());
    return weights;
}

/// Sorts the columns of every row, so that the system of a row, and with it the order of its sums, is that of its
/// columns, and fills in the weights, 16 rows a task with one workspace.
class WeightsOfRows {
public:
    WeightsOfRows(const PointsView& rows, const PointsView& points, double ridge)
        : rows_(rows), points_(points), row_lengths_(norms(rows)), lengths_(norms(points)), ridge_(ridge) {}

    void fill(Range range, Index neighbors, CsrMatrix<float>& weights) const {
        ReconstructionRow solver(neighbors, points_.dimension, ridge_);
        for (auto i = static_cast<Index>(range.begin); i < range.end; ++i) {
            const std::span<Index> columns(weights.indices.data() + weights.offsets[i], neighbors);
            std::sort(columns.begin(), columns.end());
            const auto solution = solver.solve(rows_[i], row_lengths_[i], points_, lengths_, columns);
            std::transform(solution.begin(), solution.end(), weights.values.begin() + weights.offsets[i],
                           [](double value) { return static_cast<float>(value); });
        }
    }

private:
    PointsView rows_;
    PointsView points_;
    std::vector<double> row_lengths_;
    std::vector<double> lengths_;
    double ridge_;
};

CsrMatrix<float> weights_of(const PointsView& rows, const PointsView& points, const NeighborLists& lists, double ridge,
                            SelfAllowed self, const RunContext& context) {
    require_sizes(rows, points, lists, ridge);
    require_neighbor_lists(lists, rows.count, points.count, self, "neighbour lists");
    require_finite(rows, "input");
    require_finite(points, "points");
    require_memory(context,
                   {{"the weights",
                     reconstruction_weights_bytes(rows.count, points.count, points.dimension, lists.size, context)}},
                   "raise the limit or take fewer neighbors");
    CsrMatrix<float> weights = empty_weights(lists, rows.count, points.count);
    const WeightsOfRows work(rows, points, ridge);
    // Tasks go in groups so that the run can be ended, and progress told, from the calling thread in between.
    constexpr std::size_t group = 64;
    const std::size_t tasks = block_count(rows.count, rows_of_task);
    for (std::size_t start = 0; start < tasks; start += group) {
        throw_if_cancelled(context);
        const std::size_t count = std::min(group, tasks - start);
        parallel_tasks(context, count, [&](std::size_t task) {
            work.fill(block_range(start + task, rows.count, rows_of_task), lists.size, weights);
        });
        context.report({"weights", start + count, tasks, 0.0});
    }
    return weights;
}

}  // namespace

CsrMatrix<float> reconstruction_weights(const PointsView& rows, const PointsView& points, const NeighborLists& lists,
                                        double ridge, const RunContext& context) {
    return weights_of(rows, points, lists, ridge, SelfAllowed::Yes, context);
}

CsrMatrix<float> reconstruction_weights(const PointsView& points, const NeighborLists& lists, double ridge,
                                        const RunContext& context) {
    return weights_of(points, points, lists, ridge, SelfAllowed::No, context);
}

std::uint64_t reconstruction_weights_bytes(Index rows, Index points, Index dimension, Index neighbors,
                                           const RunContext& context) {
    const std::uint64_t matrix =
        (std::uint64_t{rows} + 1) * sizeof(Offset) + std::uint64_t{rows} * neighbors * (sizeof(Index) + sizeof(float));
    return matrix + (std::uint64_t{rows} + points) * sizeof(double) +
           static_cast<std::uint64_t>(context.thread_count()) * ReconstructionRow::bytes(neighbors, dimension);
}

}  // namespace isogon
