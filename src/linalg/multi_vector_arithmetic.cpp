#include "linalg/multi_vector_arithmetic.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/parallel.hpp"
#include "linalg/eigen_rows.hpp"
#include "linalg/packed_points.hpp"
#include "linalg/row_kernel.hpp"

namespace isogon {

// float32 is multiplied by panel products and summed in float64 over blocks of rows of one size. float64 is multiplied
// by Eigen, in blocks whose size follows the number of rows. One code for both would change the order of sums of one of
// them, and so the bits of every result.

double dot(const MultiVector<float>& a, const MultiVector<float>& b, const RunContext& context) {
    return parallel_sum(context, a.rows(), dot_rows_in_block,
                        [&](Range rows) { return dot_of_rows(numbers_of(a, rows), b.row(rows.begin)); });
}

namespace {

/// Tests for memory, too: a moved-from object keeps its shape.
bool has_shape(const MultiVector<float>& a, Index rows, Index columns) {
    return a.rows() == rows && a.columns() == columns && a.values().data() != nullptr;
}

}  // namespace

void set_shape(MultiVector<float>& a, Index rows, Index columns) {
    if (!has_shape(a, rows, columns)) {
        a = MultiVector<float>();  // before the other, so that both are not there at once
        a = MultiVector<float>(rows, columns);
    }
}

void set_zero(MultiVector<float>& a, Index rows, Index columns) {
    if (has_shape(a, rows, columns)) {
        a.fill_zero();
    } else {
        set_shape(a, rows, columns);
    }
}

void assign(double factor, const MultiVector<float>& a, MultiVector<float>& b, const RunContext& context) {
    set_shape(b, a.rows(), a.columns());
    const auto f = static_cast<float>(factor);
    parallel_blocks(context, a.rows(), dot_rows_in_block, [&](Range rows) {
        std::ranges::transform(numbers_of(a, rows), b.row(rows.begin), [f](float number) { return f * number; });
    });
}

void for_each_row_block(MultiVector<float>& a, Index first, const RunContext& context,
                        const std::function<void(const RowBlock&)>& visit) {
    parallel_blocks(context, a.rows(), dot_rows_in_block, [&](Range rows) {
        RowBlock block = rows_of(a, rows);
        block.first += first;
        visit(block);
    });
}

void axpy(double factor, const MultiVector<float>& a, MultiVector<float>& b, const RunContext& context) {
    parallel_blocks(context, a.rows(), dot_rows_in_block, [&](Range rows) {
        axpy_of_rows(static_cast<float>(factor), a.row(rows.begin), numbers_of(b, rows));
    });
}

void scale(double factor, MultiVector<float>& a, const RunContext& context) {
    const auto f = static_cast<float>(factor);
    parallel_blocks(context, a.rows(), dot_rows_in_block, [&](Range rows) {
        for (float& number : numbers_of(a, rows)) {
            number *= f;
        }
    });
}

namespace {

std::vector<double> dots_of_rows(const MultiVector<float>& a, const MultiVector<float>& b, Range rows) {
    std::vector<double> sums(a.columns());
    for (std::size_t i = rows.begin; i < rows.end; ++i) {
        const float* left = a.row(i);
        const float* right = b.row(i);
        for (std::size_t k = 0; k < sums.size(); ++k) {
            sums[k] += double{left[k]} * double{right[k]};
        }
    }
    return sums;
}

/// The factors, padded with zeros to the stride.
std::vector<float> padded(std::span<const double> factors, std::size_t stride) {
    std::vector<float> values(stride);
    for (std::size_t k = 0; k < factors.size(); ++k) {
        values[k] = static_cast<float>(factors[k]);
    }
    return values;
}

}  // namespace

std::vector<double> column_dots(const MultiVector<float>& a, const MultiVector<float>& b, const RunContext& context) {
    std::vector<std::vector<double>> parts(block_count(a.rows(), dot_rows_in_block));
    parallel_tasks(context, parts.size(), [&](std::size_t block) {
        parts[block] = dots_of_rows(a, b, block_range(block, a.rows(), dot_rows_in_block));
    });
    std::vector<double> sums(a.columns());
    for (const auto& part : parts) {
        for (std::size_t k = 0; k < sums.size(); ++k) {
            sums[k] += part[k];
        }
    }
    return sums;
}

namespace {

/// b_ik = combine(factor_k, a_ik, b_ik).
template <class Combine>
void update_columns(std::span<const double> factors, const MultiVector<float>& a, MultiVector<float>& b,
                    const RunContext& context, const Combine& combine) {
    const std::vector<float> values = padded(factors, a.stride());
    parallel_blocks(context, a.rows(), dot_rows_in_block, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            const float* from = a.row(i);
            float* to = b.row(i);
            for (std::size_t k = 0; k < values.size(); ++k) {
                to[k] = combine(values[k], from[k], to[k]);
            }
        }
    });
}

}  // namespace

