#include "linalg/streamed_matrix.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "core/parallel.hpp"
#include "isogon/distributed/distributed_points.hpp"
#include "linalg/eigen_rows.hpp"
#include "linalg/multi_vector.hpp"

namespace isogon {

namespace {

using DoubleTile = std::array<double, panel_width * panel_width>;

/// Rows that are held at once: some 16 MB of them, whole panels.
std::size_t loaded_rows_at_once(std::size_t width) {
    constexpr std::size_t numbers = 0x1p21;
    constexpr std::size_t most = 2016;
    return std::clamp(numbers / std::max<std::size_t>(width, 1) / panel_width * panel_width, panel_width, most);
}

/// Some rows in panels of 48 columns: panel p holds columns 48 p ... of row i at 48 i. Filled up with zeros.
class ColumnPanels {
public:
    ColumnPanels(std::size_t rows, std::size_t width)
        : rows_(rows), panels_(block_count(width, panel_width)), values_(rows_ * panels_ * panel_width) {}
    [[nodiscard]] std::size_t panels() const { return panels_; }
    [[nodiscard]] double* row(std::size_t panel, std::size_t i) {
        return values_.data() + (panel * rows_ + i) * panel_width;
    }
    [[nodiscard]] PanelView<double> panel(std::size_t p, std::size_t first = 0) const {
        return {values_.data() + (p * rows_ + first) * panel_width, panel_width};
    }
    /// Packs neighbouring rows, from the `first` on, that lie one after the other.
    void pack(const double* source, std::size_t first, std::size_t count, std::size_t width) {
        for (std::size_t i = 0; i < count; ++i, source += width) {
            for (std::size_t p = 0; p < panels_; ++p) {
                const std::size_t columns = std::min(panel_width, width - p * panel_width);
                double* into = row(p, first + i);
                std::copy_n(source + p * panel_width, columns, into);
                std::fill(into + columns, into + panel_width, 0.0);
            }
        }
    }

private:
    std::size_t rows_;
    std::size_t panels_;
    AlignedArray<double> values_;
};

ColumnPanels packed(const MultiVector<double>& v) {
    ColumnPanels panels(v.rows(), v.columns());
    panels.pack(v.values().data(), 0, v.rows(), v.columns());
    return panels;
}

/// Up to 48 rows of a matrix in memory order.
struct RowGroup {
    explicit RowGroup(std::size_t width) : rows(panel_width * width) {}

    void load(const StreamedMatrix& a, Range range) {
        count = range.size();
        a.load(range, rows.data());
    }
    /// Adds rows times the factor, whose rows are in panels: 48 x 48 numbers for each of its panels.
    void add_product(const ColumnPanels& factor, std::size_t width, double* products) {
        alignas(64) DoubleTile turned;  // NOLINT(*-member-init): filled below
        for (std::size_t k = 0; k < width; k += panel_width) {
            const std::size_t depth = std::min(panel_width, width - k);
            for (std::size_t c = 0; c < depth; ++c) {
                for (std::size_t i = 0; i < panel_width; ++i) {
                    turned[c * panel_width + i] = i < count ? rows[i * width + k + c] : 0.0;
                }
            }
            for (std::size_t p = 0; p < factor.panels(); ++p) {
                add_panel_products({turned.data(), panel_width}, factor.panel(p, k), depth,
                                   products + p * panel_width * panel_width, panel_width);
            }
        }
    }

