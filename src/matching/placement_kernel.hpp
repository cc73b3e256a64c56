#pragma once
#include <cstddef>
#include <span>

#include "isogon/linalg/multi_vector.hpp"
#include "isogon/pairs/tile_kernel.hpp"

namespace isogon {

/// Collects the entries of a tile (48 x 48, 64-byte aligned) that are above the threshold of their row, one of 48:
/// places as in TileEntries, and the entries themselves as values.
void collect_above(const float* tile, const float* thresholds, TileEntries& hits);

/// products[k] = vector . vectors_list[k] in float32; `vector` is 64-byte aligned and padded with zeros to the stride
/// of `vectors`. Each product is independent of the others in the list.
void multiply_listed(const float* vector, const MultiVector<float>& vectors, std::span<const Index> list,
                     float* products);

}  // namespace isogon