void axpy(std::span<const double> factors, const MultiVector<float>& a, MultiVector<float>& b,
          const RunContext& context) {
    update_columns(factors, a, b, context, [](float factor, float from, float to) { return to + factor * from; });
}

void aypx(std::span<const double> factors, const MultiVector<float>& a, MultiVector<float>& b,
          const RunContext& context) {
    update_columns(factors, a, b, context, [](float factor, float from, float to) { return from + factor * to; });
}

namespace {

constexpr std::size_t gram_rows_at_once = 512;
using FloatTile = std::array<float, panel_width * panel_width>;

PanelView<float> columns_from(const MultiVector<float>& a, std::size_t row, std::size_t column) {
    return {a.row(row) + column, a.stride()};
}

/// Adds the part of a tile that lies within the matrix.
void add_tile(const FloatTile& tile, std::size_t first_row, std::size_t first_column, DenseMatrix& sum) {
    const std::size_t rows = std::min(panel_width, sum.rows - first_row);
    const std::size_t columns = std::min(panel_width, sum.columns - first_column);
    for (std::size_t j = 0; j < columns; ++j) {
        for (std::size_t i = 0; i < rows; ++i) {
            sum(first_row + i, first_column + j) += double{tile[i * panel_width + j]};
        }
    }
}

/// A small matrix as rows of floats, each padded to whole panels.
class SmallFactor {
public:
    explicit SmallFactor(const DenseMatrix& c)
        : storage_(static_cast<Index>(c.rows), static_cast<Index>(block_count(c.columns, panel_width) * panel_width)) {
        for (std::size_t i = 0; i < c.rows; ++i) {
            for (std::size_t j = 0; j < c.columns; ++j) {
                storage_.row(i)[j] = static_cast<float>(c(i, j));
            }
        }
    }
    [[nodiscard]] PanelView<float> panel(std::size_t column) const { return columns_from(storage_, 0, column); }

private:
    MultiVector<float> storage_;
};

/// Rows of a block turned into a panel: component k of row i at k * 48 + i. `panel` has one row for each column of `a`.
void pack_rows(const MultiVector<float>& a, Range rows, MultiVector<float>& panel) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const float* row = a.row(rows.begin + i);
        for (std::size_t k = 0; k < a.columns(); ++k) {
            panel.row(k)[i] = row[k];
        }
    }
}

/// result[rows] += A[rows] C, or = when `result` is still zero.
void add_product(const MultiVector<float>& a, const SmallFactor& c, Range rows, MultiVector<float>& result) {
    MultiVector<float> panel(a.columns(), panel_width);
    pack_rows(a, rows, panel);
    alignas(64) FloatTile tile;  // NOLINT(*-member-init): filled by the product
    for (std::size_t j = 0; j < result.columns(); j += panel_width) {
        multiply_panels({panel.row(0), panel.stride()}, c.panel(j), a.columns(), tile.data(), panel_width);
        const std::size_t columns = std::min<std::size_t>(panel_width, result.columns() - j);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            float* target = result.row(rows.begin + i) + j;
            for (std::size_t k = 0; k < columns; ++k) {
                target[k] += tile[i * panel_width + k];
            }
        }
    }
}

}  // namespace