    std::size_t count = 0;
    std::vector<double> rows;
};

/// Calls body(block) for blocks of rows in order, after fetch(): as many rows as are stored at once.
void for_blocks(const StreamedMatrix& a, const RunContext& context, const std::function<void(Range block)>& body) {
    const std::size_t at_once = loaded_rows_at_once(a.width);
    for (std::size_t b = 0; b < block_count(a.count, at_once); ++b) {
        const Range block = block_range(b, a.count, at_once);
        throw_if_cancelled(context);
        if (a.fetch) {
            a.fetch(block);
        }
        body(block);
    }
}

/// Calls body(group, rows) for groups of 48 loaded rows within a block, in parallel.
void for_groups(const StreamedMatrix& a, Range block, const RunContext& context,
                const std::function<void(RowGroup& group, Range rows)>& body) {
    parallel_blocks(context, block.size(), panel_width, [&](Range within) {
        const Range rows{block.begin + within.begin, block.begin + within.end};
        RowGroup group(a.width);
        group.load(a, rows);
        body(group, rows);
    });
}

/// The same with the products of each group and the factor: 48 x 48 numbers for each of the factor's panels.
void for_products(const StreamedMatrix& a, Range block, const ColumnPanels& factor, const RunContext& context,
                  const std::function<void(const RowGroup& group, Range rows, const double* products)>& body) {
    for_groups(a, block, context, [&](RowGroup& group, Range rows) {
        AlignedArray<double> products(factor.panels() * panel_width * panel_width);
        group.add_product(factor, a.width, products.data());
        body(group, rows, products.data());
    });
}

/// Memory for one block, `width` columns wide.
ColumnPanels block_panels(const StreamedMatrix& a, std::size_t width) {
    return {std::min<std::size_t>(loaded_rows_at_once(a.width), a.count), width};
}

/// Loads and packs a block.
void pack_block(const StreamedMatrix& a, Range block, ColumnPanels& panels, const RunContext& context) {
    for_groups(a, block, context, [&](const RowGroup& group, Range rows) {
        panels.pack(group.rows.data(), rows.begin - block.begin, group.count, a.width);
    });
}

/// Where a tile of a product begins.
struct TilePlace {
    std::size_t row = 0;
    std::size_t column = 0;
};

std::vector<TilePlace> upper_tiles(std::size_t width) {
    std::vector<TilePlace> tiles;
    for (std::size_t i = 0; i < width; i += panel_width) {
        for (std::size_t j = i; j < width; j += panel_width) {
            tiles.push_back({i, j});
        }
    }
    return tiles;
}

/// One tile of X^T Y: rows in parts, so that those of two panels stay in the second-level cache.
void multiply_tile(const ColumnPanels& x, const ColumnPanels& y, std::size_t rows, TilePlace place, DoubleTile& tile) {
    constexpr std::size_t rows_in_part = 480;
    tile.fill(0.0);
    for (std::size_t begin = 0; begin < rows; begin += rows_in_part) {
        add_panel_products(x.panel(place.row / panel_width, begin), y.panel(place.column / panel_width, begin),
                           std::min(rows_in_part, rows - begin), tile.data(), panel_width);
    }
}

/// add(i, j, value) for the entries of a tile that lie within a matrix of this shape.
template <class Add>
void spread_tile(const DoubleTile& tile, TilePlace place, std::size_t rows, std::size_t columns, const Add& add) {
    const std::size_t row_end = std::min(panel_width, rows - place.row);
    const std::size_t column_end = std::min(panel_width, columns - place.column);
    for (std::size_t i = 0; i < row_end; ++i) {
        for (std::size_t j = 0; j < column_end; ++j) {
            add(place.row + i, place.column + j, tile[i * panel_width + j]);
        }
    }
}

/// sum += X^T Y for a block of packed rows.
void add_transposed_product(const ColumnPanels& x, const ColumnPanels& y, std::size_t rows, MultiVector<double>& sum,
                            const RunContext& context) {
    parallel_tasks(context, x.panels() * y.panels(), [&](std::size_t task) {
        alignas(64) DoubleTile tile;  // NOLINT(*-member-init): filled by the product
        const TilePlace place{task / y.panels() * panel_width, task % y.panels() * panel_width};
        multiply_tile(x, y, rows, place, tile);
        spread_tile(tile, place, sum.rows(), sum.columns(),
                    [&](std::size_t i, std::size_t j, double value) { sum.at(i, j) += value; });
    });
}

/// sum += X^T X, these tiles of its upper half.
void add_gram(const ColumnPanels& x, std::size_t rows, std::span<const TilePlace> tiles, DenseMatrix& sum,
              const RunContext& context) {
    parallel_tasks(context, tiles.size(), [&](std::size_t t) {
        alignas(64) DoubleTile tile;  // NOLINT(*-member-init): filled by the product
        multiply_tile(x, x, rows, tiles[t], tile);
        spread_tile(tile, tiles[t], sum.rows, sum.columns,
                    [&](std::size_t i, std::size_t j, double value) { sum(i, j) += value; });
    });
}

/// Combines the tiles of all ranks; every rank receives all.
void gather_tiles(const RankGroup& ranks, std::span<const TilePlace> tiles, DenseMatrix& matrix) {
    std::vector<DoubleTile> values(tiles.size());
    const Range own = ranks.own_part(tiles.size());
    for (std::size_t t = own.begin; t < own.end; ++t) {
        spread_tile(values[t], tiles[t], matrix.rows, matrix.columns, [&](std::size_t i, std::size_t j, double) {
            values[t][(i - tiles[t].row) * panel_width + j - tiles[t].column] = matrix(i, j);
        });
    }
    ranks.all_gather_parts(tiles.size(), sizeof(DoubleTile), std::as_writable_bytes(std::span(values)));
    for (std::size_t t = 0; t < tiles.size(); ++t) {
        spread_tile(values[t], tiles[t], matrix.rows, matrix.columns,
                    [&](std::size_t i, std::size_t j, double value) { matrix(i, j) = value; });
    }
}

void mirror_upper_triangle(DenseMatrix& matrix) {
    for (std::size_t j = 0; j < matrix.columns; ++j) {
        for (std::size_t i = 0; i < j; ++i) {
            matrix(j, i) = matrix(i, j);
        }
    }
}

}  // namespace

StreamedMatrix rows_of(const PointsView& x, std::span<const double> center) {
    const auto load = [x, center](Range rows, double* into) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            for (const float value : x[static_cast<Index>(i)]) {
                *into++ = double{value};
            }
            for (std::size_t k = 0; k < center.size(); ++k) {
                into[static_cast<std::ptrdiff_t>(k) - static_cast<std::ptrdiff_t>(center.size())] -= center[k];
            }
        }
    };
    return {.count = x.count, .width = x.dimension, .load = load};
}

