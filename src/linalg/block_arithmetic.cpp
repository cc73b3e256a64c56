#include "isogon/linalg/block_arithmetic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "isogon/core/parallel.hpp"
#include "isogon/linalg/panel_product.hpp"
#include "isogon/linalg/symmetric_eigen.hpp"

namespace isogon {

namespace {

// Large enough to amortise the start of a task: 16,000 numbers of 16 columns.
constexpr std::size_t rows_in_block = 1024;

/// The numbers of a range of rows, padding included: it is zero and stays so.
std::size_t numbers_in(const BlockVectors& block, Range rows) {
    return rows.size() * block.stride();
}

/// Sixteen sums in float32 within a row, so that the loop is a vector loop, and float64 from row to row.
double dot_of_rows(const float* a, const float* b, std::size_t stride, std::size_t rows) {
    constexpr std::size_t lanes = 16;
    double total = 0.0;
    for (std::size_t i = 0; i < rows; ++i, a += stride, b += stride) {
        float sums[lanes] = {};  // NOLINT(*-avoid-c-arrays): registers
        for (std::size_t k = 0; k < stride; k += lanes) {
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                sums[lane] += a[k + lane] * b[k + lane];
            }
        }
        for (const float sum : sums) {
            total += double{sum};
        }
    }
    return total;
}

}  // namespace

double dot(const BlockVectors& a, const BlockVectors& b, const RunContext& context) {
    return parallel_sum(context, a.rows(), rows_in_block, [&](Range rows) {
        return dot_of_rows(a.row(rows.begin), b.row(rows.begin), a.stride(), rows.size());
    });
}

void add_scaled(double factor, const BlockVectors& a, BlockVectors& b, const RunContext& context) {
    const auto f = static_cast<float>(factor);
    parallel_blocks(context, a.rows(), rows_in_block, [&](Range rows) {
        const float* from = a.row(rows.begin);
        float* to = b.row(rows.begin);
        for (std::size_t k = 0; k < numbers_in(a, rows); ++k) {
            to[k] += f * from[k];
        }
    });
}

void scale(double factor, BlockVectors& a, const RunContext& context) {
    const auto f = static_cast<float>(factor);
    parallel_blocks(context, a.rows(), rows_in_block, [&](Range rows) {
        float* values = a.row(rows.begin);
        for (std::size_t k = 0; k < numbers_in(a, rows); ++k) {
            values[k] *= f;
        }
    });
}

