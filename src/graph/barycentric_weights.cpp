#include "isogon/graph/barycentric_weights.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <string>
#include <vector>

#include "graph/difference_gram.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/core/parallel.hpp"

namespace isogon {

namespace {

constexpr std::size_t rows_of_task = 32;

// Cholesky's rounding is at most some k 2^-52 of the trace, 2e-12 at the most neighbours: with ridges from here on no
// pivot fails.
constexpr double least_ridge = 1e-10;
constexpr double most_ridge = 1e10;

void require_sizes(const PointsView& rows, const PointsView& points, const NeighborLists& lists, double ridge) {
    if (!(ridge >= least_ridge && ridge <= most_ridge)) {
        throw InvalidArgument("ridge", to_text(OptionValue{ridge}),
                              "must be at least " + to_text(OptionValue{least_ridge}) + " and at most " +
                                  to_text(OptionValue{most_ridge}) + "; 0.001 is usual");
    }
    if (rows.dimension != points.dimension || points.dimension == 0) {
        throw InvalidArgument("dimension", std::to_string(rows.dimension),
                              "must be " + std::to_string(points.dimension) + ", that of the points, and not 0");
    }
    if (lists.size > most_barycentric_neighbors) {
        throw InvalidArgument("neighbors", std::to_string(lists.size),
                              "must be at most " + std::to_string(most_barycentric_neighbors) +
                                  ", for each row costs a dense system of as many unknowns");
    }
}

/// One row's weights after the other, in one workspace.
class BarycentricRow {
public:
    BarycentricRow(const PointsView& points, Index neighbors, double ridge)
        : points_(points), ridge_(ridge), gram_(neighbors, points.dimension), weights_(neighbors) {}

    /// C of a row whose neighbours are `columns`.
    void look_at(std::span<const float> row, std::span<const Index> columns) { gram_.fill(row, points_, columns); }

    /// Whether the row equals neighbour j.
    [[nodiscard]] bool equals(std::size_t j) { return gram_.data()[j * gram_.stride() + j] == 0.0; }

    /// The weights, of which C does not survive.
    [[nodiscard]] std::span<const double> solve() {
        const Eigen::Index size = weights_.size();
        Matrix matrix(gram_.data(), size, size, Eigen::OuterStride<>(static_cast<Eigen::Index>(gram_.stride())));
        const double trace = matrix.trace();
        // A trace of 0 means that there are but duplicates: anything above 0 then makes all weights alike.
        matrix.diagonal().array() += trace > 0.0 ? ridge_ * trace : ridge_;
        const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(matrix);
        weights_ = factor.solve(Eigen::VectorXd::Ones(size));
        weights_ /= weights_.sum();
        return {weights_.data(), static_cast<std::size_t>(size)};
    }

private:
    using Matrix = Eigen::Map<Eigen::MatrixXd, Eigen::Unaligned, Eigen::OuterStride<>>;

    PointsView points_;
    double ridge_;
    DifferenceGram gram_;
    Eigen::VectorXd weights_;
};

/// The place in the ascending `columns` of the first of `list` that the row equals; their number if there is none.
std::size_t place_of_equal(BarycentricRow& row, std::span<const Index> columns, std::span<const Index> list) {
    for (const Index j : list) {
        const auto place =
            static_cast<std::size_t>(std::lower_bound(columns.begin(), columns.end(), j) - columns.begin());
        if (row.equals(place)) {
            return place;
        }
    }
    return columns.size();
}

/// What a point of the list that a row equals does to its weights.
enum class EqualPoint { TakesAll, IsNeighbor };

/// Columns are sorted before the row is solved, so that the order of a list changes no bit.
void fill_rows(Range range, const PointsView& rows, const PointsView& points, const NeighborLists& lists,
               EqualPoint equal_point, double ridge, WideSparseMatrix& weights) {
    BarycentricRow solver(points, lists.size, ridge);
    for (auto i = static_cast<Index>(range.begin); i < range.end; ++i) {
        const std::span<Index> columns(weights.indices.data() + weights.offsets[i], lists.size);
        const std::span<double> values(weights.values.data() + weights.offsets[i], lists.size);
        std::sort(columns.begin(), columns.end());
        solver.look_at(rows[i], columns);
        const std::size_t equal =
            equal_point == EqualPoint::TakesAll ? place_of_equal(solver, columns, lists[i]) : columns.size();
        if (equal < columns.size()) {
            values[equal] = 1.0;
        } else {
            const auto solution = solver.solve();
            std::copy(solution.begin(), solution.end(), values.begin());
        }
    }
}

WideSparseMatrix empty_weights(const NeighborLists& lists, Index rows, Index points) {
    WideSparseMatrix weights{.rows = rows, .columns = points};
    weights.offsets.resize(std::size_t{rows} + 1);
    for (std::size_t i = 0; i <= rows; ++i) {
        weights.offsets[i] = i * lists.size;
    }
    weights.indices = lists.indices;
    weights.values.resize(weights.indices.size());
    return weights;
}

WideSparseMatrix weights_of(const PointsView& rows, const PointsView& points, const NeighborLists& lists, double ridge,
                            EqualPoint equal_point, SelfAllowed self, const RunContext& context) {
    require_sizes(rows, points, lists, ridge);
    require_neighbor_lists(lists, rows.count, points.count, self, "neighbour lists");
    require_finite(rows, "input");
    require_finite(points, "points");
    require_memory(context,
                   {{"the weights", barycentric_weights_bytes(rows.count, points.dimension, lists.size, context)}},
                   "raise the limit or take fewer neighbors");
    WideSparseMatrix weights = empty_weights(lists, rows.count, points.count);
    // Tasks go in groups so that the run can be ended, and progress told, from the calling thread in between.
    constexpr std::size_t group = 64;
    const std::size_t tasks = block_count(rows.count, rows_of_task);
    for (std::size_t start = 0; start < tasks; start += group) {
        stop_if_asked(context);
        const std::size_t count = std::min(group, tasks - start);
        parallel_tasks(context, count, [&](std::size_t task) {
            fill_rows(block_range(start + task, rows.count, rows_of_task), rows, points, lists, equal_point, ridge,
                      weights);
        });
        context.report({"weights", start + count, tasks, 0.0});
    }
    return weights;
}

}  // namespace

WideSparseMatrix barycentric_weights(const PointsView& rows, const PointsView& points, const NeighborLists& lists,
                                     double ridge, const RunContext& context) {
    return weights_of(rows, points, lists, ridge, EqualPoint::TakesAll, SelfAllowed::Yes, context);
}

WideSparseMatrix barycentric_weights(const PointsView& points, const NeighborLists& lists, double ridge,
                                     const RunContext& context) {
    return weights_of(points, points, lists, ridge, EqualPoint::IsNeighbor, SelfAllowed::No, context);
}

WideSparseMatrix barycentric_weights_of_part(const PointsView& rows, const PointsView& points,
                                             const NeighborLists& lists, double ridge, const RunContext& context) {
    return weights_of(rows, points, lists, ridge, EqualPoint::IsNeighbor, SelfAllowed::Yes, context);
}

std::uint64_t barycentric_weights_bytes(Index rows, Index dimension, Index neighbors, const RunContext& context) {
    const std::uint64_t matrix =
        (std::uint64_t{rows} + 1) * sizeof(Offset) + std::uint64_t{rows} * neighbors * (sizeof(Index) + sizeof(double));
    return matrix + static_cast<std::uint64_t>(context.thread_count()) *
                        (DifferenceGram::bytes(neighbors, dimension) + std::uint64_t{neighbors} * sizeof(double));
}

}  // namespace isogon
