#include "isogon/linalg/wide_vectors.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "isogon/core/parallel.hpp"

namespace isogon {

namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Rows that one task takes: enough for Eigen's product, and so many that no more than 64 partial sums are kept.
std::size_t rows_in_block(std::size_t rows) {
    constexpr std::size_t least = 512;
    constexpr std::size_t most_blocks = 64;
    return std::max(least, block_count(rows, most_blocks));
}

Eigen::Index length(std::size_t count) {
    return static_cast<Eigen::Index>(count);
}

Eigen::Map<const RowMajor> part(const WideVectors& v, Range rows) {
    return {v.row(rows.begin), length(rows.size()), length(v.columns)};
}

Eigen::Map<RowMajor> part(WideVectors& v, Range rows) {
    return {v.row(rows.begin), length(rows.size()), length(v.columns)};
}

Eigen::Map<const Eigen::MatrixXd> whole(const DenseMatrix& matrix) {
    return {matrix.values.data(), length(matrix.rows), length(matrix.columns)};
}

}  // namespace

DenseMatrix cross_product(const WideVectors& u, const WideVectors& v, const RunContext& context) {
    const std::size_t block = rows_in_block(u.rows);
    std::vector<Eigen::MatrixXd> partial(block_count(u.rows, block));
    parallel_tasks(context, partial.size(), [&](std::size_t task) {
        const Range rows = block_range(task, u.rows, block);
        partial[task].noalias() = part(u, rows).transpose() * part(v, rows);
    });
    DenseMatrix result(u.columns, v.columns);
    Eigen::Map<Eigen::MatrixXd> sum(result.values.data(), length(u.columns), length(v.columns));
    for (const auto& matrix : partial) {
        sum += matrix;
    }
    return result;
}

WideVectors combination(const WideVectors& v, const DenseMatrix& c, const RunContext& context) {
    WideVectors result(v.rows, static_cast<Index>(c.columns));
    parallel_blocks(context, v.rows, rows_in_block(v.rows),
                    [&](Range rows) { part(result, rows).noalias() = part(v, rows) * whole(c); });
    return result;
}

void subtract_combination(const WideVectors& v, const DenseMatrix& c, WideVectors& out, const RunContext& context) {
    parallel_blocks(context, v.rows, rows_in_block(v.rows), [&](Range rows) {
        RowMajor product(length(rows.size()), length(c.columns));
        product.noalias() = part(v, rows) * whole(c);
        part(out, rows) -= product;
    });
}

WideVectors chosen_columns(const WideVectors& v, std::span<const Index> chosen) {
    WideVectors result(v.rows, static_cast<Index>(chosen.size()));
    for (std::size_t i = 0; i < v.rows; ++i) {
        for (std::size_t j = 0; j < chosen.size(); ++j) {
            result.at(i, j) = v.at(i, chosen[j]);
        }
    }
    return result;
}

WideVectors side_by_side(std::span<const WideVectors* const> blocks) {
    Index rows = 0;
    Index columns = 0;
    for (const WideVectors* block : blocks) {
        rows = block->columns == 0 ? rows : block->rows;
        columns += block->columns;
    }
    WideVectors result(rows, columns);
    for (std::size_t i = 0; i < rows; ++i) {
        double* out = result.row(i);
        for (const WideVectors* block : blocks) {
            if (block->columns > 0) {
                out = std::copy_n(block->row(i), block->columns, out);
            }
        }
    }
    return result;
}

std::vector<double> column_lengths(const WideVectors& v, const RunContext& context) {
    const std::size_t block = rows_in_block(v.rows);
    std::vector<Eigen::RowVectorXd> partial(block_count(v.rows, block));
    parallel_tasks(context, partial.size(), [&](std::size_t task) {
        partial[task] = part(v, block_range(task, v.rows, block)).colwise().squaredNorm();
    });
    std::vector<double> lengths(v.columns, 0.0);
    for (const auto& squares : partial) {
        for (std::size_t j = 0; j < lengths.size(); ++j) {
            lengths[j] += squares[length(j)];
        }
    }
    for (double& value : lengths) {
        value = std::sqrt(value);
    }
    return lengths;
}

}  // namespace isogon
