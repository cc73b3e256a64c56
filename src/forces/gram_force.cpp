#include "forces/gram_force.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "isogon/core/parallel.hpp"

namespace isogon {

namespace {

constexpr std::size_t least_rows = 128;
constexpr std::size_t most_blocks = 64;  // each holds D d sums of its own
constexpr std::size_t lanes = 8;         // partial sums of a product, so that the compiler's vectors serve

double dot(const double* u, const double* v, std::size_t count) {
    std::array<double, lanes> sums{};
    std::size_t k = 0;
    for (; k + lanes <= count; k += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            sums[lane] += u[k + lane] * v[k + lane];
        }
    }
    double total = 0.0;
    for (; k < count; ++k) {
        total += u[k] * v[k];
    }
    for (const double sum : sums) {
        total += sum;
    }
    return total;
}

void centred_row(std::span<const float> x, std::span<const double> center, std::vector<double>& row) {
    for (std::size_t k = 0; k < row.size(); ++k) {
        row[k] = double{x[k]} - center[k];
    }
}

/// sum += row^T y, a column of D numbers for each of y's.
void add_outer_product(const std::vector<double>& row, const double* y, DenseMatrix& sum) {
    for (std::size_t c = 0; c < sum.columns; ++c) {
        double* column = sum.values.data() + c * sum.rows;
        for (std::size_t k = 0; k < row.size(); ++k) {
            column[k] += row[k] * y[c];
        }
    }
}

/// y moves by rate times its force; returns the force's square.
double move_row(const std::vector<double>& row, const DenseMatrix& across, const DenseMatrix& gram, double rate,
                double* y, std::vector<double>& force) {
    double squares = 0.0;
    for (std::size_t c = 0; c < force.size(); ++c) {
        const double pull = dot(row.data(), across.values.data() + c * across.rows, row.size());
        const double push = dot(y, gram.values.data() + c * gram.rows, gram.rows);
        force[c] = pull - push;
        squares += force[c] * force[c];
    }
    for (std::size_t c = 0; c < force.size(); ++c) {
        y[c] += rate * force[c];
    }
    return squares;
}

/// Sums of blocks, added in their order.
DenseMatrix total(const std::vector<DenseMatrix>& parts, std::size_t rows, std::size_t columns) {
    DenseMatrix sum(rows, columns);
    for (const DenseMatrix& part : parts) {
        for (std::size_t k = 0; k < sum.values.size(); ++k) {
            sum.values[k] += part.values[k];
        }
    }
    return sum;
}

/// visit(i, centred row i, the block's sum) for all points.
template <class Visit>
DenseMatrix sum_over_rows(const PointsView& points, std::span<const double> center, std::size_t columns,
                          const RunContext& context, const Visit& visit) {
    const std::size_t block = rows_of_gram_block(points.count);
    std::vector<DenseMatrix> parts(block_count(points.count, block));
    parallel_tasks(context, parts.size(), [&](std::size_t task) {
        const Range rows = block_range(task, points.count, block);
        parts[task] = DenseMatrix(points.dimension, columns);
        std::vector<double> row(points.dimension);
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            centred_row(points[static_cast<Index>(i)], center, row);
            visit(i, row, task, parts[task]);
        }
    });
    return total(parts, points.dimension, columns);
}

}  // namespace

std::size_t rows_of_gram_block(Index points) {
    return std::max(least_rows, block_count(points, most_blocks));
}

std::vector<double> mean_of(const PointsView& points, const RunContext& context) {
    const std::vector<double> origin(points.dimension);
    const double one = 1.0;
    DenseMatrix sum = sum_over_rows(points, origin, 1, context,
                                    [&](std::size_t, const std::vector<double>& row, std::size_t, DenseMatrix& part) {
                                        add_outer_product(row, &one, part);
                                    });
    for (double& value : sum.values) {
        value /= static_cast<double>(points.count);
    }
    return sum.values;
}

DenseMatrix product_with_points(const PointsView& points, std::span<const double> center, const WideVectors& y,
                                const RunContext& context) {
    return sum_over_rows(points, center, y.columns, context,
                         [&](std::size_t i, const std::vector<double>& row, std::size_t, DenseMatrix& part) {
                             add_outer_product(row, y.row(i), part);
                         });
}

GramStep move_by_gram(const PointsView& points, std::span<const double> center, const DenseMatrix& across,
                      const DenseMatrix& gram, double rate, WideVectors& y, const RunContext& context) {
    const std::size_t blocks = block_count(points.count, rows_of_gram_block(points.count));
    std::vector<double> squares(blocks);
    std::vector<std::vector<double>> forces(blocks, std::vector<double>(y.columns));
    GramStep result;
    result.across =
        sum_over_rows(points, center, y.columns, context,
                      [&](std::size_t i, const std::vector<double>& row, std::size_t task, DenseMatrix& part) {
                          squares[task] += move_row(row, across, gram, rate, y.row(i), forces[task]);
                          add_outer_product(row, y.row(i), part);
                      });
    for (const double part : squares) {
        result.squared_force += part;
    }
    return result;
}

}  // namespace isogon
