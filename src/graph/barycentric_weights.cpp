#include "graph/barycentric_weights.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "graph/difference_gram.hpp"
#include "graph/symmetric_graph.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"
#include "linalg/dense_cholesky.hpp"

namespace isogon {

namespace {

constexpr std::size_t barycentric_rows_of_task = 32;

// Rounding is at most some k 2^-52 of the trace, 2e-12 at the most neighbours: ridges from here on are more.
constexpr double least_ridge = 1e-10;
constexpr double most_ridge = 1e10;

void require_barycentric_sizes(const NeighborMixtures& mixtures) {
    const auto& [rows, points, lists, ridge, self] = mixtures;
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
    BarycentricRow(const PointsView& points, const PointProducts* products, Index neighbors, double ridge)
        : points_(points),
          ridge_(ridge),
          gram_(products != nullptr ? DifferenceGram(*products, neighbors) : DifferenceGram(points, neighbors)),
          system_(neighbors) {}

    /// C of a row whose neighbours are `columns`.
    void look_at(std::span<const float> row, std::span<const Index> columns) {
        row_ = row;
        columns_ = columns;
        gram_.fill(row, columns, system_);
    }

    /// False only if the row equals none of them, which holds for most rows.
    [[nodiscard]] bool may_equal_any() {
        for (std::size_t j = 0; j < system_.size(); ++j) {
            if (system_.column(j)[j] == 0.0) {
                return true;
            }
        }
        return false;
    }

    /// Whether the row equals neighbour j.
    [[nodiscard]] bool equals(std::size_t j) {
        return system_.column(j)[j] == 0.0 && std::equal(row_.begin(), row_.end(), points_[columns_[j]].begin());
    }

    /// The weights. Overwrites C.
    [[nodiscard]] std::span<const double> solve() {
        double trace = 0.0;
        for (std::size_t j = 0; j < system_.size(); ++j) {
            trace += system_.column(j)[j];
        }
        // A trace of 0 means that all neighbours are duplicates: any ridge above 0 then makes all weights equal.
        const double ridge = trace > 0.0 ? ridge_ * trace : ridge_;
        for (std::size_t j = 0; j < system_.size(); ++j) {
            system_.column(j)[j] += ridge;
        }
        const std::span<double> weights = system_.solve_ones(0.5 * ridge);
        const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
        std::transform(weights.begin(), weights.end(), weights.begin(), [sum](double weight) { return weight / sum; });
        return weights;
    }

private:
    PointsView points_;
    double ridge_;
    DifferenceGram gram_;
    PositiveSystem system_;
    std::span<const float> row_{};
    std::span<const Index> columns_{};
};

/// The place in the ascending `columns` of the first of `list` that the row equals; their number if there is none.
std::size_t place_of_equal(BarycentricRow& row, std::span<const Index> columns, std::span<const Index> list) {
    if (!row.may_equal_any()) {
        return columns.size();
    }
    for (const Index j : list) {
        const auto place =
            static_cast<std::size_t>(std::lower_bound(columns.begin(), columns.end(), j) - columns.begin());
        if (row.equals(place)) {
            return place;
        }
    }
    return columns.size();
}

/// The treatment of a row that equals a point in its list.
enum class EqualPoint { TakesAll, IsNeighbor };

/// Columns are sorted before the row is solved, so that the order of a list changes no bit.
void fill_rows(Range range, const NeighborMixtures& mixtures, BarycentricRow solver, EqualPoint equal_point,
               CsrMatrix<double>& weights) {
    const NeighborLists& lists = mixtures.lists;
    for (auto i = static_cast<Index>(range.begin); i < range.end; ++i) {
        const std::span<Index> columns(weights.indices.data() + weights.offsets[i], lists.size);
        const std::span<double> values(weights.values.data() + weights.offsets[i], lists.size);
        std::sort(columns.begin(), columns.end());
        solver.look_at(mixtures.rows[i], columns);
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

/// The products from which the systems of rows are assembled, where points are few: not within one set of points, where
/// there are as many points as rows. All products are computed in advance if the memory limit permits; the bits are the
/// same.
std::optional<PointProducts> products_of(const PointsView& points, Index rows, Index neighbors, std::uint64_t taken,
                                         const RunContext& context) {
    if (points.count > PointProducts::most_points) {
        return std::nullopt;
    }
    const std::uint64_t need = PointProducts::bytes(points.count, points.dimension, rows, neighbors);
    const bool fits = !context.memory_limit || taken + need <= *context.memory_limit;
    return PointProducts(points, need > 0 && fits, context);
}

CsrMatrix<double> weights_of(const NeighborMixtures& mixtures, EqualPoint equal_point, const RunContext& context) {
    const auto& [rows, points, lists, ridge, self] = mixtures;
    require_barycentric_sizes(mixtures);
    mixtures.require_valid();
    const std::uint64_t need = require_memory(
        context, {{"the weights", barycentric_weights_bytes(rows.count, points.dimension, lists.size, context)}},
        "raise the limit or take fewer neighbors");
    CsrMatrix<double> weights = zeros_at<double>(lists, points.count);
    const std::optional<PointProducts> products =
        equal_point == EqualPoint::TakesAll ? products_of(points, rows.count, lists.size, need, context) : std::nullopt;
    const std::size_t tasks = block_count(rows.count, barycentric_rows_of_task);
    parallel_groups(context, tasks, {.tasks = 64, .phase = "weights"}, [&](Range task) {
        fill_rows(block_range(task.begin, mixtures.rows.count, barycentric_rows_of_task), mixtures,
                  BarycentricRow(mixtures.points, products ? &*products : nullptr, mixtures.lists.size, mixtures.ridge),
                  equal_point, weights);
    });
    return weights;
}

}  // namespace

CsrMatrix<double> barycentric_weights(const PointsView& rows, const PointsView& points, const NeighborLists& lists,
                                      double ridge, const RunContext& context) {
    return weights_of({rows, points, lists, ridge, SelfAllowed::Yes}, EqualPoint::TakesAll, context);
}

CsrMatrix<double> barycentric_weights(const PointsView& points, const NeighborLists& lists, double ridge,
                                      const RunContext& context) {
    return weights_of({points, points, lists, ridge, SelfAllowed::No}, EqualPoint::IsNeighbor, context);
}

CsrMatrix<double> barycentric_weights_of_part(const PointsView& rows, const PointsView& points,
                                              const NeighborLists& lists, double ridge, const RunContext& context) {
    return weights_of({rows, points, lists, ridge, SelfAllowed::Yes}, EqualPoint::IsNeighbor, context);
}

std::uint64_t barycentric_weights_bytes(Index rows, Index dimension, Index neighbors, const RunContext& context) {
    const std::uint64_t matrix =
        (std::uint64_t{rows} + 1) * sizeof(Offset) + std::uint64_t{rows} * neighbors * (sizeof(Index) + sizeof(double));
    return matrix + static_cast<std::uint64_t>(context.thread_count()) *
                        (DifferenceGram::bytes(neighbors, dimension) + PositiveSystem::bytes(neighbors));
}

double mixture_error(const PointsView& x, const PointsView& landmarks, const CsrMatrix<double>& z,
                     const RunContext& context) {
    constexpr std::size_t rows_in_block = 256;
    const auto missed_by = [&](Index i, std::vector<double>& difference) {
        const auto point = x[i];
        std::copy(point.begin(), point.end(), difference.begin());
        for (std::size_t e = 0; e < z.row_indices(i).size(); ++e) {
            const auto landmark = landmarks[z.row_indices(i)[e]];
            for (Index k = 0; k < x.dimension; ++k) {
                difference[k] -= z.row_values(i)[e] * double{landmark[k]};
            }
        }
        return std::inner_product(difference.begin(), difference.end(), difference.begin(), 0.0);
    };
    const double missed = parallel_sum(context, x.count, rows_in_block, [&](Range rows) {
        throw_if_cancelled_in_task(context);
        std::vector<double> difference(x.dimension);
        double sum = 0.0;
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            sum += missed_by(static_cast<Index>(i), difference);
        }
        return sum;
    });
    return std::sqrt(missed / static_cast<double>(x.count));
}

}  // namespace isogon
