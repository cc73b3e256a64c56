#pragma once
#include <cstddef>

namespace isogon {

/// Of sums over points: with another number they would have other bits.
inline constexpr std::size_t rows_in_block = 512;

}  // namespace isogon
