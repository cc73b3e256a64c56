#pragma once
#include "isogon/pairs/tile_kernel.hpp"

namespace isogon {

/// Marks the values of a tile (48 x 48, row-major, 64-byte aligned) that reach the threshold of their row or that of
/// their column: v_ij >= rows[i] or v_ij >= columns[j]. Both hold 48 thresholds; infinity stands for "never". False if
/// nothing is marked, as with most tiles once the thresholds are tight.
bool mark_reaching(const float* values, const float* rows, const float* columns, TilePlaces& places);

}  // namespace isogon
