#include "linalg/dense_cholesky.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/parallel.hpp"

namespace isogon {

namespace {

// Column by column, so that the inner loop runs along memory.
template <class Number>
bool factor_square(Number* tile) {
    for (std::size_t a = 0; a < panel_width; ++a) {
        Number* column = tile + a * panel_width;
        if (!(column[a] > Number{0})) {
            return false;
        }
        const Number inverse = Number{1} / std::sqrt(column[a]);
        for (std::size_t b = a; b < panel_width; ++b) {
            column[b] *= inverse;
        }
        for (std::size_t c = a + 1; c < panel_width; ++c) {
            Number* later = tile + c * panel_width;
            for (std::size_t b = c; b < panel_width; ++b) {
                later[b] -= column[c] * column[b];
            }
        }
    }
    return true;
}

template <class Number, class Tile>
void invert_square(const Number* tile, Tile& inverse) {
    inverse.fill(Number{0});
    for (std::size_t l = 0; l < panel_width; ++l) {
        Number* column = inverse.data() + l * panel_width;
        column[l] = Number{1};
        for (std::size_t a = l; a < panel_width; ++a) {
            const Number* known = tile + a * panel_width;
            column[a] /= known[a];
            for (std::size_t b = a + 1; b < panel_width; ++b) {
                column[b] -= known[b] * column[a];
            }
        }
    }
}

}  // namespace

bool factor_tile(float* tile) {
    return factor_square(tile);
}

bool factor_tile(double* tile) {
    return factor_square(tile);
}

void invert_tile(const float* tile, CholeskyTile<float>& inverse) {
    invert_square(tile, inverse);
}

void invert_tile(const double* tile, CholeskyTile<double>& inverse) {
    invert_square(tile, inverse);
}

namespace {

Index panels_of_matrix(Index size) {
    return static_cast<Index>(block_count(std::max<Index>(size, 1), panel_width));
}

/// One row of the block for each tile: the number of entries may exceed an Index.
Index tiles_in(Index panels) {
    return static_cast<Index>(std::uint64_t{panels} * (panels + 1) / 2);
}

/// remainder := the tile of A at (p, q) minus the product of the factor's row panels p and q left of column 48 q.
void subtract_products(const PanelMatrix& a, const PanelMatrix& factor, Index p, Index q,
                       CholeskyTile<float>& remainder) {
    const std::size_t column = std::size_t{q} * panel_width;
    multiply_panels({factor.row_panel(q)}, {factor.row_panel(p)}, column, remainder.data(), panel_width);
    const float* tile = a.row_panel(p) + column * panel_width;
    for (std::size_t k = 0; k < panel_tile_size; ++k) {
        remainder[k] = tile[k] - remainder[k];
    }
}

}  // namespace

PanelMatrix::PanelMatrix(Index size)
    : size_(size), panels_(panels_of_matrix(size)), values_(tiles_in(panels_), panel_tile_size) {}

std::uint64_t PanelMatrix::bytes(Index size) {
    return MultiVector<float>::bytes(tiles_in(panels_of_matrix(size)), panel_tile_size);
}

bool factor_cholesky(const PanelMatrix& a, PanelMatrix& factor) {
    alignas(64) CholeskyTile<float> remainder;  // NOLINT(*-member-init): filled before each use
    alignas(64) CholeskyTile<float> inverse;    // NOLINT(*-member-init): likewise
    for (Index q = 0; q < a.panels(); ++q) {
        const std::size_t column = std::size_t{q} * panel_tile_size;
        subtract_products(a, factor, q, q, remainder);
        if (!factor_tile(remainder.data())) {
            return false;
        }
        std::copy(remainder.begin(), remainder.end(), factor.row_panel(q) + column);
        invert_tile(remainder.data(), inverse);
        for (Index p = q + 1; p < a.panels(); ++p) {
            subtract_products(a, factor, p, q, remainder);
            // L_pq = (remainder) L_qq^-T: one more product of panels, with the inverse's rows on the left.
            multiply_panels({inverse.data()}, {remainder.data()}, panel_width, factor.row_panel(p) + column,
                            panel_width);
        }
    }
    return true;
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
/// Columns of a panel that are multiplied at a time: eight such pieces of 48 rows stay in the second cache.
constexpr std::size_t depth_at_a_time = 480;

/// One panel of right-hand sides: 48 columns, component k of column c at [k * 48 + c], as multiply_panels reads them.
using Sides = MultiVector<float>;

float* tile_of(PanelMatrix& matrix, Index p, Index q) {
    return matrix.row_panel(p) + std::size_t{q} * panel_tile_size;
}

const float* tile_of(const PanelMatrix& matrix, Index p, Index q) {
    return matrix.row_panel(p) + std::size_t{q} * panel_tile_size;
}

void subtract(const CholeskyTile<float>& product, float* from) {
    for (std::size_t k = 0; k < panel_tile_size; ++k) {
        from[k] -= product[k];
    }
}

void transpose_tile(const float* tile, CholeskyTile<float>& result) {
    for (std::size_t i = 0; i < panel_width; ++i) {
        for (std::size_t j = 0; j < panel_width; ++j) {
            result[j * panel_width + i] = tile[i * panel_width + j];
        }
    }
}

/// A_pq -= sum over the factor columns `begin` to `end`, for the tiles (p, q) with q in the block and q <= p.
void subtract_columns(PanelMatrix& matrix, Index p, Index first, Index last, std::size_t begin, std::size_t end) {
    alignas(64) CholeskyTile<float> product;  // NOLINT(*-member-init): filled before each use
    for (std::size_t column = begin; column < end; column += depth_at_a_time) {
        const std::size_t depth = std::min(depth_at_a_time, end - column);
        for (Index q = first; q < std::min(last, p + 1); ++q) {
            multiply_panels({matrix.row_panel(q) + column * panel_width}, {matrix.row_panel(p) + column * panel_width},
                            depth, product.data(), panel_width);
            subtract(product, tile_of(matrix, p, q));
        }
    }
}

/// L_pq := (A_pq - sum over the block's earlier columns) L_qq^-T for the tiles of one row of panels, the diagonal's
/// inverses known.
void finish_row(PanelMatrix& matrix, Index p, Index first, Index last) {
    alignas(64) CholeskyTile<float> remainder;  // NOLINT(*-member-init): filled before each use
    for (Index q = first; q < last; ++q) {
        const std::size_t begin = std::size_t{first} * panel_width;
        subtract_columns(matrix, p, q, q + 1, begin, std::size_t{q} * panel_width);
        float* tile = tile_of(matrix, p, q);
        std::copy_n(tile, panel_tile_size, remainder.data());
        multiply_panels({tile_of(matrix, q, q)}, {remainder.data()}, panel_width, tile, panel_width);
    }
}

/// The block's own triangle; its diagonal tiles become the inverses of their factors.
bool factor_block(PanelMatrix& matrix, Index first, Index last) {
    CholeskyTile<float> inverse;  // NOLINT(*-member-init): filled before each use
    for (Index p = first; p < last; ++p) {
        finish_row(matrix, p, first, p);
        float* diagonal = tile_of(matrix, p, p);
        subtract_columns(matrix, p, p, p + 1, std::size_t{first} * panel_width, std::size_t{p} * panel_width);
        if (!factor_tile(diagonal)) {
            return false;
        }
        invert_tile(diagonal, inverse);
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

void multiply_into(const float* left, const float* right, std::size_t depth, float* subtract_from) {
    alignas(64) CholeskyTile<float> product;  // NOLINT(*-member-init): filled
    multiply_panels({left}, {right}, depth, product.data(), panel_width);
    subtract(product, subtract_from);
}

/// x_p -= sum over the panels from `begin` to `end` of L_pq x_q.
void subtract_known(const PanelMatrix& factor, Index p, Index begin, Index end, Sides& sides) {
    if (begin < end) {
        multiply_into(tile_of(factor, p, begin), sides.row(std::size_t{begin}), std::size_t{end - begin} * panel_width,
                      sides.row(p));
    }
}

/// x_p -= sum over those panels of L_qp^T x_q.
void subtract_known_below(const PanelMatrix& factor, Index p, Index begin, Index end, Sides& sides) {
    alignas(64) CholeskyTile<float> turned;  // NOLINT(*-member-init): filled before each use
    for (Index q = begin; q < end; ++q) {
        transpose_tile(tile_of(factor, q, p), turned);
        multiply_into(turned.data(), sides.row(q), panel_width, sides.row(p));
    }
}

/// x_p := T x_p for a tile T.
void multiply_panel(const float* tile, float* panel) {
    alignas(64) CholeskyTile<float> before;  // NOLINT(*-member-init): filled
    std::copy_n(panel, panel_tile_size, before.data());
    multiply_panels({tile}, {before.data()}, panel_width, panel, panel_width);
}

void solve_forward(const PanelMatrix& factor, Sides& sides, const RunContext& context) {
    for (Index first = 0; first < factor.panels(); first += panels_in_block) {
        const Index last = std::min(first + panels_in_block, factor.panels());
        parallel_tasks(context, last - first,
                       [&](std::size_t i) { subtract_known(factor, first + static_cast<Index>(i), 0, first, sides); });
        for (Index p = first; p < last; ++p) {
            subtract_known(factor, p, first, p, sides);
            multiply_panel(tile_of(factor, p, p), sides.row(p));
        }
    }
}

void solve_backward(const PanelMatrix& factor, Sides& sides, const RunContext& context) {
    CholeskyTile<float> turned;  // NOLINT(*-member-init): filled before each use
    for (Index last = factor.panels(); last > 0;) {
        const Index first = (last - 1) / panels_in_block * panels_in_block;
        parallel_tasks(context, last - first, [&](std::size_t i) {
            subtract_known_below(factor, first + static_cast<Index>(i), last, factor.panels(), sides);
        });
        for (Index p = last; p-- > first;) {
            subtract_known_below(factor, p, p + 1, last, sides);
            transpose_tile(tile_of(factor, p, p), turned);
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
        const Index last = std::min(first + panels_in_block, factor.panels());
        const std::size_t known = std::size_t{first} * panel_width;
        parallel_tasks(context, factor.panels() - first, [&](std::size_t i) {
            subtract_columns(factor, first + static_cast<Index>(i), first, last, 0, known);
        });
        if (!factor_block(factor, first, last)) {
            return std::nullopt;
        }
        parallel_tasks(context, factor.panels() - last,
                       [&](std::size_t i) { finish_row(factor, last + static_cast<Index>(i), first, last); });
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

}  // namespace isogon
