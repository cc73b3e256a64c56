#include "isogon/linalg/panel_cholesky.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "isogon/core/parallel.hpp"
#include "linalg/cholesky_tile.hpp"

namespace isogon {

namespace {

Index panels_for(Index size) {
    return static_cast<Index>(block_count(std::max<Index>(size, 1), panel_width));
}

/// A row of the block each: the numbers in them may be more than an Index counts.
Index tiles_in(Index panels) {
    return static_cast<Index>(std::uint64_t{panels} * (panels + 1) / 2);
}

/// remainder := the tile of A at (p, q) minus the product of the factor's row panels p and q left of column 48 q.
void subtract_products(const PanelMatrix& a, const PanelMatrix& factor, Index p, Index q, CholeskyTile& remainder) {
    const std::size_t column = std::size_t{q} * panel_width;
    multiply_panels({factor.row_panel(q)}, {factor.row_panel(p)}, column, remainder.data(), panel_width);
    const float* tile = a.row_panel(p) + column * panel_width;
    for (std::size_t k = 0; k < panel_tile_size; ++k) {
        remainder[k] = tile[k] - remainder[k];
    }
}

}  // namespace

PanelMatrix::PanelMatrix(Index size)
    : size_(size), panels_(panels_for(size)), values_(tiles_in(panels_), panel_tile_size) {}

std::uint64_t PanelMatrix::bytes(Index size) {
    return BlockVectors::bytes(tiles_in(panels_for(size)), panel_tile_size);
}

bool factor_cholesky(const PanelMatrix& a, PanelMatrix& factor) {
    alignas(64) CholeskyTile remainder;  // NOLINT(*-member-init): filled before each use
    alignas(64) CholeskyTile inverse;    // NOLINT(*-member-init): likewise
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
    // Forward, column by column: once x_c is known, it is taken from all below it.
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
    // Backward: x_c is what is left of it when the components below have taken theirs.
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

}  // namespace isogon
