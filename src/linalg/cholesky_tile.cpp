#include "linalg/cholesky_tile.hpp"

#include <cmath>

namespace isogon {

// Column by column, so that the inner loop runs along memory.
bool factor_tile(float* tile) {
    for (std::size_t a = 0; a < panel_width; ++a) {
        float* column = tile + a * panel_width;
        if (!(column[a] > 0.0F)) {
            return false;
        }
        const float inverse = 1.0F / std::sqrt(column[a]);
        for (std::size_t b = a; b < panel_width; ++b) {
            column[b] *= inverse;
        }
        for (std::size_t c = a + 1; c < panel_width; ++c) {
            float* later = tile + c * panel_width;
            for (std::size_t b = c; b < panel_width; ++b) {
                later[b] -= column[c] * column[b];
            }
        }
    }
    return true;
}

void invert_tile(const float* tile, CholeskyTile& inverse) {
    inverse.fill(0.0F);
    for (std::size_t l = 0; l < panel_width; ++l) {
        float* column = inverse.data() + l * panel_width;
        column[l] = 1.0F;
        for (std::size_t a = l; a < panel_width; ++a) {
            const float* known = tile + a * panel_width;
            column[a] /= known[a];
            for (std::size_t b = a + 1; b < panel_width; ++b) {
                column[b] -= known[b] * column[a];
            }
        }
    }
}

}  // namespace isogon
