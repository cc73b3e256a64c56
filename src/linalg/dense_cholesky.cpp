#include "linalg/dense_cholesky.hpp"
#include "core/parallel.hpp"

#include <array>
#include <cmath>

namespace isogon {

namespace {

/// The Cholesky factor of a diagonal tile in place, column by column, so that the inner loop runs along memory. False
/// if a pivot is not positive.
template <class T>
bool factor_tile(T* tile) {
    for (std::size_t a = 0; a < panel_width; ++a) {
        T* column = tile + a * panel_width;
        if (!(column[a] > T{0})) {
            return false;
        }
        const T inverse = T{1} / std::sqrt(column[a]);
        for (std::size_t b = a; b < panel_width; ++b) {
            column[b] *= inverse;
        }
        for (std::size_t c = a + 1; c < panel_width; ++c) {
            T* later = tile + c * panel_width;
            for (std::size_t b = c; b < panel_width; ++b) {
                later[b] -= column[c] * column[b];
            }
        }
    }
    return true;
}

/// The inverse of a factored tile, by forward substitution of the unit vectors. Its upper half is zero.
template <class T>
void invert_tile(const T* tile, T* inverse) {
    std::fill_n(inverse, panel_tile_size, T{0});
    for (std::size_t l = 0; l < panel_width; ++l) {
        T* column = inverse + l * panel_width;
        column[l] = T{1};
        for (std::size_t a = l; a < panel_width; ++a) {
            const T* known = tile + a * panel_width;
            column[a] /= known[a];
            for (std::size_t b = a + 1; b < panel_width; ++b) {
                column[b] -= known[b] * column[a];
            }
        }
    }
}

/// tile -= the product of two panels.
template <class T>
void subtract_product(const T* left, const T* right, std::size_t depth, T* tile) {
    alignas(64) PanelTile<T> product;  // NOLINT(*-member-init): filled
    multiply_panels({left}, {right}, depth, product.data(), panel_width);
    for (std::size_t k = 0; k < panel_tile_size; ++k) {
        tile[k] -= product[k];
    }
}

/// A_pq -= sum over these columns of the factor's row panels p and q.
template <class T>
void subtract_columns(TrianglePanels<T>& a, Index p, Index q, Range columns) {
    subtract_product<T>(a.row_panel(q) + columns.begin * panel_width, a.row_panel(p) + columns.begin * panel_width,
                        columns.size(), a.tile(p, q));
}

/// panel := L panel for the transpose L^T = `turned`; of a tile A_pq with the inverse of L_qq this makes L_pq = A_pq
/// L_qq^-T.
template <class T>
void multiply_panel(const T* turned, T* panel) {
    alignas(64) PanelTile<T> before;  // NOLINT(*-member-init): filled
    std::copy_n(panel, panel_tile_size, before.data());
    multiply_panels({turned}, {before.data()}, panel_width, panel, panel_width);
}

/// A := L, panel of columns by panel of columns. False if a pivot is not positive.
template <class T>
bool factor_in_place(TrianglePanels<T>& a, const RunContext& context) {
    alignas(64) PanelTile<T> inverse;  // NOLINT(*-member-init): filled before each use
    for (Index q = 0; q < a.panels(); ++q) {
        throw_if_cancelled(context);
        const Range known{0, q * panel_width};
        subtract_columns(a, q, q, known);
        if (!factor_tile(a.tile(q, q))) {
            return false;
        }
        invert_tile(a.tile(q, q), inverse.data());
        parallel_tasks(context, a.panels() - q - 1, [&](std::size_t i) {
            const Index p = q + 1 + static_cast<Index>(i);
            subtract_columns(a, p, q, known);
            multiply_panel(inverse.data(), a.tile(p, q));
        });
    }
    return true;
}

}  // namespace

bool factor_cholesky(const PanelMatrix& a, PanelMatrix& factor) {
    std::copy(a.row_panel(0), a.row_panel(a.panels()), factor.row_panel(0));
    return factor_in_place(factor, {.threads = 1});
}

void solve_cholesky(const PanelMatrix& factor, std::span<float> x) {
    const auto size = std::size_t{factor.size()};
    // Forward substitution by columns.
    for (std::size_t c = 0; c < size; ++c) {
        const auto first = static_cast<Index>(c / panel_width);
        x[c] /= factor.at(static_cast<Index>(c), static_cast<Index>(c));
        for (Index p = first; p < factor.panels(); ++p) {
            const float* column = factor.row_panel(p) + c * panel_width;
            float* values = x.data() + std::size_t{p} * panel_width;
            for (std::size_t r = p == first ? c % panel_width + 1 : 0; r < panel_width; ++r) {
                values[r] -= column[r] * x[c];
            }
        }
    }
    std::fill(x.begin() + static_cast<std::ptrdiff_t>(size), x.end(), 0.0F);
    // Backward substitution.
    constexpr std::size_t lanes = 16;
    for (std::size_t c = size; c-- > 0;) {
        const auto first = static_cast<Index>(c / panel_width);
        std::array<float, lanes> sums{};
        for (Index p = first + 1; p < factor.panels(); ++p) {
            const float* column = factor.row_panel(p) + c * panel_width;
            const float* values = x.data() + std::size_t{p} * panel_width;
            for (std::size_t r = 0; r < panel_width; r += lanes) {
                for (std::size_t lane = 0; lane < lanes; ++lane) {
                    sums[lane] += column[r + lane] * values[r + lane];
                }
            }
        }
        const float* column = factor.row_panel(first) + c * panel_width;
        const float* values = x.data() + std::size_t{first} * panel_width;
        float total = 0.0F;
        for (const float sum : sums) {
            total += sum;
        }
        for (std::size_t r = c % panel_width + 1; r < panel_width; ++r) {
            total += column[r] * values[r];
        }
        x[c] = (x[c] - total) / column[c % panel_width];
    }
}

namespace {

/// Panels of a block: data of a row of panels is reused so many times.
constexpr Index panels_in_block = 8;

/// One panel of right-hand sides: 48 columns, component k of column c at [k * 48 + c], as multiply_panels reads them.
using Sides = MultiVector<float>;

/// A_pq -= sum over these columns of the factor, for the tiles (p, q) with q in `tiles` and q <= p.
void subtract_columns_of(PanelMatrix& matrix, Index p, Range tiles, Range columns) {
    // Columns that are multiplied at a time: eight such pieces of 48 rows stay in the second cache.
    constexpr std::size_t depth = 480;
    for (std::size_t begin = columns.begin; begin < columns.end; begin += depth) {
        const Range piece{begin, std::min(begin + depth, columns.end)};
        for (std::size_t q = tiles.begin; q < std::min(tiles.end, std::size_t{p} + 1); ++q) {
            subtract_columns(matrix, p, static_cast<Index>(q), piece);
        }
    }
}

/// L_pq := (A_pq - sum over the block's earlier columns) L_qq^-T for the tiles of one row of panels, the diagonal's
/// inverses known.
void finish_row(PanelMatrix& matrix, Index p, Range block) {
    for (std::size_t q = block.begin; q < block.end; ++q) {
        subtract_columns_of(matrix, p, {q, q + 1}, {block.begin * panel_width, q * panel_width});
        multiply_panel(matrix.tile(static_cast<Index>(q), static_cast<Index>(q)),
                       matrix.tile(p, static_cast<Index>(q)));
    }
}

/// The block's own triangle; its diagonal tiles become the inverses of their factors.
bool factor_block(PanelMatrix& matrix, Range block) {
    PanelTile<float> inverse;  // NOLINT(*-member-init): filled before each use
    for (auto p = static_cast<Index>(block.begin); p < block.end; ++p) {
        finish_row(matrix, p, {block.begin, p});
        float* diagonal = matrix.tile(p, p);
        subtract_columns_of(matrix, p, {p, p + std::size_t{1}}, {block.begin * panel_width, p * panel_width});
        if (!factor_tile(diagonal)) {
            return false;
        }
        invert_tile(diagonal, inverse.data());
        std::copy(inverse.begin(), inverse.end(), diagonal);
    }
    return true;
}

/// Sets padding rows to those of the identity.
void pad(PanelMatrix& matrix) {
    for (Index i = matrix.size(); i < matrix.panels() * panel_width; ++i) {
        for (Index j = 0; j < i; ++j) {
            matrix.at(i, j) = 0.0F;
        }
        matrix.at(i, i) = 1.0F;
    }
}

/// x_p -= sum over the panels from `begin` to `end` of L_pq x_q.
void subtract_known(const PanelMatrix& factor, Index p, Index begin, Index end, Sides& sides) {
    if (begin < end) {
        subtract_product<float>(factor.tile(p, begin), sides.row(begin), std::size_t{end - begin} * panel_width,
                                sides.row(p));
    }
}

/// x_p -= sum over those panels of L_qp^T x_q.
void subtract_known_below(const PanelMatrix& factor, Index p, Index begin, Index end, Sides& sides) {
    alignas(64) PanelTile<float> turned;  // NOLINT(*-member-init): filled before each use
    for (Index q = begin; q < end; ++q) {
        transpose_tile(factor.tile(q, p), turned.data());
        subtract_product<float>(turned.data(), sides.row(q), panel_width, sides.row(p));
    }
}

void solve_forward(const PanelMatrix& factor, Sides& sides, const RunContext& context) {
    for (Index first = 0; first < factor.panels(); first += panels_in_block) {
        const Index last = std::min(first + panels_in_block, factor.panels());
        parallel_tasks(context, last - first,
                       [&](std::size_t i) { subtract_known(factor, first + static_cast<Index>(i), 0, first, sides); });
        for (Index p = first; p < last; ++p) {
            subtract_known(factor, p, first, p, sides);
            multiply_panel(factor.tile(p, p), sides.row(p));
        }
    }
}

void solve_backward(const PanelMatrix& factor, Sides& sides, const RunContext& context) {
    PanelTile<float> turned;  // NOLINT(*-member-init): filled before each use
    for (Index last = factor.panels(); last > 0;) {
        const Index first = (last - 1) / panels_in_block * panels_in_block;
        parallel_tasks(context, last - first, [&](std::size_t i) {
            subtract_known_below(factor, first + static_cast<Index>(i), last, factor.panels(), sides);
        });
        for (Index p = last; p-- > first;) {
            subtract_known_below(factor, p, p + 1, last, sides);
            transpose_tile(factor.tile(p, p), turned.data());
            multiply_panel(turned.data(), sides.row(p));
        }
        last = first;
    }
}

}  // namespace

std::uint64_t DenseFactor::bytes(Index size) {
    const auto panels = static_cast<Index>(block_count(size, panel_width));
    return PanelMatrix::bytes(size) + Sides::bytes(panels, static_cast<Index>(panel_tile_size));
}

std::optional<DenseFactor> DenseFactor::make(PanelMatrix&& matrix, const RunContext& context) {
    PanelMatrix factor = std::move(matrix);
    pad(factor);
    for (Index first = 0; first < factor.panels(); first += panels_in_block) {
        throw_if_cancelled(context);
        const Range block{first, std::min(first + panels_in_block, factor.panels())};
        parallel_tasks(context, factor.panels() - first, [&](std::size_t i) {
            subtract_columns_of(factor, first + static_cast<Index>(i), block, {0, first * panel_width});
        });
        if (!factor_block(factor, block)) {
            return std::nullopt;
        }
        parallel_tasks(context, factor.panels() - block.end,
                       [&](std::size_t i) { finish_row(factor, static_cast<Index>(block.end + i), block); });
    }
    return DenseFactor(std::move(factor));
}

void DenseFactor::solve(MultiVector<double>& x, const RunContext& context) const {
    Sides sides(factor_.panels(), static_cast<Index>(panel_tile_size));
    for (Index begin = 0; begin < x.columns(); begin += panel_width) {
        const Index count = std::min<Index>(panel_width, x.columns() - begin);
        sides.fill_zero();
        for (std::size_t i = 0; i < x.rows(); ++i) {
            for (std::size_t c = 0; c < count; ++c) {
                sides.row(i / panel_width)[i % panel_width * panel_width + c] = static_cast<float>(x.at(i, begin + c));
            }
        }
        solve_forward(factor_, sides, context);
        solve_backward(factor_, sides, context);
        for (std::size_t i = 0; i < x.rows(); ++i) {
            for (std::size_t c = 0; c < count; ++c) {
                x.at(i, begin + c) = double{sides.row(i / panel_width)[i % panel_width * panel_width + c]};
            }
        }
    }
}

namespace {

using DoublePanels = TrianglePanels<double>;

/// A copy in panels; rows past the size are those of the identity.
DoublePanels to_panels(LowerTriangle a, const RunContext& context) {
    DoublePanels panels(static_cast<Index>(a.size));
    parallel_tasks(context, panels.panels(), [&](std::size_t p) {
        for (auto i = static_cast<Index>(p * panel_width); i < (p + 1) * panel_width; ++i) {
            for (Index k = 0; k <= i && i < a.size; ++k) {
                panels.at(i, k) = a.values[i * a.stride + k];
            }
            if (i >= a.size) {
                panels.at(i, i) = 1.0;
            }
        }
    });
    return panels;
}

/// The columns of L^-1 in panels of 48, from the diagonal on: entry (48 (p + r) + i, 48 p + j) at
/// column(p)[(48 r + i) * 48 + j].
class InverseColumns {
public:
    explicit InverseColumns(std::size_t count) : count_(count), values_(tiles_before(count) * panel_tile_size) {}
    [[nodiscard]] double* column(std::size_t p) {
        return values_.data() + (tiles_before(count_) - tiles_before(count_ - p)) * panel_tile_size;
    }

private:
    /// Tiles of a triangle with so many panels.
    static std::size_t tiles_before(std::size_t panel) { return panel * (panel + 1) / 2; }

