#pragma once
#include <cstdint>

#include "isogon/core/points.hpp"

/// Points of which a map should show that they are apart.
namespace isogon::support {

/// Four heaps far from each other; point i is of heap i % 4.
Points heaps(Index count, std::uint64_t seed = 1);

/// The share of points whose nearest output is of their heap.
double share_of_nearest_of_the_same(const Points& y);

}  // namespace isogon::support