DenseMatrix gram(const MultiVector<float>& a, const MultiVector<float>& b, const RunContext& context) {
    DenseMatrix sum(a.columns(), b.columns());
    const std::size_t row_tiles = block_count(a.columns(), panel_width);
    const std::size_t column_tiles = block_count(b.columns(), panel_width);
    // Tall blocks of few columns make few tiles: cut the rows too, and add the parts in order.
    constexpr std::size_t rows_in_part = 16 * gram_rows_at_once;
    const std::size_t parts = block_count(a.rows(), rows_in_part);
    std::vector<DenseMatrix> sums(parts, sum);
    parallel_tasks(context, parts * row_tiles * column_tiles, [&](std::size_t task) {
        const std::size_t part = task / (row_tiles * column_tiles);
        const std::size_t i = task % (row_tiles * column_tiles) / column_tiles * panel_width;
        const std::size_t j = task % column_tiles * panel_width;
        const Range rows = block_range(part, a.rows(), rows_in_part);
        alignas(64) FloatTile tile;  // NOLINT(*-member-init): filled by the product
        for (std::size_t begin = rows.begin; begin < rows.end; begin += gram_rows_at_once) {
            const std::size_t count = std::min(gram_rows_at_once, rows.end - begin);
            multiply_panels(columns_from(a, begin, i), columns_from(b, begin, j), count, tile.data(), panel_width);
            add_tile(tile, i, j, sums[part]);
        }
    });
    for (const auto& part : sums) {
        for (std::size_t k = 0; k < sum.values.size(); ++k) {
            sum.values[k] += part.values[k];
        }
    }
    return sum;
}

MultiVector<float> multiply(const MultiVector<float>& a, const DenseMatrix& c, const RunContext& context) {
    MultiVector<float> result(a.rows(), static_cast<Index>(c.columns));
    const SmallFactor factor(c);
    parallel_blocks(context, a.rows(), panel_width, [&](Range rows) { add_product(a, factor, rows, result); });
    return result;
}

MultiVector<float> multiply_add(const MultiVector<float>& a, const DenseMatrix& c, const MultiVector<float>& b,
                                const DenseMatrix& d, const RunContext& context) {
    MultiVector<float> result(a.rows(), static_cast<Index>(c.columns));
    const SmallFactor factor_a(c);
    const SmallFactor factor_b(d);
    parallel_blocks(context, a.rows(), panel_width, [&](Range rows) {
        add_product(a, factor_a, rows, result);
        add_product(b, factor_b, rows, result);
    });
    return result;
}

namespace {

/// Rows that one task takes: enough for Eigen's product, and so many that no more than 64 partial sums are kept.
std::size_t rows_in_double_block(std::size_t rows) {
    constexpr std::size_t least = 512;
    constexpr std::size_t most_blocks = 64;
    return std::max(least, block_count(rows, most_blocks));
}

Eigen::Map<const Eigen::MatrixXd> whole(const DenseMatrix& matrix) {
    return {matrix.values.data(), eigen_index(matrix.rows), eigen_index(matrix.columns)};
}

}  // namespace

DenseMatrix gram(const MultiVector<double>& a, const MultiVector<double>& b, const RunContext& context) {
    const std::size_t block = rows_in_double_block(a.rows());
    std::vector<Eigen::MatrixXd> partial(block_count(a.rows(), block));
    parallel_tasks(context, partial.size(), [&](std::size_t task) {
        const Range rows = block_range(task, a.rows(), block);
        partial[task].noalias() = eigen_rows(a, rows).transpose() * eigen_rows(b, rows);
    });
    DenseMatrix result(a.columns(), b.columns());
    Eigen::Map<Eigen::MatrixXd> sum(result.values.data(), eigen_index(a.columns()), eigen_index(b.columns()));
    for (const auto& matrix : partial) {
        sum += matrix;
    }
    return result;
}