StreamedMatrix rows_of(const DistributedPoints& x) {
    struct Passing {
        Points points;
        std::size_t first = 0;
    };
    const auto passing = std::make_shared<Passing>();
    return {.count = x.count(),
            .width = x.dimension(),
            .fetch =
                [x, passing](Range rows) {
                    *passing = {x.gather_range(rows), rows.begin};
                },
            .load =
                [passing](Range rows, double* into) {
                    const Range here{rows.begin - passing->first, rows.end - passing->first};
                    rows_of(passing->points.view(), {}).load(here, into);
                },
            .ranks = x.is_distributed() ? ranks_of(x) : RankGroup()};
}

StreamedMatrix rows_of(Index count, Index dimension, const RowLoader& load) {
    const auto made = [dimension, load](Range rows, double* into) {
        std::vector<float> row(dimension);
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            load(static_cast<Index>(i), row);
            into = std::copy(row.begin(), row.end(), into);
        }
    };
    return {.count = count, .width = dimension, .load = made};
}

StreamedMatrix columns_of(const PointsView& x, std::span<const double> center) {
    const auto load = [x, center](Range columns, double* into) {
        for (Index i = 0; i < x.count; ++i) {
            const auto point = x[i];
            for (std::size_t k = columns.begin; k < columns.end; ++k) {
                into[(k - columns.begin) * x.count + i] = double{point[k]} - (center.empty() ? 0.0 : center[k]);
            }
        }
    };
    return {.count = x.dimension, .width = x.count, .load = load};
}

StreamedMatrix without_directions(StreamedMatrix a, const MultiVector<double>& q) {
    a.load = [load = std::move(a.load), &q](Range rows, double* into) {
        load(rows, into);
        Eigen::Map<RowMajor> loaded(into, eigen_index(rows.size()), eigen_index(q.rows()));
        const auto directions = eigen_rows(q, {0, q.rows()});
        const RowMajor along = loaded * directions;
        loaded.noalias() -= along * directions.transpose();
    };
    return a;
}