    std::size_t count_;
    AlignedArray<double> values_;
};

/// Fills a column of the inverse by forward substitution; `inverses`: of the tiles of the diagonal, side by side.
/// Leaves it unfinished when the run has to end.
void fill_column(const DoublePanels& l, std::size_t p, double* inverses, InverseColumns& inverse,
                 const RunContext& context) {
    double* column = inverse.column(p);
    transpose_tile(inverses + p * panel_tile_size, column);
    alignas(64) PanelTile<double> sum;  // NOLINT(*-member-init): filled before each use
    for (std::size_t r = p + 1; r < l.panels() && !context.interruption(); ++r) {
        multiply_panels({l.tile(static_cast<Index>(r), static_cast<Index>(p))}, {column}, (r - p) * panel_width,
                        sum.data(), panel_width);
        for (double& value : sum) {
            value = -value;
        }
        multiply_panels({inverses + r * panel_tile_size}, {sum.data()}, panel_width, column + (r - p) * panel_tile_size,
                        panel_width);
    }
}

}  // namespace

bool factor_cholesky(LowerTriangle a, const RunContext& context) {
    DoublePanels panels = to_panels(a, context);
    if (!factor_in_place(panels, context)) {
        return false;
    }
    parallel_blocks(context, a.size, panel_width, [&](Range rows) {
        for (auto i = static_cast<Index>(rows.begin); i < rows.end; ++i) {
            for (Index k = 0; k <= i; ++k) {
                a.values[i * a.stride + k] = panels.at(i, k);
            }
        }
    });
    return true;
}

void invert_from_cholesky(LowerTriangle l, const RunContext& context) {
    const DoublePanels panels = to_panels(l, context);
    const std::size_t count = panels.panels();
    AlignedArray<double> inverses(count * panel_tile_size);
    parallel_tasks(context, count, [&](std::size_t p) {
        const auto panel = static_cast<Index>(p);
        invert_tile(panels.tile(panel, panel), inverses.data() + p * panel_tile_size);
    });
    InverseColumns columns(count);
    parallel_tasks(context, count, [&](std::size_t p) { fill_column(panels, p, inverses.data(), columns, context); });
    throw_if_cancelled(context);
    // (L L^T)^-1 = L^-T L^-1: a product of columns, from the lower of their two beginnings on.
    parallel_tasks(context, count, [&](std::size_t p) {
        alignas(64) PanelTile<double> tile;  // NOLINT(*-member-init): filled before each use
        const Range rows = block_range(p, l.size, panel_width);
        for (std::size_t q = 0; q <= p && !context.interruption(); ++q) {
            multiply_panels({columns.column(p)}, {columns.column(q) + (p - q) * panel_tile_size},
                            (count - p) * panel_width, tile.data(), panel_width);
            for (std::size_t i = rows.begin; i < rows.end; ++i) {
                const std::size_t last = std::min(i + 1, (q + 1) * panel_width);
                for (std::size_t j = q * panel_width; j < last; ++j) {
                    l.values[i * l.stride + j] = tile[(i - rows.begin) * panel_width + j - q * panel_width];
                }
            }
        }
    });
    throw_if_cancelled(context);
}

std::uint64_t dense_cholesky_bytes(std::uint64_t size) {
    const std::uint64_t panels = size / panel_width + 1;
    return 8 * panel_tile_size * (panels * (panels + 1) + panels);
}

}  // namespace isogon