MultiVector<double> multiply(const MultiVector<double>& a, const DenseMatrix& c, const RunContext& context) {
    MultiVector<double> result(a.rows(), static_cast<Index>(c.columns));
    parallel_blocks(context, a.rows(), rows_in_double_block(a.rows()),
                    [&](Range rows) { eigen_rows(result, rows).noalias() = eigen_rows(a, rows) * whole(c); });
    return result;
}

void subtract_product(const MultiVector<double>& a, const DenseMatrix& c, MultiVector<double>& out,
                      const RunContext& context) {
    parallel_blocks(context, a.rows(), rows_in_double_block(a.rows()), [&](Range rows) {
        RowMajor product(eigen_index(rows.size()), eigen_index(c.columns));
        product.noalias() = eigen_rows(a, rows) * whole(c);
        eigen_rows(out, rows) -= product;
    });
}

std::vector<double> column_norms(const MultiVector<double>& v, const RunContext& context) {
    const std::size_t block = rows_in_double_block(v.rows());
    std::vector<Eigen::RowVectorXd> partial(block_count(v.rows(), block));
    parallel_tasks(context, partial.size(), [&](std::size_t task) {
        partial[task] = eigen_rows(v, block_range(task, v.rows(), block)).colwise().squaredNorm();
    });
    std::vector<double> lengths(v.columns(), 0.0);
    for (const auto& squares : partial) {
        for (std::size_t j = 0; j < lengths.size(); ++j) {
            lengths[j] += squares[eigen_index(j)];
        }
    }
    for (double& value : lengths) {
        value = std::sqrt(value);
    }
    return lengths;
}

MultiVector<double> to_multi_vector(const DenseMatrix& matrix) {
    MultiVector<double> result(static_cast<Index>(matrix.rows), static_cast<Index>(matrix.columns));
    for (std::size_t j = 0; j < matrix.columns; ++j) {
        for (std::size_t i = 0; i < matrix.rows; ++i) {
            result.at(i, j) = matrix(i, j);
        }
    }
    return result;
}

MultiVector<float> leading_columns(const MultiVector<float>& v, Index columns, const RunContext& context) {
    MultiVector<float> result(v.rows(), columns);
    parallel_blocks(context, v.rows(), dot_rows_in_block, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            std::copy_n(v.row(i), columns, result.row(i));
        }
    });
    return result;
}

MultiVector<double> leading_columns(const MultiVector<double>& v, Index columns) {
    std::vector<Index> chosen(columns);
    std::iota(chosen.begin(), chosen.end(), Index{0});
    return select_columns(v, chosen);
}

MultiVector<double> random_normal(Index rows, Index columns, std::uint64_t seed, RandomStream stream,
                                  std::uint64_t first) {
    MultiVector<double> result(rows, columns);
    for (Index i = 0; i < rows; ++i) {
        Random random(seed, stream, first + i);
        std::generate_n(result.row(i), columns, [&] { return random.normal(); });
    }
    return result;
}

void remove_means(MultiVector<double>& x) {
    std::vector<double> means(x.columns(), 0.0);
    for (std::size_t i = 0; i < x.rows(); ++i) {
        std::transform(means.begin(), means.end(), x.row(i), means.begin(), std::plus<>());
    }
    for (double& mean : means) {
        mean /= x.rows();
    }
    for (std::size_t i = 0; i < x.rows(); ++i) {
        std::transform(x.row(i), x.row(i) + x.columns(), means.begin(), x.row(i), std::minus<>());
    }
}

void fix_signs(MultiVector<double>& x, MultiVector<double>* along) {
    for (Index j = 0; j < x.columns(); ++j) {
        double largest = 0.0;
        for (Index i = 0; i < x.rows(); ++i) {
            largest = std::abs(x.at(i, j)) > std::abs(largest) ? x.at(i, j) : largest;
        }
        for (MultiVector<double>* block : {&x, along}) {
            for (Index i = 0; largest < 0.0 && block != nullptr && i < block->rows(); ++i) {
                block->at(i, j) = -block->at(i, j);
            }
        }
    }
}

}  // namespace isogon
