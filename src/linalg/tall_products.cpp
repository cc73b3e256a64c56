#include "isogon/linalg/tall_products.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "isogon/core/parallel.hpp"
#include "isogon/linalg/panel_product.hpp"

namespace isogon {

namespace {

constexpr std::size_t rows_in_block = 512;
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
    for (std::size_t begin = all.begin; begin < all.end; begin += rows_in_block) {
        const std::size_t count = std::min(rows_in_block, all.end - begin);
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
    constexpr std::size_t rows_in_part = 16 * rows_in_block;
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

}  // namespace isogon