StreamedMatrix without_product(StreamedMatrix a, const MultiVector<double>& b, const MultiVector<double>& c) {
    a.load = [load = std::move(a.load), &b, &c](Range rows, double* into) {
        load(rows, into);
        Eigen::Map<RowMajor> loaded(into, eigen_index(rows.size()), eigen_index(c.rows()));
        loaded.noalias() -= eigen_rows(b, rows) * eigen_rows(c, {0, c.rows()}).transpose();
    };
    return a;
}

DenseMatrix gram(const StreamedMatrix& a, const RunContext& context) {
    const std::vector<TilePlace> tiles = upper_tiles(a.width);
    const Range own = a.ranks.own_part(tiles.size());
    DenseMatrix sum(a.width, a.width);
    ColumnPanels panels = block_panels(a, a.width);
    for_blocks(a, context, [&](Range block) {
        pack_block(a, block, panels, context);
        add_gram(panels, block.size(), std::span(tiles).subspan(own.begin, own.size()), sum, context);
    });
    if (a.ranks.is_shared()) {
        gather_tiles(a.ranks, tiles, sum);
    }
    mirror_upper_triangle(sum);
    return sum;
}

NormalProduct normal_product(const StreamedMatrix& a, const MultiVector<double>& v, const RunContext& context) {
    const ColumnPanels factor = packed(v);
    const std::vector<TilePlace> tiles = upper_tiles(v.columns());
    NormalProduct result{MultiVector<double>(a.width, v.columns()), DenseMatrix(v.columns(), v.columns())};
    ColumnPanels panels = block_panels(a, a.width);
    ColumnPanels images = block_panels(a, v.columns());
    for_blocks(a, context, [&](Range block) {
        for_products(a, block, factor, context, [&](const RowGroup& group, Range rows, const double* products) {
            panels.pack(group.rows.data(), rows.begin - block.begin, group.count, a.width);
            for (std::size_t p = 0; p < factor.panels(); ++p) {
                std::copy_n(products + p * panel_width * panel_width, group.count * panel_width,
                            images.row(p, rows.begin - block.begin));
            }
        });
        add_transposed_product(panels, images, block.size(), result.product, context);
        add_gram(images, block.size(), tiles, result.squares, context);
    });
    mirror_upper_triangle(result.squares);
    return result;
}

MultiVector<double> transposed_product(const StreamedMatrix& a, const MultiVector<double>& u,
                                       const RunContext& context) {
    MultiVector<double> result(a.width, u.columns());
    ColumnPanels panels = block_panels(a, a.width);
    ColumnPanels factor = block_panels(a, u.columns());
    for_blocks(a, context, [&](Range block) {
        pack_block(a, block, panels, context);
        factor.pack(u.row(block.begin), 0, block.size(), u.columns());
        add_transposed_product(panels, factor, block.size(), result, context);
    });
    return result;
}

void visit_product(const StreamedMatrix& a, const MultiVector<double>& v,
                   const std::function<void(Index row, const double* y)>& take, const RunContext& context) {
    const ColumnPanels factor = packed(v);
    for_blocks(a, context, [&](Range block) {
        for_products(a, block, factor, context, [&](const RowGroup& group, Range rows, const double* products) {
            std::vector<double> y(v.columns());
            for (std::size_t i = 0; i < group.count; ++i) {
                for (std::size_t c = 0; c < y.size(); ++c) {
                    y[c] = products[(c / panel_width * panel_width + i) * panel_width + c % panel_width];
                }
                take(static_cast<Index>(rows.begin + i), y.data());
            }
        });
    });
}

std::uint64_t streamed_matrix_bytes(Index count, Index width, Index columns) {
    const std::uint64_t rows = std::min<std::uint64_t>(loaded_rows_at_once(width), count);
    const std::uint64_t panels = block_count(width, panel_width) + block_count(columns, panel_width);
    const auto threads = static_cast<std::uint64_t>(RunContext().thread_count());
    const std::uint64_t groups = std::min<std::uint64_t>(block_count(rows, panel_width), threads);
    return (rows * panels + groups * width) * panel_width * sizeof(double);
}

}  // namespace isogon
