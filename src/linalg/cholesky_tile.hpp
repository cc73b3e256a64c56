#pragma once
#include <array>
#include <cstddef>

#include "isogon/linalg/panel_product.hpp"

namespace isogon {

/// 48 x 48 numbers, column by column: what Cholesky factors are made of.
inline constexpr std::size_t panel_tile_size = panel_width * panel_width;
using CholeskyTile = std::array<float, panel_tile_size>;
using WideCholeskyTile = std::array<double, panel_tile_size>;

/// The factor of a tile of the diagonal, in place. False if a pivot is not positive.
[[nodiscard]] bool factor_tile(float* tile);
[[nodiscard]] bool factor_tile(double* tile);

/// The inverse of a factored tile, by forward substitution of the unit vectors. Its upper half is zero.
void invert_tile(const float* tile, CholeskyTile& inverse);
void invert_tile(const double* tile, WideCholeskyTile& inverse);

}  // namespace isogon
