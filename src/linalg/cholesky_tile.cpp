#include "linalg/cholesky_tile.hpp"

#include <cmath>

namespace isogon {

namespace {

// Column by column, so that the inner loop runs along memory.
template <class Number>
bool factor(Number* tile) {
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
void invert(const Number* tile, Tile& inverse) {
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
    return factor(tile);
}

bool factor_tile(double* tile) {
    return factor(tile);
}

void invert_tile(const float* tile, CholeskyTile& inverse) {
    invert(tile, inverse);
}

void invert_tile(const double* tile, WideCholeskyTile& inverse) {
    invert(tile, inverse);
}

}  // namespace isogon
