#pragma once
#include "core/random.hpp"
#include "isogon/core/points.hpp"

namespace isogon::reference {

/// Points near a sheet of `inner` numbers bent into `dimension`, around some centres: typical data of a search, with
/// few true dimensions and uneven density.
Points sheet_points(Index count, Index dimension, Index inner, std::uint64_t seed);

}  // namespace isogon::reference
