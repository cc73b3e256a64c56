#pragma once
#include <cstdint>

#include "isogon/core/points.hpp"

/// Separated clusters, for tests of maps.
namespace isogon::support {

/// Four clusters far from each other; point i is in cluster i % 4.
Points heaps(Index count, std::uint64_t seed = 1);

/// The fraction of points whose nearest output is in their cluster.
double share_of_nearest_of_the_same(const Points& y);

}  // namespace isogon::support