namespace {

std::vector<double> dots_of_rows(const BlockVectors& a, const BlockVectors& b, Range rows) {
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

std::vector<double> column_dots(const BlockVectors& a, const BlockVectors& b, const RunContext& context) {
    std::vector<std::vector<double>> parts(block_count(a.rows(), rows_in_block));
    parallel_tasks(context, parts.size(), [&](std::size_t block) {
        parts[block] = dots_of_rows(a, b, block_range(block, a.rows(), rows_in_block));
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
void update_columns(std::span<const double> factors, const BlockVectors& a, BlockVectors& b, const RunContext& context,
                    const Combine& combine) {
    const std::vector<float> values = padded(factors, a.stride());
    parallel_blocks(context, a.rows(), rows_in_block, [&](Range rows) {
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

void add_scaled_columns(std::span<const double> factors, const BlockVectors& a, BlockVectors& b,
                        const RunContext& context) {
    update_columns(factors, a, b, context, [](float factor, float from, float to) { return to + factor * from; });
}

void scale_columns_and_add(std::span<const double> factors, const BlockVectors& a, BlockVectors& b,
                           const RunContext& context) {
    update_columns(factors, a, b, context, [](float factor, float from, float to) { return from + factor * to; });
}

namespace {

constexpr std::size_t rows_at_once = 512;
using Tile = std::array<float, panel_width * panel_width>;

PanelView columns_from(const BlockVectors& a, std::size_t row, std::size_t column) {
    return {a.row(row) + column, a.stride()};
}

/// Adds the part of a tile that lies within the matrix.
void add_tile(const Tile& tile, std::size_t first_row, std::size_t first_column, DenseMatrix& sum) {
    const std::size_t rows = std::min(panel_width, sum.rows - first_row);
    const std::size_t columns = std::min(panel_width, sum.columns - first_column);
    for (std::size_t j = 0; j < columns; ++j) {
        for (std::size_t i = 0; i < rows; ++i) {
            sum(first_row + i, first_column + j) += double{tile[i * panel_width + j]};
        }
    }
}

/// One tile of A^T B over some rows: blocks are added in order by the one task that owns the tile.
void gram_tile(const BlockVectors& a, const BlockVectors& b, Range all, std::size_t i, std::size_t j,
               DenseMatrix& sum) {
    alignas(64) Tile tile;  // NOLINT(*-member-init): filled by the product
    for (std::size_t begin = all.begin; begin < all.end; begin += rows_at_once) {
        const std::size_t count = std::min(rows_at_once, all.end - begin);
        multiply_panels(columns_from(a, begin, i), columns_from(b, begin, j), count, tile.data(), panel_width);
        add_tile(tile, i, j, sum);
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
    [[nodiscard]] PanelView panel(std::size_t column) const { return columns_from(storage_, 0, column); }

private:
    BlockVectors storage_;
};

/// Rows of a block turned into a panel: component k of row i at k * 48 + i. `panel` has one row for each column of `a`.
void pack_rows(const BlockVectors& a, Range rows, BlockVectors& panel) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const float* row = a.row(rows.begin + i);
        for (std::size_t k = 0; k < a.columns(); ++k) {
            panel.row(k)[i] = row[k];
        }
    }
}

/// result[rows] += A[rows] C, or = when `result` is still zero.
void add_product(const BlockVectors& a, const SmallFactor& c, Range rows, BlockVectors& result) {
    BlockVectors panel(a.columns(), panel_width);
    pack_rows(a, rows, panel);
    alignas(64) Tile tile;  // NOLINT(*-member-init): filled by the product
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

DenseMatrix gram(const BlockVectors& a, const BlockVectors& b, const RunContext& context) {
    DenseMatrix sum(a.columns(), b.columns());
    const std::size_t row_tiles = block_count(a.columns(), panel_width);
    const std::size_t column_tiles = block_count(b.columns(), panel_width);
    // Tall blocks of few columns make few tiles: cut the rows too, and add the parts in order.
    constexpr std::size_t rows_in_part = 16 * rows_at_once;
    const std::size_t parts = block_count(a.rows(), rows_in_part);
    std::vector<DenseMatrix> sums(parts, sum);
    parallel_tasks(context, parts * row_tiles * column_tiles, [&](std::size_t task) {
        const std::size_t part = task / (row_tiles * column_tiles);
        const std::size_t tile = task % (row_tiles * column_tiles);
        gram_tile(a, b, block_range(part, a.rows(), rows_in_part), tile / column_tiles * panel_width,
                  tile % column_tiles * panel_width, sums[part]);
    });
    for (const auto& part : sums) {
        for (std::size_t k = 0; k < sum.values.size(); ++k) {
            sum.values[k] += part.values[k];
        }
    }
    return sum;
}

BlockVectors multiply(const BlockVectors& a, const DenseMatrix& c, const RunContext& context) {
    BlockVectors result(a.rows(), static_cast<Index>(c.columns));
    const SmallFactor factor(c);
    parallel_blocks(context, a.rows(), panel_width, [&](Range rows) { add_product(a, factor, rows, result); });
    return result;
}

BlockVectors multiply_add(const BlockVectors& a, const DenseMatrix& c, const BlockVectors& b, const DenseMatrix& d,
                          const RunContext& context) {
    BlockVectors result(a.rows(), static_cast<Index>(c.columns));
    const SmallFactor factor_a(c);
    const SmallFactor factor_b(d);
    parallel_blocks(context, a.rows(), panel_width, [&](Range rows) {
        add_product(a, factor_a, rows, result);
        add_product(b, factor_b, rows, result);
    });
    return result;
}

namespace {

struct Pass {
    Orthonormal result;
    double condition = 1.0;  ///< longest over shortest direction that was kept, squared
};

/// W = (W V s^-1) (s V^T) from W^T W = V s^2 V^T.
Pass orthonormalize_once(const BlockVectors& w, double smallest, const RunContext& context) {
    const SmallEigen eigen = symmetric_eigen(gram(w, w, context), SpectrumOrder::Largest);
    std::size_t kept = 0;
    const double floor = eigen.values.empty() ? 0.0 : eigen.values[0] * smallest * smallest;
    while (kept < eigen.values.size() && eigen.values[kept] > floor && eigen.values[kept] > 0.0) {
        ++kept;
    }
    DenseMatrix to_basis(w.columns(), kept);
    DenseMatrix factor(kept, w.columns());
    for (std::size_t j = 0; j < kept; ++j) {
        const double length = std::sqrt(eigen.values[j]);
        for (std::size_t i = 0; i < w.columns(); ++i) {
            to_basis(i, j) = eigen.vectors(i, j) / length;
            factor(j, i) = eigen.vectors(i, j) * length;
        }
    }
    const double condition = kept > 0 ? eigen.values[0] / eigen.values[kept - 1] : 1.0;
    return {{multiply(w, to_basis, context), std::move(factor)}, condition};
}

}  // namespace

Orthonormal orthonormalize(const BlockVectors& w, const RunContext& context, double smallest) {
    // The error after a pass is float32 rounding times the condition number before it: the last pass must begin with
    // one near 1.
    constexpr double nearly_orthonormal = 2.0;
    constexpr int most_passes = 5;
    Orthonormal result = orthonormalize_once(w, smallest, context).result;
    for (int pass = 1; pass < most_passes; ++pass) {
        Pass next = orthonormalize_once(result.basis, 1e-3, context);
        next.result.factor = product(next.result.factor, result.factor);
        result = std::move(next.result);
        if (next.condition < nearly_orthonormal) {
            break;
        }
    }
    return result;
}

void remove_components(const BlockVectors& q, BlockVectors& w, DenseMatrix& coefficients, const RunContext& context) {
    coefficients = DenseMatrix(q.columns(), w.columns());
    for (int pass = 0; pass < 2; ++pass) {
        const DenseMatrix c = gram(q, w, context);
        const BlockVectors part = multiply(q, c, context);
        for (std::size_t k = 0; k < c.values.size(); ++k) {
            coefficients.values[k] += c.values[k];
        }
        parallel_blocks(context, w.rows(), rows_in_block, [&](Range rows) {
            for (std::size_t i = rows.begin; i < rows.end; ++i) {
                for (std::size_t k = 0; k < w.columns(); ++k) {
                    w.row(i)[k] -= part.row(i)[k];
                }
            }
        });
    }
}

}  // namespace isogon
