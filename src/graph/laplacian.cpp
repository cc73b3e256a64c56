#include "graph/laplacian.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "core/elementary.hpp"
#include "core/parallel.hpp"
#include "graph/symmetric_graph.hpp"

namespace isogon {

namespace {

constexpr std::size_t laplacian_rows_of_task = 1024;

/// The entries of a Laplacian from the weights and degrees.
class Scaling {
public:
    Scaling(LaplacianKind kind, std::vector<double> degrees) : kind_(kind), degrees_(std::move(degrees)) {
        if (kind_ == LaplacianKind::Symmetric) {
            roots_.resize(degrees_.size());
            std::transform(degrees_.begin(), degrees_.end(), roots_.begin(), [](double d) { return std::sqrt(d); });
        }
    }

    [[nodiscard]] double diagonal(Index i) const {
        return kind_ == LaplacianKind::Plain || degrees_[i] == 0.0 ? degrees_[i] : 1.0;
    }

    [[nodiscard]] double beside(Index i, Index j, double weight) const {
        if (weight == 0.0) {
            return 0.0;  // also where a degree is 0
        }
        return kind_ == LaplacianKind::Symmetric ? -weight / (roots_[i] * roots_[j]) : -weight;
    }

private:
    LaplacianKind kind_;
    std::vector<double> degrees_;
    std::vector<double> roots_;
};

void fill_row(const CsrMatrix<double>& weights, Index i, const Scaling& scaling, CsrMatrix<double>& result) {
    const auto columns = weights.row_indices(i);
    const auto values = weights.row_values(i);
    const auto before = static_cast<std::size_t>(std::lower_bound(columns.begin(), columns.end(), i) - columns.begin());
    Offset place = result.offsets[i];
    const auto put = [&](Index column, double value) {
        result.indices[place] = column;
        result.values[place++] = value;
    };
    for (std::size_t k = 0; k < before; ++k) {
        put(columns[k], scaling.beside(i, columns[k], values[k]));
    }
    put(i, scaling.diagonal(i));
    for (std::size_t k = before; k < columns.size(); ++k) {
        put(columns[k], scaling.beside(i, columns[k], values[k]));
    }
}

}  // namespace

std::vector<double> degrees(const CsrMatrix<double>& weights, const RunContext& context) {
    std::vector<double> sums(weights.rows);
    parallel_blocks(context, weights.rows, laplacian_rows_of_task, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            const auto values = weights.row_values(static_cast<Index>(i));
            sums[i] = std::accumulate(values.begin(), values.end(), 0.0);
        }
    });
    return sums;
}

CsrMatrix<double> laplacian(const CsrMatrix<double>& weights, LaplacianKind kind, const RunContext& context) {
    require_graph(weights, context);
    const Offset entries = weights.entries() + weights.rows;
    require_memory(context,
                   {{"the Laplacian", entries * (sizeof(Index) + sizeof(double)) +
                                          std::uint64_t{weights.rows} * (sizeof(Offset) + 2 * sizeof(double))}},
                   "raise the limit or take fewer neighbors");
    throw_if_cancelled(context);
    const Scaling scaling(kind, degrees(weights, context));
    CsrMatrix<double> result{.rows = weights.rows, .columns = weights.columns};
    result.offsets.resize(std::size_t{weights.rows} + 1);
    for (std::size_t i = 0; i <= weights.rows; ++i) {
        result.offsets[i] = weights.offsets[i] + i;
    }
    result.indices.resize(entries);
    result.values.resize(entries);
    parallel_blocks(context, weights.rows, laplacian_rows_of_task, [&](Range rows) {
        for (auto i = static_cast<Index>(rows.begin); i < rows.end; ++i) {
            fill_row(weights, i, scaling, result);
        }
    });
    return result;
}

CsrMatrix<double> gaussian_transitions(const NeighborLists& lists, Index count, double sigma) {
    CsrMatrix<double> result{.rows = lists.count(), .columns = count};
    std::vector<std::pair<Index, double>> row(lists.size);
    for (Index i = 0; i < result.rows; ++i) {
        const double nearest = lists.distances_of(i)[0] / sigma;
        double sum = 0.0;
        for (std::size_t k = 0; k < row.size(); ++k) {
            const double distance = lists.distances_of(i)[k] / sigma;
            row[k] = {lists[i][k], elementary::exp(nearest * nearest - distance * distance)};
            sum += row[k].second;
        }
        std::sort(row.begin(), row.end());
        for (const auto& [column, weight] : row) {
            result.indices.push_back(column);
            result.values.push_back(weight / sum);
        }
        result.offsets.push_back(result.indices.size());
    }
    return result;
}

}  // namespace isogon
